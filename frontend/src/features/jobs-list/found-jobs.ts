import type { JobRow } from '@svc/contracts';
import { jobsQuery, type JobSearch } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';

const PER_REQUEST = 100;

/** The newest jobs that a search finds, at most so many. */
export async function foundJobs(search: JobSearch, most: number): Promise<JobRow[]> {
  const found: JobRow[] = [];
  for (let page = 1; found.length < most; page += 1) {
    const { jobs, total_pages: pages } = await queryClient.fetchQuery(jobsQuery(page, PER_REQUEST, search));
    found.push(...jobs);
    if (page >= pages) break;
  }
  return found.slice(0, most);
}
