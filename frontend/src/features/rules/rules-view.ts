import type { InputOf, operations } from '@svc/contracts';
import { severities, tactics, type Severity, type Tactic } from '@svc/domain';

/** State of the page of a pack's rules in its address. */
export interface RulesView {
  readonly q?: string;
  readonly level?: Severity;
  readonly status?: string;
  readonly tactic?: Tactic;
  /** Its sub-techniques are included. */
  readonly technique?: string;
  /** A product, category or service, or `correlation`. */
  readonly source?: string;
  /** Only rules that fired, or only those that never did. */
  readonly fired?: 'yes' | 'no';
  /** Only rules that something was decided about. */
  readonly decided?: true;
  /** Those that matched most of late first, the noisy ones alone, or those that took most first; else by title. */
  readonly order?: RulesOrder;
  readonly page?: number;
  /** Id of the rule that is shown. */
  readonly rule?: string;
}

export type RulesOrder = Exclude<NonNullable<InputOf<typeof operations.listRules>['order']>, 'title'>;
export const rulesOrders: readonly (readonly [RulesOrder, string])[] = [
  ['events', 'Most matches of late'],
  ['noisy', 'Noisy ones'],
  ['slow', 'Slow ones first'],
];

/** A change of the address: undefined takes something away. */
export type RulesChange = { readonly [K in keyof RulesView]?: RulesView[K] | undefined };

/** Reads the address; values that make no sense are dropped. */
export function rulesView(search: Record<string, unknown>): RulesView {
  const text = (name: string): string => (typeof search[name] === 'string' ? search[name] : '');
  const level = severities.find((name) => name === search['level']);
  const tactic = tactics.find((name) => name === search['tactic']);
  const fired = (['yes', 'no'] as const).find((answer) => answer === search['fired']);
  const order = rulesOrders.find(([name]) => name === search['order'])?.[0];
  const page = Number(search['page']);
  return {
    ...(text('q') !== '' && { q: text('q') }),
    ...(level && { level }),
    ...(text('status') !== '' && { status: text('status') }),
    ...(tactic && { tactic }),
    ...(/^T\d{4}(\.\d{3})?$/i.test(text('technique')) && { technique: text('technique').toUpperCase() }),
    ...(text('source') !== '' && { source: text('source') }),
    ...(fired && { fired }),
    ...(/^(1|true)$/.test(String(search['decided'])) && { decided: true as const }),
    ...(order && { order }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(text('rule') !== '' && { rule: text('rule') }),
  };
}

/** The state after a change; another filter begins at the first page. */
export function changedRules(view: RulesView, changes: RulesChange): RulesView {
  const filters = Object.keys(changes).some((name) => name !== 'rule' && name !== 'page');
  const next = { ...view, ...(filters && { page: undefined }), ...changes };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
}

/** The state as the list of rules is asked for it. */
export function rulesQueryOf({ rule: _shown, source, fired, decided, ...filters }: RulesView) {
  return {
    ...filters,
    ...(source && { log_source: source }),
    ...(fired && { fired: fired === 'yes' ? 'true' : 'false' }),
    decided: decided ? 'true' : 'false',
  };
}
