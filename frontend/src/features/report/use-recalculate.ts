import { call, operations } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';

/** Has the analytics of a job derived again by a worker; the Raw tab shows how it goes. */
export function useRecalculate(jobId: number) {
  return useMutation({
    mutationFn: () => call(operations.recalculateAnalytics, { id: jobId }),
    onSuccess: () => invalidate(queryKey(operations.listRawOutputs, { id: jobId })),
  });
}
