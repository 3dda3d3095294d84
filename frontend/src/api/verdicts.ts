import { call, operations } from '@svc/contracts';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { operationQuery, queryKey } from './query-key.ts';

const RUNNING_MS = 2000;

/** What a batch came to; asked for again while jobs of it run. */
export function batchQuery(id: number) {
  return queryOptions({
    ...operationQuery(operations.getBatch, { id }),
    refetchInterval: ({ state }) => (state.data?.has_running ? RUNNING_MS : false),
  });
}

/** What matched in one of two jobs, or in both. */
export function comparisonQuery(a: number, b: number) {
  return queryOptions(operationQuery(operations.compareJobs, { a, b }));
}

/** Makes a batch of jobs, or finds the one that there is of them; its id. */
export async function makeBatch(jobIds: readonly number[]): Promise<number> {
  return (await call(operations.createBatch, { job_ids: [...jobIds] })).batch_id;
}

/** The batch of jobs that were submitted together; none of fewer than two. */
export function madeBatchQuery(jobIds: readonly number[]) {
  return queryOptions({
    queryKey: queryKey(operations.createBatch, { job_ids: [...jobIds] }),
    queryFn: jobIds.length < 2 ? skipToken : () => makeBatch(jobIds),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
