import type { InputOf, operations } from '@svc/contracts';
import {
  entityTypes,
  parseEntitySearch,
  problemText,
  type Actor,
  type EntityCondition,
  type EntitySearch,
  type EntitySearchNode,
  type EntitySearchProblem,
  type EntitySearchTerm,
  type EntityType,
} from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { EntityListSearch } from './entity-lists.ts';

/** What a page asks for beside the query (resolved-intel 4.2). */
export interface EntityFilters {
  readonly q: string;
  readonly types: readonly string[];
  readonly tags: readonly string[];
  readonly since: string | null;
  readonly minJobs: number;
  readonly isWatched: boolean;
  readonly hidesAllowlisted: boolean;
  readonly job: number | null;
}

/** The same as requests say it. */
export function entityFilters(input: InputOf<typeof operations.listEntityIds>): EntityFilters {
  return {
    q: input.q,
    types: [...input.types, ...input.entity_type],
    tags: input.tags,
    since: input.since ?? null,
    minJobs: input.min_jobs,
    isWatched: input.watchlist,
    hidesAllowlisted: !input.include_allowlisted,
    job: input.job,
  };
}

export interface EntitySearchPlan {
  readonly search: EntityListSearch;
  /** How the query was read. */
  readonly mode: EntitySearch['mode'];
  readonly terms: readonly EntitySearchTerm[];
  readonly problems: readonly EntitySearchProblem[];
  /** Sentences for above the list: the problems, and what else was left out. */
  readonly notices: readonly string[];
  /** The job that the list is narrowed to; null where none is, or where it cannot be. */
  readonly job: number | null;
}

/** One wording for jobs that are missing, private or name nothing: nobody learns which. */
const jobsLeftOut = 'Jobs that cannot be used here were left out';

/** Reads query and filters for this viewer. */
export async function planEntitySearch(
  ports: Pick<Ports, 'jobViews' | 'ruleLists'>,
  viewer: Actor,
  filters: EntityFilters,
  now: Date,
): Promise<EntitySearchPlan> {
  const { mode, root: read, terms, problems: found, isRefused } = parseEntitySearch(filters.q);
  const unlisted = await unknownLists(ports, terms);
  const problems = [...found, ...unlisted.map(({ problem }) => problem)];
  const asked = terms.flatMap(({ condition }) => (condition?.key === 'job' ? condition.values : []));
  const seen = new Set(await visibleAmong(ports, viewer, [...asked, ...(filters.job === null ? [] : [filters.job])]));
  // Of a term without any job that can be used nothing matches, turned around or not.
  const jobless = terms.filter(
    ({ condition }) => condition?.key === 'job' && !condition.values.some((id) => seen.has(id)),
  );
  const root = [...unlisted.map(({ term }) => term), ...jobless].reduce(
    (node, term) => node && replaced(node, term, { ...term, condition: null }),
    read,
  );
  const notices = problems.map(problemText);
  const job = filters.job !== null && seen.has(filters.job) ? filters.job : null;
  const since = filters.since === null ? null : new Date(filters.since);
  const isSince = since !== null && !Number.isNaN(since.getTime());
  if (since !== null && !isSince) notices.push(`“${filters.since}” is no date; entities of all times are shown`);
  if (asked.some((id) => !seen.has(id)) || job !== filters.job) notices.push(jobsLeftOut);
  const types = filters.types.filter((type): type is EntityType => entityTypes.some((known) => known === type));
  const { node, tags } = withTags(root, terms, filters.tags);
  const conditions: EntityCondition[] = [
    ...(types.length > 0 ? [{ key: 'type', values: types } as const] : []),
    ...(tags.length > 0 ? [{ key: 'tag', values: tags } as const] : []),
    ...(isSince ? [{ key: 'seen', values: [{ from: { at: since.toISOString() }, to: null }] } as const] : []),
    ...(filters.minJobs >= 1 ? [{ key: 'jobs', values: [{ min: filters.minJobs, max: null }] } as const] : []),
    ...(filters.isWatched ? [{ key: 'is', values: ['watched'] } as const] : []),
    ...(job === null ? [] : [{ key: 'job', values: [job] } as const]),
  ];
  const parts = [
    ...(isRefused ? [asTerm(null)] : node === null ? [] : [node]),
    ...conditions.map((condition) => asTerm(condition)),
    ...(filters.hidesAllowlisted ? [asTerm({ key: 'is', values: ['allowlisted'] }, true)] : []),
  ];
  const search = { root: parts.length > 1 ? { kind: 'all' as const, of: parts } : (parts[0] ?? null), now };
  return { search, mode, terms, problems, notices: [...new Set(notices)], job };
}

/** Terms that name no list there is: they match nothing. */
export async function unknownLists(
  { ruleLists }: Pick<Ports, 'ruleLists'>,
  terms: readonly EntitySearchTerm[],
): Promise<{ readonly term: EntitySearchTerm; readonly problem: EntitySearchProblem }[]> {
  const asked = terms.flatMap((term) => (term.condition?.key === 'list' ? [{ term, name: term.condition.name }] : []));
  if (asked.length === 0) return [];
  const known = new Set((await ruleLists.sizes()).map(({ name }) => name));
  return asked
    .filter(({ name }) => !known.has(name))
    .map(({ term, name }) => {
      const { start, end, text } = term;
      return { term, problem: { start, end, term: text, reason: `there is no list “${name}”` } };
    });
}

async function visibleAmong(
  { jobViews }: Pick<Ports, 'jobViews'>,
  viewer: Actor,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  return (await jobViews.among(viewer, [...new Set(ids)])).map(({ id }) => id);
}

/** The tags join the one positive `tag:` term, if all of the query's terms must hold and there is just one; else they are a term. */
function withTags(
  root: EntitySearchNode | null,
  terms: readonly EntitySearchTerm[],
  tags: readonly string[],
): { readonly node: EntitySearchNode | null; readonly tags: readonly string[] } {
  const [only, ...further] = terms.filter(({ condition, negated }) => condition?.key === 'tag' && !negated);
  const condition = only?.condition;
  if (tags.length === 0 || root === null || !only || condition?.key !== 'tag' || further.length > 0)
    return { node: root, tags };
  const united = { ...only, condition: { ...condition, values: [...new Set([...condition.values, ...tags])] } };
  return { node: replaced(root, only, united), tags: [] };
}

function replaced(node: EntitySearchNode, term: EntitySearchTerm, by: EntitySearchTerm): EntitySearchNode {
  if (node.kind === 'term') return node.term === term ? { kind: 'term', term: by } : node;
  if (node.kind === 'not') return { kind: 'not', of: replaced(node.of, term, by) };
  return { kind: node.kind, of: node.of.map((one) => replaced(one, term, by)) };
}

function asTerm(condition: EntityCondition | null, negated = false): EntitySearchNode {
  return { kind: 'term', term: { start: 0, end: 0, text: '', negated, key: null, condition } };
}
