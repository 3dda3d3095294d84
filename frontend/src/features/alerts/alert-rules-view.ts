import { deliveryStates, type DeliveryState } from '@svc/domain';

/** Parts of the page of alert rules. */
export const alertRulesTabs = ['rules', 'lists', 'alerts', 'deliveries'] as const;
export type AlertRulesTab = (typeof alertRulesTabs)[number];

/** State of the page of alert rules in its address. */
export interface AlertRulesView {
  /** Other than the rules. */
  readonly view?: Exclude<AlertRulesTab, 'rules'>;
  /** Of deliveries: of which rule, how they stand, and the one that those shown are older than. */
  readonly rule?: number;
  readonly outcome?: DeliveryState;
  readonly before?: string;
}

/** Reads the address; values that make no sense are dropped. */
export function alertRulesView(search: Record<string, unknown>): AlertRulesView {
  const view = alertRulesTabs.find((tab) => tab === search['view']);
  const rule = Number(search['rule']);
  const outcome = deliveryStates.find((state) => state === search['outcome']);
  const before = search['before'];
  return {
    ...(view !== undefined && view !== 'rules' && { view }),
    ...(view === 'deliveries' && {
      ...(Number.isSafeInteger(rule) && rule > 0 && { rule }),
      ...(outcome !== undefined && { outcome }),
      ...(typeof before === 'string' && /^[\da-f-]{36}$/.test(before) && { before }),
    }),
  };
}
