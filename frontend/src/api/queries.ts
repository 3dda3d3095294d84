import {
  call,
  operations,
  type FindingRow,
  type Home,
  type JobRow,
  type JobSort,
  type JobsPreferences,
  type JobState,
} from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { queryOptions, skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { jobsPreferences } from './jobs-preferences.ts';
import { invalidate, queryClient } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

const STATES_PER_REQUEST = 50;

const wholeHomeQuery = queryOptions(operationQuery(operations.getHome, {}));

/** What is offered on the Submit page, which stays the same while jobs come. */
export const homeQuery = queryOptions({
  ...wholeHomeQuery,
  staleTime: 5 * 60_000,
  select: ({ recent: _recent, ...home }): Home => home,
});

/** The newest jobs that the visitor may read. */
export const recentJobsQuery = queryOptions({ ...wholeHomeQuery, select: ({ recent }) => recent });

/** Cases that jobs can be put in, newest updated first; for members. */
export const casesQuery = queryOptions({
  ...operationQuery(operations.listCases, { limit: 500 }),
  staleTime: 30_000,
});

/** Tags whose name contains a text, the most used first; for members. */
export function tagsQuery(text: string) {
  return queryOptions({
    ...operationQuery(operations.suggestTags, { q: text, limit: 20 }),
    staleTime: 30_000,
  });
}

/** What narrows the jobs list: a query in the grammar of the service, and tags of which any will do. */
export interface JobSearch {
  readonly q: string;
  readonly tags: readonly string[];
}

/** Where in what is found a page lies, if its number does not lead there. */
interface JobPlace {
  readonly cursor?: string | undefined;
  /** By the newest first, unless it is said. */
  readonly sort?: JobSort | undefined;
  readonly order?: 'asc' | undefined;
}

/**
 * A page of the jobs list, as long as the visitor last had it. What is `asked` for is kept as a
 * preference by the service, so that only what the visitor chose belongs there.
 */
export function jobsQuery(
  page: number,
  { q, tags, cursor, sort, order }: JobSearch & JobPlace = { q: '', tags: [] },
  asked: JobsPreferences = {},
) {
  const search = {
    ...(q !== '' && { q }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(cursor !== undefined && { cursor }),
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
  };
  const { per } = { ...jobsPreferences(), ...asked };
  return queryOptions({
    queryKey: queryKey(operations.listJobs, { page, per, ...search }),
    queryFn: ({ signal }) => call(operations.listJobs, { page, ...asked, ...search }, { signal }),
  });
}

/** One job with its file, tasks and verdict. */
export function jobQuery(id: number) {
  return queryOptions(operationQuery(operations.getJob, { id }));
}

/** What changes while a job runs; asked for ever more slowly, at last every 3 s, until it is terminal. */
export function progressQuery(id: number) {
  return queryOptions({
    queryKey: queryKey(operations.getJobProgress, { id }),
    queryFn: async ({ signal }) => {
      const progress = await call(operations.getJobProgress, { id }, { signal });
      if (progress.terminal) void invalidate(queryKey(operations.getJob, { id }));
      return progress;
    },
    refetchInterval: ({ state }) => (state.data?.terminal ? false : pace(state.dataUpdateCount)),
  });
}

/** All findings of a finished job, worst first, without their events; the first are there before the rest. */
export function findingsQuery(id: number) {
  return queryOptions({
    queryKey: queryKey(operations.listFindings, { id }),
    queryFn: async ({ client, queryKey: key, signal }): Promise<FindingRow[]> => {
      const first = await call(operations.listFindings, { id, page: 1 }, { signal });
      const findings = [...first.findings];
      if (first.total_pages > 1) client.setQueryData(key, first.findings);
      for (let page = 2; page <= first.total_pages; page += 1) {
        findings.push(...(await call(operations.listFindings, { id, page }, { signal })).findings);
      }
      return findings;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function stateKey(id: number) {
  return [...queryKey(operations.getJobStates), { id }] as const;
}

/** Polls the states of these jobs, in groups of 50, until all are terminal; `useJobState` reads them. */
export function usePolledStates(ids: readonly number[]): void {
  const groups = Array.from({ length: Math.ceil(ids.length / STATES_PER_REQUEST) }, (_, group) =>
    ids.slice(group * STATES_PER_REQUEST, (group + 1) * STATES_PER_REQUEST),
  );
  useQueries({ queries: groups.map((group) => statesQuery(group.join(','))) });
}

/** Last polled state of a job; undefined before the first answer. */
export function useJobState(id: number): JobState | undefined {
  return useQuery<JobState>({ queryKey: stateKey(id), queryFn: skipToken }).data;
}

/** These rows, each as its job is now: those of unfinished jobs are polled. */
export function useLiveJobs(jobs: readonly JobRow[]): JobRow[] {
  const running = jobs.filter(({ status }) => !isTerminal(status)).map(({ job_id: id }) => id);
  usePolledStates(running);
  const states = new Map(useJobStates(running).map((state) => [state.job_id, state] as const));
  return jobs.map((job) => ({ ...job, ...states.get(job.job_id) }));
}

/** Last polled states of several jobs, without those that are not known. */
export function useJobStates(ids: readonly number[]): JobState[] {
  return useQueries({
    queries: ids.map((id) => queryOptions<JobState>({ queryKey: stateKey(id), queryFn: skipToken })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
}

function statesQuery(ids: string) {
  return queryOptions({
    queryKey: queryKey(operations.getJobStates, { ids }),
    queryFn: async ({ signal }) => {
      const { jobs } = await call(operations.getJobStates, { ids }, { signal });
      const ended = jobs.filter(({ job_id: id, status }) => {
        const before = queryClient.getQueryData<JobState>(stateKey(id));
        return isTerminal(status) && !(before && isTerminal(before.status));
      });
      for (const state of jobs) queryClient.setQueryData(stateKey(state.job_id), state);
      // Lists tell more of a job that has ended than its state does.
      if (ended.length > 0) void invalidate(queryKey(operations.listJobs));
      return jobs.every(({ status }) => isTerminal(status));
    },
    refetchInterval: ({ state }) => (state.data ? false : pace(state.dataUpdateCount)),
  });
}

/** Small files are done in a moment, big ones are not: 0.5 s at first, 3 s in the long run. */
function pace(answers: number): number {
  return Math.min(500 + answers * 250, 3000);
}
