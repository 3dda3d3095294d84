import type { JobRow } from '@svc/contracts';
import { jobsQuery, type JobSearch } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';

/** The newest jobs that a search finds, at most so many. */
export async function foundJobs(search: JobSearch, most: number): Promise<JobRow[]> {
  const page = (number: number) => queryClient.fetchQuery(jobsQuery(number, search));
  const first = await page(1);
  const pages = Math.min(first.total_pages, Math.ceil(most / first.per));
  const rest = await Promise.all(Array.from({ length: pages - 1 }, (_, at) => page(at + 2)));
  return [first, ...rest].flatMap(({ jobs }) => jobs).slice(0, most);
}
