import { call, operations } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';

/** Has the analytics of a job derived again by a worker; the Raw tab shows how it goes. */
export function useRecalculate(jobId: number) {
  return useMutation({
    mutationFn: () => call(operations.recalculateAnalytics, { id: jobId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['job', jobId, 'raw-outputs'] }),
  });
}
