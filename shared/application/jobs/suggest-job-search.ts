import type { InputOf, operations, OutputOf } from '@svc/contracts';
import {
  caretIn,
  caseStatuses,
  fixedChoices,
  hasRole,
  searchSuggestionLimit,
  suggestKeys,
  suggestValues,
  type Actor,
  type SearchCaret,
  type SearchChoice,
  type SearchSuggestion,
  techniqueTitles,
} from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Newest cases that are offered. */
const mostCases = 200;

type SuggestionPorts = Pick<Ports, 'cases' | 'jobLists' | 'tags' | 'workflows'>;

/** What can complete the term under the caret of a search box (resolved-platform 12.4). */
export async function suggestJobSearch(
  ports: SuggestionPorts,
  actor: Actor,
  { q, pos }: InputOf<typeof operations.suggestJobSearch>,
): Promise<OutputOf<typeof operations.suggestJobSearch>> {
  const caret = caretIn(q, pos);
  const { start, end, prefix, key } = caret;
  const isHidden = (label: string): boolean => (label === 'tag:' || label === 'case:') && !hasRole(actor, 'member');
  const keys = suggestKeys(caret).filter(({ label }) => !isHidden(label));
  if (key === 'technique') return { start, end, prefix, suggestions: suggestTechniques(caret) };
  const suggestions = key === null ? keys : suggestValues(caret, await choicesOf(ports, actor, caret));
  return { start, end, prefix, suggestions };
}

/** By what is typed of the id or of the name: all that ATT&CK has, whether a job has them or not. */
function suggestTechniques({ typed, prefix, suffix }: SearchCaret): SearchSuggestion[] {
  const text = typed.trim().toLowerCase();
  return techniqueTitles()
    .filter(({ id, title }) => id.toLowerCase().startsWith(text) || title.toLowerCase().includes(text))
    .slice(0, searchSuggestionLimit)
    .map(({ id, title }) => ({ insert: `${prefix}${id}${suffix}`, label: id, detail: title.slice(id.length).trim() }));
}

async function choicesOf(
  { cases, jobLists, tags, workflows }: SuggestionPorts,
  actor: Actor,
  { key, typed }: SearchCaret,
): Promise<readonly SearchChoice[]> {
  if (key === null) return [];
  if (key === 'tag') {
    if (!hasRole(actor, 'member')) return [];
    const text = typed.trim().toLowerCase();
    const found = await tags.find(actor, { text, limit: searchSuggestionLimit, of: 'jobs' });
    return found.map(({ name, jobs }) => ({ value: name, detail: jobs === 1 ? '1 job' : `${jobs} jobs` }));
  }
  if (key === 'case') {
    const shown = await cases.list(actor, { statuses: caseStatuses, limit: mostCases });
    return shown.map(({ id, name, status }) => ({ value: name, detail: `Case ${id}, ${status}` }));
  }
  if (key === 'workflow') return (await workflows.list()).map(({ name }) => ({ value: name, detail: '' }));
  if (key === 'tool') return (await jobLists.engines(actor)).map((value) => ({ value, detail: '' }));
  return fixedChoices(key) ?? [];
}
