import { call, operations, type RequestOf } from '@svc/contracts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** The lists of values that searches and rules ask for; for members. */
export const ruleListsQuery = queryOptions(operationQuery(operations.listRuleLists, {}));

/** One with all of its values. */
export function ruleListQuery(id: number) {
  return queryOptions(operationQuery(operations.getRuleList, { id }));
}

/** What administrators do to lists. */
export const listDeeds = {
  create: (fields: RequestOf<typeof operations.createRuleList>) => call(operations.createRuleList, fields),
  edit: (fields: RequestOf<typeof operations.editRuleList>) => call(operations.editRuleList, fields),
  refresh: (id: number) => call(operations.refreshRuleList, { id }),
  remove: (id: number) => call(operations.deleteRuleList, { id }),
};

/** One of the deeds; lists are read anew. */
export function useListDeed<V, R>(deed: (value: V) => Promise<R>, onDone: (result: R) => void) {
  return useMutation({
    mutationFn: deed,
    onSuccess: async (result) => {
      await invalidate(queryKey(operations.listRuleLists), queryKey(operations.getRuleList));
      onDone(result);
    },
  });
}

export function importRules(asked: RequestOf<typeof operations.importAlertRules>) {
  return call(operations.importAlertRules, asked);
}

/** Reads or takes a document; what shows rules and lists is read anew. */
export function useDocumentDeed<V, R>(deed: (value: V) => Promise<R>) {
  return useMutation({
    mutationFn: deed,
    onSuccess: () =>
      invalidate(
        queryKey(operations.listRuleLists),
        queryKey(operations.getRuleList),
        queryKey(operations.listAlertRules),
      ),
  });
}
