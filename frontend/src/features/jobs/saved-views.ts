import { jobsView, type JobsView } from './jobs-view.ts';
import { keepList, keptList } from '../../ui/kept-list.ts';

const KEPT = 'svc-jobs-saved-views';
export const savedViewLimits = { count: 20, length: 60 } as const;

/** A list of jobs under a name: what its address holds but the page, since jobs move on to later ones. */
export interface SavedView {
  readonly name: string;
  readonly view: Omit<JobsView, 'page' | 'cursor'>;
}

/** The views of this browser by name; what was kept and is none is left out. */
export function savedViews(): SavedView[] {
  const known = new Map<string, SavedView>();
  for (const kept of keptList(KEPT)) {
    if (!isRecord(kept) || typeof kept['name'] !== 'string' || !isRecord(kept['view'])) continue;
    const name = viewName(kept['name']);
    if (name !== '' && known.size < savedViewLimits.count) known.set(keyOf(name), savedView(name, kept['view']));
  }
  return [...known.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** The saved view of this name, whatever the case of its letters. */
export function viewNamed(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => keyOf(view.name) === keyOf(viewName(name)));
}

/** Saves a view, in place of the one of the same name; says what is in the way, or null when it is kept. */
export function saveView(name: string, view: JobsView): string | null {
  const saved = savedView(viewName(name), { ...view });
  if (saved.name === '') return 'Give the view a name.';
  const others = savedViews().filter((other) => keyOf(other.name) !== keyOf(saved.name));
  if (others.length >= savedViewLimits.count) {
    return `There are ${savedViewLimits.count} views already. Delete one, or take its name.`;
  }
  return keep([...others, saved]);
}

/** Forgets the views of this browser, which an account keeps from then on. */
export function forgetViews(): void {
  keepList(KEPT, []);
}

/** Deletes the view of this name; says what is in the way, or null when it is gone. */
export function deleteView(name: string): string | null {
  return keep(savedViews().filter((view) => view.name !== name));
}

function keep(views: readonly SavedView[]): string | null {
  return keepList(KEPT, views) ? null : 'This browser keeps nothing: its storage is full or switched off.';
}

/** What a list was asked for, as a view of this name; what makes no sense of it is dropped. */
export function savedView(name: string, search: Record<string, unknown>): SavedView {
  const { page: _page, cursor: _cursor, ...view } = jobsView(search);
  return { name, view };
}

/** A name without needless spaces, and no longer than names are. */
export function viewName(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, savedViewLimits.length).trim();
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
