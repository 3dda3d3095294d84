import { operations, type FindingRow } from '@svc/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operationQuery } from '../../../api/query-key.ts';

const staleTime = 60_000;

/** Files like a job's, within a distance. */
export function similarQuery(jobId: number, threshold: number) {
  return queryOptions({
    ...operationQuery(operations.getSimilarFiles, { id: jobId, threshold }),
    placeholderData: keepPreviousData,
    staleTime,
  });
}

/** Other jobs in which a job's finding was made, too. */
export function correlatedQuery(jobId: number, { rule_signature: signature }: FindingRow) {
  return queryOptions({
    ...operationQuery(operations.getCorrelatedJobs, { id: jobId, rule_signature: signature }),
    staleTime,
  });
}
