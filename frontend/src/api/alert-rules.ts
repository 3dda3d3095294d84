import { call, operations, type AlertRule, type RequestOf } from '@svc/contracts';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** Alert rules that one may read; for members. */
export const alertRulesQuery = queryOptions({
  ...operationQuery(operations.listAlertRules, {}),
  staleTime: 10_000,
});

/** What a rule looks for, and through what. */
export interface RuleConditionAsked {
  readonly scope: AlertRule['scope'];
  readonly query: string;
  readonly entity_types: readonly string[];
  readonly rule_id: number | null;
}

/** What a condition finds now, and what is wrong with it. */
export function rulePreviewQuery({ scope, query, entity_types: types, rule_id: id }: RuleConditionAsked) {
  const asked = { scope, query, entity_types: types.join(','), ...(id !== null && { rule_id: id }) };
  return queryOptions({
    ...operationQuery(operations.previewAlertRule, asked),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  });
}

export function dryRunRule(condition: RuleConditionAsked) {
  return call(operations.dryRunAlertRule, { ...condition, entity_types: [...condition.entity_types] });
}

export function ruleVersionsQuery(id: number) {
  return queryOptions(operationQuery(operations.listAlertRuleVersions, { id }));
}

export const backtestsQuery = queryOptions(operationQuery(operations.listBacktests, {}));

/** Asked again until it has ended. */
export function backtestQuery(id: number, page: number) {
  return queryOptions({
    ...operationQuery(operations.getBacktest, { id, page }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (['pending', 'running'].includes(state.data?.status ?? 'pending') ? 1000 : false),
  });
}

/** What members do to rules. */
export const ruleDeeds = {
  create: (fields: RequestOf<typeof operations.createAlertRule>) => call(operations.createAlertRule, fields),
  change: (fields: RequestOf<typeof operations.changeAlertRule>) => call(operations.changeAlertRule, fields),
  toggle: (id: number) => call(operations.toggleAlertRule, { id }),
  remove: (id: number) => call(operations.deleteAlertRule, { id }),
  restore: (of: { readonly id: number; readonly version: number }) => call(operations.restoreAlertRule, of),
  promoteSet: (asked: RequestOf<typeof operations.promoteSet>) => call(operations.promoteSet, asked),
  star: (id: number) => call(operations.toggleStar, { id }),
  beginBacktest: (asked: RuleConditionAsked & { readonly since: string; readonly until: string }) =>
    call(operations.beginBacktest, { ...asked, entity_types: [...asked.entity_types] }),
  cancelBacktest: (id: number) => call(operations.cancelBacktest, { id }),
};

/** One of the deeds; what it changes is read anew, of which `after` can make use. */
export function useRuleDeed<V, R>(
  deed: (value: V) => Promise<R>,
  { done, after }: { done?: (result: R) => void; after?: (result: R) => void } = {},
) {
  return useMutation({
    mutationFn: deed,
    onSuccess: async (result) => {
      done?.(result);
      await invalidate(
        queryKey(operations.listAlertRules),
        queryKey(operations.listRuleLists),
        queryKey(operations.listAlertRuleVersions),
        queryKey(operations.listBacktests),
        queryKey(operations.getBacktest),
        queryKey(operations.getEntity),
        queryKey(operations.listEntities),
        queryKey(operations.getIntel),
      );
      after?.(result);
    },
  });
}
