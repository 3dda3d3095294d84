import { call, operations, type Operation, type OutputOf, type RequestOf } from '@svc/contracts';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { operationQuery } from './query-key.ts';

/** A case as its page opens it. */
export function caseQuery(id: number) {
  return queryOptions(operationQuery(operations.getCase, { id }));
}

/** A page of the list of cases. */
export function casesPageQuery(asked: RequestOf<typeof operations.findCases>) {
  return queryOptions({ ...operationQuery(operations.findCases, asked), placeholderData: keepPreviousData });
}

export function caseEntitiesQuery(asked: RequestOf<typeof operations.listCaseEntities>) {
  return queryOptions({ ...operationQuery(operations.listCaseEntities, asked), placeholderData: keepPreviousData });
}

export function caseJobsQuery(id: number, page: number) {
  return queryOptions({ ...operationQuery(operations.listCaseJobs, { id, page }), placeholderData: keepPreviousData });
}

/** What its jobs have found. */
export function caseSummaryQuery(id: number) {
  return queryOptions(operationQuery(operations.getCaseSummary, { id }));
}

/** What may belong into it. */
export function casePivotsQuery(id: number) {
  return queryOptions(operationQuery(operations.getCasePivots, { id }));
}

export function caseNarrativesQuery(id: number) {
  return queryOptions(operationQuery(operations.listCaseNarratives, { id }));
}

/** What can be put into a case, and who can be named on one, by what was typed. */
export function pickedEntitiesQuery(q: string) {
  return queryOptions({ ...operationQuery(operations.pickCaseEntities, { q }), placeholderData: keepPreviousData });
}
export function pickedJobsQuery(q: string) {
  return queryOptions({ ...operationQuery(operations.pickCaseJobs, { q }), placeholderData: keepPreviousData });
}
export function pickedMembersQuery(q: string) {
  return queryOptions({ ...operationQuery(operations.pickCaseMembers, { q }), placeholderData: keepPreviousData });
}

/** Has everything that shows cases look again. */
export async function refreshCases(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [operation] }) => String(operation).startsWith('GET /intel/cases'),
  });
}

/** A deed on cases, after which all that shows them is as it is now. */
export function useCaseDeed<O extends Operation>(operation: O) {
  return useMutation({
    mutationFn: (input: RequestOf<O>): Promise<OutputOf<O>> => call(operation, input),
    onSuccess: refreshCases,
    // What stood in the way was most likely done by somebody else.
    onError: () => void refreshCases(),
  });
}
