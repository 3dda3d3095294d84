import { call, type OperationName, type operations, type RequestOf } from '@svc/contracts';

/** An operation of the table. */
export type Listed = (typeof operations)[OperationName];
/** Under what an answer is kept: the operation, such as `GET /jobs/{id}`, then what it was asked with. */
export type OperationKey = readonly [operation: string, input?: object];

/** The key of answers to a request; with a part of its input or none, of all that agree with that. */
export function queryKey<O extends Listed>({ method, path }: O, input: Partial<RequestOf<O>> = {}): OperationKey {
  const operation = `${method} ${path}`;
  return Object.keys(input).length === 0 ? [operation] : [operation, input];
}

/** Reads an operation's answer, as it comes, and keeps it under its key. */
export function operationQuery<O extends Listed>(operation: O, input: RequestOf<O>) {
  return {
    queryKey: queryKey(operation, input as Partial<RequestOf<O>>),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(operation, input, { signal }),
  };
}

/** Reads of one job by its `id`: its page, its report, and what people say about it. */
const readsOfJob = /^GET \/(jobs\/(findings\/)?\{id\}|comments\/|api\/v1\/jobs$)/;

/** Finds all that was read of a job, or of every job; nothing of reports that were made in this browser. */
export function ofJob(id?: number) {
  return {
    predicate({ queryKey: [operation, input] }: { readonly queryKey: readonly unknown[] }): boolean {
      if (!readsOfJob.test(String(operation)) || typeof input !== 'object' || input === null || !('id' in input))
        return false;
      return id === undefined || input.id === id;
    },
  };
}
