import type { InputOf, operations, OutputOf } from '@svc/contracts';
import {
  attributeChoices,
  counted,
  entityCaretIn,
  fixedEntityChoices,
  searchSuggestionLimit,
  suggestEntityKeys,
  suggestEntityValues,
  type Actor,
  type EntitySearchCaret,
  type SearchChoice,
} from '@svc/domain';
import { shownName } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';

type SuggestionPorts = Pick<Ports, 'entityLists' | 'jobViews' | 'ruleLists' | 'tags'>;

/** What can complete the term under the caret of a search box (resolved-intel 4.4). */
export async function suggestEntitySearch(
  ports: SuggestionPorts,
  actor: Actor,
  { q, pos }: InputOf<typeof operations.suggestEntitySearch>,
): Promise<OutputOf<typeof operations.suggestEntitySearch>> {
  const caret = entityCaretIn(q, pos);
  const { start, end, prefix, key } = caret;
  if (key === null) return { start, end, prefix, suggestions: suggestEntityKeys(caret) };
  if (key === 'job') return { start, end, prefix, suggestions: await suggestJobs(ports, actor, caret) };
  const choices =
    fixedEntityChoices(key) ?? (await (key === 'list' ? listChoices(ports) : tagChoices(ports, actor, caret)));
  if (key !== 'label') return { start, end, prefix, suggestions: suggestEntityValues(caret, choices) };
  return {
    start,
    end,
    prefix,
    suggestions: halves(suggestEntityValues(caret, attributeChoices()), suggestEntityValues(caret, choices)),
  };
}

/** Visible jobs by their number, since that is what the term takes, whatever is typed of their names. */
async function suggestJobs(
  { entityLists, jobViews }: SuggestionPorts,
  actor: Actor,
  { prefix, typed }: EntitySearchCaret,
) {
  const ids = await entityLists.jobs(actor, typed.trim(), searchSuggestionLimit);
  const views = new Map((await jobViews.some(actor, ids)).map((view) => [view.job.id, view]));
  return ids.flatMap((id) => {
    const view = views.get(id);
    return view === undefined ? [] : [{ insert: `${prefix}${id}`, label: String(id), detail: shownName(view) }];
  });
}

async function listChoices({ ruleLists }: SuggestionPorts): Promise<SearchChoice[]> {
  const sizes = await ruleLists.sizes();
  return sizes.map(({ name, match, count }) => ({ value: name, detail: `${match}, ${counted(count, 'value')}` }));
}

async function tagChoices(
  { tags }: SuggestionPorts,
  actor: Actor,
  { typed }: EntitySearchCaret,
): Promise<SearchChoice[]> {
  const found = await tags.find(actor, { text: typed.trim().toLowerCase(), limit: searchSuggestionLimit });
  return found.map(({ name }) => ({ value: name, detail: 'tag' }));
}

/** Half of each; what one leaves unused, the other has. */
function halves<T>(first: readonly T[], second: readonly T[]): T[] {
  const half = searchSuggestionLimit / 2;
  const ofFirst = Math.max(half, searchSuggestionLimit - second.length);
  const shown = first.slice(0, ofFirst);
  return [...shown, ...second.slice(0, searchSuggestionLimit - shown.length)];
}
