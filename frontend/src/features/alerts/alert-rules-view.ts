/** Parts of the page of alert rules. */
export const alertRulesTabs = ['rules', 'lists', 'alerts', 'deliveries'] as const;
export type AlertRulesTab = (typeof alertRulesTabs)[number];

/** State of the page of alert rules in its address. */
export interface AlertRulesView {
  /** Other than the rules. */
  readonly view?: Exclude<AlertRulesTab, 'rules'>;
  /** Of which alerts are shown. @default any */
  readonly rule?: number;
  /** On which entity. @default any */
  readonly entity?: number;
  /** Whether acknowledged alerts are shown, too. */
  readonly all?: true;
  /** Whether those of all people are shown, for administrators. */
  readonly everybody?: true;
}

/** Reads the address; values that make no sense are dropped. */
export function alertRulesView(search: Readonly<Record<string, unknown>>): AlertRulesView {
  const view = alertRulesTabs.find((tab) => tab === search['view']);
  return {
    ...(view !== undefined && view !== 'rules' && { view }),
    ...(view === 'alerts' && {
      ...idOf('rule', search),
      ...idOf('entity', search),
      ...(search['all'] === true && { all: true }),
      ...(search['everybody'] === true && { everybody: true }),
    }),
  };
}

function idOf<K extends string>(name: K, search: Readonly<Record<string, unknown>>): { readonly [P in K]?: number } {
  const id = Number(search[name]);
  // The cast is safe: it has this member and no other.
  return (Number.isSafeInteger(id) && id > 0 ? { [name]: id } : {}) as { readonly [P in K]?: number };
}
