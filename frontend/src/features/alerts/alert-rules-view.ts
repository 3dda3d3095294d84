import { deliveryStates, type DeliveryState } from '@svc/domain';

/** Parts of the page of alert rules. */
export const alertRulesTabs = ['rules', 'lists', 'alerts', 'deliveries'] as const;
export type AlertRulesTab = (typeof alertRulesTabs)[number];

/** State of the page of alert rules in its address. */
export interface AlertRulesView {
  /** Other than the rules. */
  readonly view?: Exclude<AlertRulesTab, 'rules'>;
  /** The rule that is open, a new one, or the one that deliveries are of. */
  readonly rule?: number | 'new';
  /** What a new one begins with. */
  readonly q?: string;
  readonly scope?: 'job';
  /** Of deliveries: how they stand, and the one that those shown are older than. */
  readonly outcome?: DeliveryState;
  readonly before?: string;
}

/** Reads the address; values that make no sense are dropped. */
export function alertRulesView(search: Record<string, unknown>): AlertRulesView {
  const view = alertRulesTabs.find((tab) => tab === search['view']);
  const isDeliveries = view === 'deliveries';
  const rule = search['rule'] === 'new' && !isDeliveries ? 'new' : Number(search['rule']);
  const isNew = rule === 'new' && typeof search['q'] === 'string' && search['q'] !== '';
  const outcome = deliveryStates.find((state) => state === search['outcome']);
  const before = search['before'];
  return {
    ...(view !== undefined && view !== 'rules' && { view }),
    ...((rule === 'new' || (Number.isSafeInteger(rule) && rule > 0)) && { rule }),
    ...(isNew && { q: String(search['q']) }),
    ...(rule === 'new' && search['scope'] === 'job' && { scope: 'job' }),
    ...(isDeliveries && {
      ...(outcome !== undefined && { outcome }),
      ...(typeof before === 'string' && /^[\da-f-]{36}$/.test(before) && { before }),
    }),
  };
}
