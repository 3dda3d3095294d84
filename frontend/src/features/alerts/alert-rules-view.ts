import { deliveryStates, type DeliveryState } from '@svc/domain';

/** Parts of the page of alert rules. */
export const alertRulesTabs = ['rules', 'lists', 'alerts', 'deliveries'] as const;
export type AlertRulesTab = (typeof alertRulesTabs)[number];

/** State of the page of alert rules in its address. */
export interface AlertRulesView {
  /** Other than the rules. */
  readonly view?: Exclude<AlertRulesTab, 'rules'>;
  /** The rule that is open, a new one, or the one that alerts and deliveries are of. */
  readonly rule?: number | 'new';
  /** What a new one begins with. */
  readonly q?: string;
  readonly scope?: 'job';
  /** Of deliveries: how they stand, and the one that those shown are older than. */
  readonly outcome?: DeliveryState;
  readonly before?: string;
  /** Of alerts: on which entity. @default any */
  readonly entity?: number;
  /** Whether acknowledged alerts are shown, too. */
  readonly all?: true;
  /** Whether those of all people are shown, for administrators. */
  readonly everybody?: true;
}

/** Reads the address; values that make no sense are dropped. */
export function alertRulesView(search: Readonly<Record<string, unknown>>): AlertRulesView {
  const view = alertRulesTabs.find((tab) => tab === search['view']);
  const isOfRules = view === undefined || view === 'rules';
  const isNew = isOfRules && search['rule'] === 'new';
  const outcome = deliveryStates.find((state) => state === search['outcome']);
  const before = search['before'];
  return {
    ...(view !== undefined && view !== 'rules' && { view }),
    ...(isNew ? { rule: 'new' } : idOf('rule', search)),
    ...(isNew && typeof search['q'] === 'string' && search['q'] !== '' && { q: search['q'] }),
    ...(isNew && search['scope'] === 'job' && { scope: 'job' }),
    ...(view === 'deliveries' && {
      ...(outcome !== undefined && { outcome }),
      ...(typeof before === 'string' && /^[\da-f-]{36}$/.test(before) && { before }),
    }),
    ...(view === 'alerts' && {
      ...idOf('entity', search),
      ...(String(search['all']) === 'true' && { all: true }),
      ...(String(search['everybody']) === 'true' && { everybody: true }),
    }),
  };
}

function idOf<K extends string>(name: K, search: Readonly<Record<string, unknown>>): { readonly [P in K]?: number } {
  const id = Number(search[name]);
  // The cast is safe: it has this member and no other.
  return (Number.isSafeInteger(id) && id > 0 ? { [name]: id } : {}) as { readonly [P in K]?: number };
}
