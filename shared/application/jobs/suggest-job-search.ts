import type { InputOf, operations, OutputOf } from '@svc/contracts';
import {
  caretIn,
  fixedChoices,
  hasRole,
  searchSuggestionLimit,
  suggestKeys,
  suggestValues,
  type Actor,
  type SearchCaret,
  type SearchChoice,
} from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

type SuggestionPorts = Pick<Ports, 'jobLists' | 'tags' | 'workflows'>;

/** What can complete the term under the caret of a search box (resolved-platform 12.4). */
export async function suggestJobSearch(
  ports: SuggestionPorts,
  actor: Actor,
  { q, pos }: InputOf<typeof operations.suggestJobSearch>,
): Promise<OutputOf<typeof operations.suggestJobSearch>> {
  const caret = caretIn(q, pos);
  const { start, end, prefix, key } = caret;
  const keys = suggestKeys(caret).filter(({ label }) => label !== 'tag:' || hasRole(actor, 'member'));
  const suggestions = key === null ? keys : suggestValues(caret, await choicesOf(ports, actor, caret));
  return { start, end, prefix, suggestions };
}

async function choicesOf(
  { jobLists, tags, workflows }: SuggestionPorts,
  actor: Actor,
  { key, typed }: SearchCaret,
): Promise<readonly SearchChoice[]> {
  if (key === null) return [];
  if (key === 'tag') {
    if (!hasRole(actor, 'member')) return [];
    const text = typed.trim().toLowerCase();
    const found = await tags.find(actor, { text, limit: searchSuggestionLimit });
    return found.map(({ name, jobs }) => ({ value: name, detail: jobs === 1 ? '1 job' : `${jobs} jobs` }));
  }
  if (key === 'workflow') return (await workflows.list()).map(({ name }) => ({ value: name, detail: '' }));
  if (key === 'tool') return (await jobLists.engines(actor)).map((value) => ({ value, detail: '' }));
  return fixedChoices(key) ?? [];
}
