import { tagLimits, tagNames } from '@svc/domain';

export const pageSizes = [20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

export const densities = ['compact', 'roomy'] as const;
export type Density = (typeof densities)[number];

/** State of the jobs list in its address; page size and row height are as the visitor last had them. */
export interface JobsView {
  /** A search in the grammar of the service (resolved-platform 12). */
  readonly q?: string;
  /** Jobs that carry any of these. */
  readonly tags?: readonly string[];
  readonly page?: number;
  readonly per?: PageSize;
  readonly view?: Density;
}

/** Reads the address; values that make no sense are dropped. */
export function jobsView(search: Record<string, unknown>): JobsView {
  const q = typeof search['q'] === 'string' ? search['q'].trim() : '';
  const names = [search['tags']].flat().filter((one) => typeof one === 'string');
  const tags = tagNames(names).slice(0, tagLimits.count);
  const page = Number(search['page']);
  const per = pageSizes.find((size) => size === Number(search['per']));
  const view = densities.find((density) => density === search['view']);
  return {
    ...(q !== '' && { q }),
    ...(tags.length > 0 && { tags }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(per && { per }),
    ...(view && { view }),
  };
}

/** Whether anything narrows the list. */
export function isNarrowed({ q, tags }: Required<Pick<JobsView, 'q' | 'tags'>>): boolean {
  return q !== '' || tags.length > 0;
}

const KEPT = 'svc-jobs-view';

/** The view with its gaps filled from what the visitor last chose, then from the defaults. */
export function completed(view: JobsView, kept: JobsView = keptView()): Required<JobsView> {
  const { q = '', tags = [], page = 1, per = kept.per ?? 20, view: density = kept.view ?? 'compact' } = view;
  return { q, tags, page, per, view: density };
}

/** Keeps page size and density for the next visit. */
export function keepView({ per, view }: JobsView): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ per, view }));
  } catch {
    // Storage is switched off: the choice lasts as long as the address.
  }
}

function keptView(): JobsView {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    return typeof kept === 'object' && kept !== null ? jobsView(kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
