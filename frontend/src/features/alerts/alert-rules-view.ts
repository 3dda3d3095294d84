/** Parts of the page of alert rules. */
export const alertRulesTabs = ['rules', 'lists', 'alerts', 'deliveries'] as const;
export type AlertRulesTab = (typeof alertRulesTabs)[number];

/** State of the page of alert rules in its address. */
export interface AlertRulesView {
  /** Other than the rules. */
  readonly view?: Exclude<AlertRulesTab, 'rules'>;
}

/** Reads the address; values that make no sense are dropped. */
export function alertRulesView(search: Record<string, unknown>): AlertRulesView {
  const view = alertRulesTabs.find((tab) => tab === search['view']);
  return { ...(view !== undefined && view !== 'rules' && { view }) };
}
