import { call, operations, type FindingRow } from '@svc/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

const staleTime = 60_000;

/** Files like a job's, within a distance. */
export function similarQuery(jobId: number, threshold: number) {
  return queryOptions({
    queryKey: ['job', jobId, 'similar', threshold],
    queryFn: ({ signal }) => call(operations.getSimilarFiles, { id: jobId, threshold }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

/** Other jobs in which a job's finding was made, too. */
export function correlatedQuery(jobId: number, { rule_signature: signature }: FindingRow) {
  return queryOptions({
    queryKey: ['job', jobId, 'correlated', signature],
    queryFn: ({ signal }) => call(operations.getCorrelatedJobs, { id: jobId, rule_signature: signature }, { signal }),
    staleTime,
  });
}
