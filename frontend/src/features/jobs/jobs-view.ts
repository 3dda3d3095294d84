import { asPreferences, type Density, type JobsPreferences, type PageSize } from '@svc/contracts';
import { tagLimits, tagNames } from '@svc/domain';
import { jobsPreferences } from '../../api/jobs-preferences.ts';

/** State of the jobs list in its address; page size and row height are as the visitor last had them. */
export interface JobsView {
  /** A search in the grammar of the service (resolved-platform 12). */
  readonly q?: string;
  /** Jobs that carry any of these. */
  readonly tags?: readonly string[];
  readonly page?: number;
  /** Leads to the page where numbers do not, as the service gave it. */
  readonly cursor?: string;
  readonly per?: PageSize;
  readonly view?: Density;
}

/** Reads the address; values that make no sense are dropped. */
export function jobsView(search: Record<string, unknown>): JobsView {
  const q = typeof search['q'] === 'string' ? search['q'].trim() : '';
  const names = [search['tags']].flat().filter((one) => typeof one === 'string');
  const tags = tagNames(names).slice(0, tagLimits.count);
  const [page, cursor] = [Number(search['page']), search['cursor']];
  return {
    ...(q !== '' && { q }),
    ...(tags.length > 0 && { tags }),
    ...(Number.isSafeInteger(page) && page > 1 && { page, ...(typeof cursor === 'string' && { cursor }) }),
    ...asPreferences(search),
  };
}

/** Whether anything narrows the list. */
export function isNarrowed({ q, tags }: Required<Pick<JobsView, 'q' | 'tags'>>): boolean {
  return q !== '' || tags.length > 0;
}

/** The view with its gaps filled from what the visitor last chose. */
export function completed(
  view: JobsView,
  kept: Required<JobsPreferences> = jobsPreferences(),
): Required<Omit<JobsView, 'cursor'>> {
  return { q: '', tags: [], page: 1, ...kept, ...view };
}
