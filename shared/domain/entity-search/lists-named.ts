import { parseEntitySearch } from './parse-entity-search.ts';

/** The names of the lists that a query asks for, in their order, each once. */
export function listsNamed(query: string): string[] {
  const { terms } = parseEntitySearch(query);
  return [...new Set(terms.flatMap(({ condition }) => (condition?.key === 'list' ? [condition.name] : [])))];
}
