/** Parts of the page of alert rules. */
export const alertRulesTabs = ['rules', 'lists', 'alerts', 'deliveries'] as const;
export type AlertRulesTab = (typeof alertRulesTabs)[number];

/** State of the page of alert rules in its address. */
export interface AlertRulesView {
  /** Other than the rules. */
  readonly view?: Exclude<AlertRulesTab, 'rules'>;
  /** The rule that is open, or a new one. */
  readonly rule?: number | 'new';
  /** What a new one begins with. */
  readonly q?: string;
  readonly scope?: 'job';
}

/** Reads the address; values that make no sense are dropped. */
export function alertRulesView(search: Record<string, unknown>): AlertRulesView {
  const view = alertRulesTabs.find((tab) => tab === search['view']);
  const rule = search['rule'] === 'new' ? 'new' : Number(search['rule']);
  const isNew = rule === 'new' && typeof search['q'] === 'string' && search['q'] !== '';
  return {
    ...(view !== undefined && view !== 'rules' && { view }),
    ...((rule === 'new' || (Number.isSafeInteger(rule) && rule > 0)) && { rule }),
    ...(isNew && { q: String(search['q']) }),
    ...(rule === 'new' && search['scope'] === 'job' && { scope: 'job' }),
  };
}
