import { tagLimits, tagNames, type EntityType } from '@svc/domain';
import type { Direction } from '../../ui/sort-head.tsx';

/** What the list can be sorted by, and which way each goes at first. */
export const entitySortings = {
  value: 'ascending',
  jobs: 'descending',
  first_seen: 'ascending',
  last_seen: 'descending',
} as const;
export type EntitySorting = keyof typeof entitySortings;

/** State of the list of entities in its address. */
export interface EntitiesView {
  /** A search in the grammar of the service (resolved-intel 4.3). */
  readonly q?: string;
  /** Of any of these types. */
  readonly types?: readonly EntityType[];
  /** Carrying any of these. */
  readonly tags?: readonly string[];
  /** Of one job alone. */
  readonly job?: number;
  /** Named by a job that was analysed since this time. */
  readonly since?: string;
  /** Other than the last seen first; with a minus the other way round. */
  readonly sort?: string;
  /** What is the same has a row each. */
  readonly apart?: true;
  readonly page?: number;
  readonly cursor?: string;
}

/** Reads the address; values that make no sense are dropped, and types and orders that there are not by the service. */
export function entitiesView(search: Record<string, unknown>): EntitiesView {
  const q = typeof search['q'] === 'string' ? search['q'].trim() : '';
  const [types, names] = [search['types'], search['tags']].map((value) =>
    [value].flat().filter((one) => typeof one === 'string'),
  ) as [EntityType[], string[]];
  const tags = tagNames(names).slice(0, tagLimits.count);
  const [job, page, cursor, sort] = [Number(search['job']), Number(search['page']), search['cursor'], search['sort']];
  const since = search['since'];
  const isSort = typeof sort === 'string' && sort !== 'last_seen';
  return {
    ...(q !== '' && { q }),
    ...(types.length > 0 && { types }),
    ...(tags.length > 0 && { tags }),
    ...(Number.isSafeInteger(job) && job > 0 && { job }),
    ...(typeof since === 'string' && !Number.isNaN(Date.parse(since)) && { since }),
    ...(isSort && { sort }),
    ...(search['apart'] === true && { apart: true }),
    ...(Number.isSafeInteger(page) && page > 1 && { page, ...(typeof cursor === 'string' && { cursor }) }),
  };
}

/** What a click on the head of a column makes of the order: it sorts by that, or turns the list round. */
export function sortedBy(now: string | undefined, by: EntitySorting): string | undefined {
  const next = (now ?? 'last_seen') === by ? `-${by}` : by;
  return next === 'last_seen' ? undefined : next;
}

/** How a column stands in the order; undefined where the list is sorted by another. */
export function directionOf(now: string | undefined, by: EntitySorting): Direction | undefined {
  const sort = now ?? 'last_seen';
  if (sort.replace(/^-/, '') !== by) return undefined;
  const first = entitySortings[by];
  if (!sort.startsWith('-')) return first;
  return first === 'ascending' ? 'descending' : 'ascending';
}
