import { reviewStates, severities, tactics, type ReviewState, type Severity, type Tactic } from '@svc/domain';

/** Tabs of a case, in their order. */
export const caseTabs = [
  'overview',
  'timeline',
  'findings',
  'hosts',
  'entities',
  'jobs',
  'processes',
  'graph',
  'discussion',
  'ai',
] as const;
export type CaseTab = (typeof caseTabs)[number];

/** State of a case's page in its address. */
export interface CaseView {
  readonly view?: Exclude<CaseTab, 'overview'>;
  /** What is shown is narrowed to this job. */
  readonly job?: number;
  /** The comment that a link leads to. */
  readonly comment?: number;
  /** The AI run that is read, other than the newest. */
  readonly run?: number;
  /** Window of the timeline, in milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** What its lanes are, other than tactics. */
  readonly lanes?: 'host' | 'job';
  readonly severity?: readonly Severity[];
  /** What findings are narrowed to: a part of a rule's name, a host, whose processes are shown as well, a tactic, and what was decided about them. */
  readonly rule?: string;
  readonly host?: string;
  readonly tactic?: Tactic;
  readonly state?: ReviewState;
  /** Those that are suppressed, instead of the others. */
  readonly suppressed?: true;
}

/** Reads the address; values that make no sense are dropped. */
export function caseView(search: Record<string, unknown>): CaseView {
  const view = caseTabs.find((tab) => tab === search['view']);
  const [from, to] = [Number(search['from'] ?? Number.NaN), Number(search['to'] ?? Number.NaN)];
  const lanes = search['lanes'];
  const named = textOf(search['severity']).split(',');
  const severity = severities.filter((one) => named.includes(one));
  const tactic = tactics.find((one) => one === search['tactic']);
  const state = reviewStates.find((one) => one === search['state']);
  const number = (name: 'job' | 'comment' | 'run') => {
    const value = Number(search[name] ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 1 && { [name]: value };
  };
  const text = (name: 'rule' | 'host', most: number) => {
    const value = textOf(search[name]).slice(0, most);
    return value !== '' && { [name]: value };
  };
  return {
    ...(view !== undefined && view !== 'overview' && { view }),
    ...number('job'),
    ...number('comment'),
    ...number('run'),
    ...(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to && { from, to }),
    ...((lanes === 'host' || lanes === 'job') && { lanes }),
    ...(severity.length > 0 && { severity }),
    ...text('rule', 200),
    ...text('host', 500),
    ...(tactic && { tactic }),
    ...(state && { state }),
    ...(String(search['suppressed']) === 'true' && { suppressed: true }),
  };
}

/** A parameter as the address has it: digits alone come as a number, what the page sets itself as a list. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
