import {
  asPreferences,
  jobSorts,
  type Density,
  type JobSort,
  type JobsPreferences,
  type PageSize,
} from '@svc/contracts';
import { tagLimits, tagNames } from '@svc/domain';
import { jobsPreferences } from '../../api/jobs-preferences.ts';

/** State of the jobs list in its address; page size and row height are as the visitor last had them. */
export interface JobsView {
  /** A search in the grammar of the service (resolved-platform 12). */
  readonly q?: string;
  /** Jobs that carry any of these. */
  readonly tags?: readonly string[];
  /** Other than by time. */
  readonly sort?: Exclude<JobSort, 'created'>;
  /** From the oldest, the fewest or the mildest. */
  readonly order?: 'asc';
  readonly page?: number;
  /** Leads to the page where numbers do not, as the service gave it. */
  readonly cursor?: string;
  readonly per?: PageSize;
  readonly view?: Density;
}

const sorts = jobSorts.filter((sort) => sort !== 'created');

/** Reads the address; values that make no sense are dropped. */
export function jobsView(search: Record<string, unknown>): JobsView {
  const q = typeof search['q'] === 'string' ? search['q'].trim() : '';
  const names = [search['tags']].flat().filter((one) => typeof one === 'string');
  const tags = tagNames(names).slice(0, tagLimits.count);
  const sort = sorts.find((one) => one === search['sort']);
  const [page, cursor] = [Number(search['page']), search['cursor']];
  return {
    ...(q !== '' && { q }),
    ...(tags.length > 0 && { tags }),
    ...(sort && { sort }),
    ...(search['order'] === 'asc' && { order: 'asc' as const }),
    ...(Number.isSafeInteger(page) && page > 1 && { page, ...(typeof cursor === 'string' && { cursor }) }),
    ...asPreferences(search),
  };
}

/** Whether anything narrows the list. */
export function isNarrowed({ q, tags }: Required<Pick<JobsView, 'q' | 'tags'>>): boolean {
  return q !== '' || tags.length > 0;
}

/** What the view is sorted by, and the change that a click on the head of a column makes: it sorts by that, or turns the list round. */
export function sortingOf({ sort, order }: Pick<JobsView, 'sort' | 'order'>): JobsSorting {
  const now = sort ?? 'created';
  const isReversed = order === 'asc';
  return {
    by: now,
    isReversed,
    chosen: (by) => ({
      sort: by === 'created' ? undefined : by,
      order: by === now && !isReversed ? 'asc' : undefined,
      page: 1,
    }),
  };
}

export interface JobsSorting {
  readonly by: JobSort;
  readonly isReversed: boolean;
  readonly chosen: (by: JobSort) => ViewChange;
}

/** A change of the address: undefined takes something away. */
export type ViewChange = { readonly [K in keyof JobsView]?: JobsView[K] | undefined };

/** The view with its gaps filled from what the visitor last chose. */
export function completed(
  view: JobsView,
  kept: Required<JobsPreferences> = jobsPreferences(),
): Required<Omit<JobsView, 'cursor' | 'sort' | 'order'>> {
  return { q: '', tags: [], page: 1, ...kept, ...view };
}
