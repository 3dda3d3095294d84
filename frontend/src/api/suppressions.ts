import { call, operations, type RequestOf } from '@svc/contracts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { findingsQuery, jobQuery } from './queries.ts';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What is suppressed in the instance, or in a case. */
export function suppressionsQuery(caseId: number | null) {
  return queryOptions({
    ...operationQuery(operations.listSuppressions, caseId === null ? {} : { case_id: caseId }),
    // Until findings of before are marked, or not any more.
    refetchInterval: ({ state: { data } }) =>
      data?.suppressions.some(({ state }) => state === 'applying' || state === 'removing') ? 1000 : false,
  });
}

/** What a suppression would do. */
export function suppressionPreviewQuery(wanted: RequestOf<typeof operations.previewSuppression>) {
  return queryOptions({
    queryKey: queryKey(operations.previewSuppression, wanted),
    queryFn: ({ signal }) => call(operations.previewSuppression, wanted, { signal }),
  });
}

export function useRemoveSuppression() {
  return useMutation({
    mutationFn: (id: number) => call(operations.removeSuppression, { id }),
    onSettled: () => invalidate(queryKey(operations.listSuppressions), queryKey(operations.listJobs)),
  });
}

/** Suppresses matches of a rule, and answers when the findings that are there are marked, or are still being marked. */
export function useSuppress(jobId: number) {
  return useMutation({
    mutationFn: async (wanted: RequestOf<typeof operations.addSuppression>) => {
      const { suppression } = await call(operations.addSuppression, wanted);
      const of = typeof wanted.case_id !== 'number' ? {} : { case_id: wanted.case_id };
      for (let tries = 0; tries < mostTries; tries++) {
        const { suppressions } = await call(operations.listSuppressions, of);
        if (suppressions.find(({ id }) => id === suppression.id)?.state !== 'applying') break;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
    onSuccess: () =>
      invalidate(
        findingsQuery(jobId).queryKey,
        jobQuery(jobId).queryKey,
        queryKey(operations.listSuppressions),
        queryKey(operations.listCaseFindings),
        queryKey(operations.getWhatHappened),
        queryKey(operations.listJobs),
      ),
  });
}

const mostTries = 20;
