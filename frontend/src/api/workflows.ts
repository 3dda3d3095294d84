import { call, operations, type RequestOf } from '@svc/contracts';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { callConfirmed } from './confirm-password.ts';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** All workflows, and what a task can name here. */
export const adminWorkflowsQuery = queryOptions(operationQuery(operations.listAdminWorkflows, {}));

/** One with its definition, and what its shipped file says. */
export function workflowQuery(id: number) {
  return queryOptions(operationQuery(operations.getWorkflow, { id }));
}

/** What would be said of a workflow as it is written. */
export function workflowCheckQuery(asked: RequestOf<typeof operations.validateWorkflow>) {
  return queryOptions({
    queryKey: queryKey(operations.validateWorkflow, asked),
    queryFn: ({ signal }) => call(operations.validateWorkflow, asked, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** What administrators do to workflows; what is saved can run programs, so that the password may be asked for. */
export const workflowDeeds = {
  create: (fields: RequestOf<typeof operations.createWorkflow>) => callConfirmed(operations.createWorkflow, fields),
  change: (fields: RequestOf<typeof operations.changeWorkflow>) => callConfirmed(operations.changeWorkflow, fields),
  remove: (id: number) => call(operations.deleteWorkflow, { id }),
  duplicate: (id: number) => call(operations.duplicateWorkflow, { id }),
  reset: (id: number) => call(operations.resetWorkflow, { id }),
  import: (fields: RequestOf<typeof operations.importWorkflows>) => callConfirmed(operations.importWorkflows, fields),
};

/** One of the deeds; whatever shows workflows is read anew before `onDone`. */
export function useWorkflowDeed<V, R>(deed: (value: V) => Promise<R>, onDone: (result: R) => void = () => undefined) {
  return useMutation({
    mutationFn: deed,
    onSuccess: async (result) => {
      await invalidate(
        queryKey(operations.listAdminWorkflows),
        queryKey(operations.getWorkflow),
        queryKey(operations.getHome),
      );
      onDone(result);
    },
  });
}

/** Address of the download of one workflow, or of all. */
export function workflowsDownload(id?: number): string {
  return `${operations.exportWorkflows.path}${id === undefined ? '' : `?ids=${id}`}`;
}
