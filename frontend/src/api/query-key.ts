import { call, operations, type OperationName, type RequestOf } from '@svc/contracts';

/** An operation of the table. */
export type Listed = (typeof operations)[OperationName];
/** Under what an answer is kept: the operation, then what it was asked with. */
export type OperationKey = readonly [name: OperationName, input?: object];

const named = Object.entries(operations) as [OperationName, Listed][];
const names = new Map(named.map(([name, operation]) => [operation, name]));

/** The key of answers to a request; with a part of its input or none, of all that agree with that. */
export function queryKey<O extends Listed>(operation: O, input: Partial<RequestOf<O>> = {}): OperationKey {
  const name = names.get(operation)!;
  return Object.keys(input).length === 0 ? [name] : [name, input];
}

/** Reads an operation's answer, as it comes, and keeps it under its key. */
export function operationQuery<O extends Listed>(operation: O, input: RequestOf<O>) {
  return {
    queryKey: queryKey(operation, input as Partial<RequestOf<O>>),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(operation, input, { signal }),
  };
}

/** Reads of one job by its `id`: its page, its report, and what people say about it. */
const readsOfJob: ReadonlySet<unknown> = new Set<OperationName>([
  ...named.flatMap(([name, { method, path }]) => (method === 'GET' && path.startsWith('/jobs/{id}') ? name : [])),
  'explainFinding',
  'getFindingEvents',
  'getMatchGathering',
  'groupFindingMatches',
  'listFindingMatches',
  'getFindingRule',
  'getJobStates',
  'listComments',
]);

/** Finds all that was read of a job, or of every job; nothing of reports that were made in this browser. */
export function ofJob(id?: number) {
  return {
    predicate({ queryKey: [name, input] }: { readonly queryKey: readonly unknown[] }): boolean {
      if (!readsOfJob.has(name) || typeof input !== 'object' || input === null || !('id' in input)) return false;
      return id === undefined || input.id === id;
    },
  };
}
