import { parseEntitySearch } from './entity-search/parse-entity-search.ts';
import type { SavedSearch } from './saved-search.ts';
import { parseSearch } from './search/parse-search.ts';
import { tagNames } from './tag.ts';

/** A term that names tags, with what else it names. */
interface TagTerm {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly negated: boolean;
  readonly key: string;
  readonly values: readonly string[];
  readonly tags: readonly string[];
}

/** Whether a search asks for this tag, by a term of its text or by its list of tags. */
export function namesTag(search: Pick<SavedSearch, 'scope' | 'query'>, tag: string): boolean {
  return listed(search.query['tags']).includes(tag) || termsNaming(search, tag).length > 0;
}

/** What the search asks for, with another name for a tag; null where it cannot be written so, as with quotes in the name. */
export function withTagRenamed(
  { scope, query }: Pick<SavedSearch, 'scope' | 'query'>,
  from: string,
  to: string,
): SavedSearch['query'] | null {
  const names = listed(query['tags']);
  const renamed = { scope, query: names.includes(from) ? { ...query, tags: renamedIn(names, from, to) } : query };
  const before = textOf(query);
  const q = termsNaming(renamed, from).reduceRight(
    (text, { start, end, negated, key, values }) =>
      `${text.slice(0, start)}${negated ? '-' : ''}${key}:${renamedIn(values, from, to).map(written).join(',')}${text.slice(end)}`,
    before,
  );
  if (q === before) return renamed.query;
  const expected = tagTerms(scope, before).map(({ negated, tags }) => [negated, renamedIn(tags, from, to)]);
  const found = tagTerms(scope, q).map(({ negated, tags }) => [negated, tags]);
  return JSON.stringify(found) === JSON.stringify(expected) ? { ...renamed.query, q } : null;
}

function termsNaming({ scope, query }: Pick<SavedSearch, 'scope' | 'query'>, tag: string): TagTerm[] {
  return tagTerms(scope, textOf(query)).filter(({ tags }) => tags.includes(tag));
}

function tagTerms(scope: SavedSearch['scope'], q: string): TagTerm[] {
  if (scope === 'jobs') {
    return parseSearch(q).terms.flatMap(({ condition, ...term }) =>
      condition?.key === 'tag' ? [{ ...term, key: 'tag', values: condition.values, tags: condition.values }] : [],
    );
  }
  return parseEntitySearch(q).terms.flatMap(({ condition, ...term }) => {
    if (condition?.key === 'tag') return [{ ...term, key: 'tag', values: condition.values, tags: condition.values }];
    if (condition?.key !== 'label') return [];
    return [{ ...term, key: 'label', values: [...condition.attributes, ...condition.tags], tags: condition.tags }];
  });
}

function textOf(query: SavedSearch['query']): string {
  return typeof query['q'] === 'string' ? query['q'] : '';
}

function listed(tags: unknown): string[] {
  return tagNames([tags].flat().filter((tag) => typeof tag === 'string'));
}

function renamedIn(names: readonly string[], from: string, to: string): string[] {
  return [...new Set(names.map((name) => (name === from ? to : name)))];
}

function written(name: string): string {
  return /[\s\p{Cc}()]/u.test(name) ? `"${name}"` : name;
}
