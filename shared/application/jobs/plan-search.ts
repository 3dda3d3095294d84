import type { JobSearchQuery, QueryChip, QueryError } from '@svc/contracts';
import {
  formatTerm,
  hasRole,
  parseSearch,
  techniqueNow,
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
const casesOfMembers = 'cases are for members; sign in with such an account, or leave this out';

/** Reads query and tags for this viewer (resolved-platform 12.3). */
export function planSearch(viewer: Actor, { q, tags }: JobSearchQuery, now: Date): SearchPlan {
  const { terms, problems } = parseSearch(q);
  const isMember = hasRole(viewer, 'member');
  const refused = isMember ? [] : terms.filter(isTagTerm);
  const refusedCases = isMember ? [] : terms.filter(({ key }) => key === 'case');
  const filters = isMember ? withTags(terms, tags) : withoutTags(terms, tags);
  const reasonOf = (term: SearchTerm): string | null => {
    if (refused.includes(term)) return membersOnly;
    if (refusedCases.includes(term)) return casesOfMembers;
    return term.condition === null ? (problems.find(({ start }) => start === term.start)?.reason ?? null) : null;
  };
  return {
    search: { ...filters, now },
    chips: terms.map((term) => chipOf(term, reasonOf(term))),
    errors: [...problems, ...refusalOf(refused, isMember ? [] : tags), ...refusedCases.slice(0, 1).map(refusalOfCase)],
    tags: isMember ? [...new Set([...terms.flatMap(tagsAskedFor), ...tags])] : [],
  };
}

type Filters = Pick<JobSearch, 'alternatives' | 'filters'>;

/** Whatever tags and cases are asked for, they are one term that matches nothing: nobody learns which there are. */
function withoutTags(terms: readonly SearchTerm[], tags: readonly string[]): Filters {
  const [first = [], ...others] = alternativesOf(terms);
  const isAsked = tags.length > 0;
  if (others.length === 0) return { filters: withoutHidden(first, isAsked) };
  const alternatives = [first, ...others].map((all) => withoutHidden(all, false));
  return { filters: isAsked ? [matchesNothing] : [], alternatives };
}

const matchesNothing: JobFilter = { negated: false, condition: null };

function withoutHidden(terms: readonly SearchTerm[], isRefused: boolean): JobFilter[] {
  const shown = terms.filter((term) => !isForMembers(term));
  return [...shown.map(asFilter), ...(isRefused || shown.length < terms.length ? [matchesNothing] : [])];
}

function refusalOf([first]: readonly SearchTerm[], tags: readonly string[]): SearchProblem[] {
  if (first) return [{ start: first.start, end: first.end, term: first.text, reason: membersOnly }];
  return tags.length === 0 ? [] : [{ start: 0, end: 0, term: `tags=${tags.join(',')}`, reason: membersOnly }];
}

function refusalOfCase({ start, end, text: term }: SearchTerm): SearchProblem {
  return { start, end, term, reason: casesOfMembers };
}

/** The tags join the one positive `tag:` term, if there is just one and no alternative, and are a term of their own else. */
function withTags(terms: readonly SearchTerm[], tags: readonly string[]): Filters {
  const [first = [], ...others] = alternativesOf(terms);
  const ofTags: JobFilter[] = tags.length === 0 ? [] : [{ negated: false, condition: { key: 'tag', values: tags } }];
  if (others.length > 0) return { filters: ofTags, alternatives: [first, ...others].map((all) => all.map(asFilter)) };
  const filters = first.map(asFilter);
  if (tags.length === 0) return { filters };
  const [only, ...further] = first.filter((term) => isTagTerm(term) && !term.negated).map(asFilter);
  if (!only || !isPositiveTag(only) || further.length > 0) return { filters: [...filters, ...ofTags] };
  const values = [...new Set([...only.condition.values, ...tags])];
  const rest = first.filter((term) => !(isTagTerm(term) && !term.negated)).map(asFilter);
  return { filters: [...rest, { negated: false, condition: { key: 'tag', values } }] };
}

/** The terms of each alternative. */
function alternativesOf(terms: readonly SearchTerm[]): SearchTerm[][] {
  const byAlternative = new Map<number, SearchTerm[]>();
  for (const term of terms) {
    byAlternative.set(term.alternative, [...(byAlternative.get(term.alternative) ?? []), term]);
  }
  return [...byAlternative.values()];
}

/** Techniques are asked for as this version of ATT&CK numbers them, whichever the term had. */
function asFilter({ negated, condition }: SearchTerm): JobFilter {
  if (condition?.key !== 'technique') return { negated, condition };
  return { negated, condition: { key: 'technique', values: condition.values.map(techniqueNow) } };
}

function isForMembers({ key }: SearchTerm): boolean {
  return key === 'tag' || key === 'case';
}

function isTagTerm({ key }: SearchTerm): boolean {
  return key === 'tag';
}

function tagsAskedFor(term: SearchTerm): readonly string[] {
  return isPositiveTag(term) ? term.condition.values : [];
}

function isPositiveTag(filter: JobFilter): filter is TagFilter {
  return !filter.negated && filter.condition?.key === 'tag';
}

function chipOf(term: SearchTerm, error: string | null): QueryChip {
  const { start, end, negated, key } = term;
  return { start, end, text: formatTerm(term), negated, key, error };
}
