import type { JobSearchQuery, QueryChip, QueryError } from '@svc/contracts';
import {
  formatTerm,
  hasRole,
  parseSearch,
  type Actor,
  type SearchCondition,
  type SearchProblem,
  type SearchTerm,
} from '@svc/domain';
import type { JobFilter, JobSearch } from './job-lists.ts';

/** A search as the database runs it, and what is to be told of it. */
export interface SearchPlan {
  readonly search: JobSearch;
  readonly chips: QueryChip[];
  readonly errors: QueryError[];
  /** Names of tags that jobs are asked to carry. */
  readonly tags: readonly string[];
}

type TagFilter = JobFilter & { readonly condition: Extract<SearchCondition, { key: 'tag' }> };

const membersOnly = 'tags are for members; sign in with such an account, or leave this out';

/** Reads query and tags for this viewer (resolved-platform 12.3). */
export function planSearch(viewer: Actor, { q, tags }: JobSearchQuery, now: Date): SearchPlan {
  const { terms, problems } = parseSearch(q);
  const isMember = hasRole(viewer, 'member');
  const refused = isMember ? [] : terms.filter(isTagTerm);
  const filters = isMember ? withTags(terms, tags) : withoutTags(terms, tags);
  const reasonOf = (term: SearchTerm): string | null => {
    if (refused.includes(term)) return membersOnly;
    return term.condition === null ? (problems.find(({ start }) => start === term.start)?.reason ?? null) : null;
  };
  return {
    search: { filters, now },
    chips: terms.map((term) => chipOf(term, reasonOf(term))),
    errors: [...problems, ...refusalOf(refused, isMember ? [] : tags)],
    tags: [...new Set(filters.filter(isPositiveTag).flatMap(({ condition }) => condition.values))],
  };
}

/** Whatever tags are asked for, they are one term that matches nothing: nobody learns which there are. */
function withoutTags(terms: readonly SearchTerm[], tags: readonly string[]): JobFilter[] {
  const others = terms.filter((term) => !isTagTerm(term));
  const asksForTags = tags.length > 0 || others.length < terms.length;
  return asksForTags ? [...others, { negated: false, condition: null }] : others;
}

function refusalOf([first]: readonly SearchTerm[], tags: readonly string[]): SearchProblem[] {
  if (first) return [{ start: first.start, end: first.end, term: first.text, reason: membersOnly }];
  return tags.length === 0 ? [] : [{ start: 0, end: 0, term: `tags=${tags.join(',')}`, reason: membersOnly }];
}

/** The tags join the one positive `tag:` term, if there is just one, and are a term of their own else. */
function withTags(terms: readonly SearchTerm[], tags: readonly string[]): JobFilter[] {
  const filters: JobFilter[] = [...terms];
  if (tags.length === 0) return filters;
  const [only, ...others] = terms.filter(isTagTerm).filter(({ negated }) => !negated);
  const isUnited = only && isPositiveTag(only) && others.length === 0;
  const values = isUnited ? [...new Set([...only.condition.values, ...tags])] : tags;
  const united: JobFilter = { negated: false, condition: { key: 'tag', values } };
  return [...filters.filter((filter) => !isUnited || filter !== only), united];
}

function isTagTerm({ key }: SearchTerm): boolean {
  return key === 'tag';
}

function isPositiveTag(filter: JobFilter): filter is TagFilter {
  return !filter.negated && filter.condition?.key === 'tag';
}

function chipOf(term: SearchTerm, error: string | null): QueryChip {
  const { start, end, negated, key } = term;
  return { start, end, text: formatTerm(term), negated, key, error };
}
