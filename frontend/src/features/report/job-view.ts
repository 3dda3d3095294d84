import { severities, tactics, type Severity, type Tactic } from '@svc/domain';
import type { TimelineWindow } from '../../api/report-source.ts';
import type { TimeWindow } from './timeline/time-window.ts';

/** What a report shows instead of its findings. */
export const reportViews = [
  'timeline',
  'attack',
  'processes',
  'heuristics',
  'entities',
  'similar',
  'discussion',
  'raw',
] as const;
export type ReportView = (typeof reportViews)[number];

/** Orders of findings that can be chosen. */
export const findingOrders = ['name', 'count', 'time'] as const;
export type FindingOrder = (typeof findingOrders)[number];

/** State of a job's page in its address: what is selected and what the findings are filtered by. */
export interface JobView {
  readonly view?: ReportView;
  /** Window of time, in milliseconds since 1970: what the timeline shows, and what the findings are filtered by. */
  readonly from?: number;
  readonly to?: number;
  readonly finding?: number;
  readonly tab?: 'rule';
  readonly severity?: readonly Severity[];
  readonly tactic?: Tactic;
  /** Technique id, `T1059.001`; a technique includes its sub-techniques. */
  readonly technique?: string;
  /** Computer whose matches are looked at. */
  readonly host?: string;
  readonly q?: string;
  /** What is looked for in the process tree and among the entities. */
  readonly find?: string;
  /** What the findings are grouped by, other than severity. */
  readonly group?: 'tactic';
  /** The order within a group, other than the service's. */
  readonly sort?: FindingOrder;
  /** The comment that a link leads to. */
  readonly comment?: number;
  /** The visitor submitted bytes that this job had analysed before. */
  readonly dup?: true;
}

/** A change of the address: undefined takes something away. */
export type ViewChange = { readonly [K in keyof JobView]?: JobView[K] | undefined };

/** The state after a change. */
export function changed(view: JobView, changes: ViewChange): JobView {
  return Object.fromEntries(Object.entries({ ...view, ...changes }).filter(([, value]) => value !== undefined));
}

/** Reads the address; values that make no sense are dropped. */
export function jobView(search: Record<string, unknown>): JobView {
  const finding = Number(search['finding']);
  const named = textOf(search['severity']).split(',');
  const severity = severities.filter((name) => named.includes(name));
  const tactic = tactics.find((name) => name === search['tactic']);
  const technique = /^T\d{4}(\.\d{3})?$/i.exec(textOf(search['technique']))?.[0].toUpperCase();
  const host = textOf(search['host']);
  const q = textOf(search['q']);
  const find = textOf(search['find']);
  const sort = findingOrders.find((name) => name === search['sort']);
  const view = reportViews.find((name) => name === search['view']);
  const comment = Number(search['comment']);
  const [from, to] = [Number(search['from']), Number(search['to'])];
  return {
    ...(view && { view }),
    ...(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to && { from, to }),
    ...(Number.isSafeInteger(finding) && finding > 0 && { finding }),
    ...(search['tab'] === 'rule' && { tab: 'rule' as const }),
    ...(severity.length > 0 && { severity }),
    ...(tactic && { tactic }),
    ...(technique && { technique }),
    ...(host !== '' && { host }),
    ...(q !== '' && { q }),
    ...(find !== '' && { find }),
    ...(search['group'] === 'tactic' && { group: 'tactic' as const }),
    ...(sort && { sort }),
    ...(Number.isSafeInteger(comment) && comment > 0 && { comment }),
    ...(/^(1|true)$/.test(textOf(search['dup'])) && { dup: true as const }),
  };
}

/** A parameter as the address has it; the page itself sets lists and flags as such. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value) : '';
}

/** The severities that are shown after one of them was clicked; none of them is all. */
export function toggled(chosen: readonly Severity[] = [], severity: Severity): Pick<ViewChange, 'severity'> {
  const next = severities.filter((one) => chosen.includes(one) !== (one === severity));
  return { severity: next.length === 0 ? undefined : next };
}

/** Whether anything narrows the findings. */
export function isFiltered({ severity, tactic, technique, host, q, from }: JobView): boolean {
  return [severity, tactic, technique, host, q, from].some((filter) => filter !== undefined);
}

/** The window of time that a view looks at; null for all times. */
export function timeWindow({ from, to }: ViewChange): TimeWindow | null {
  return from === undefined || to === undefined ? null : { from, to };
}

/** What of the timeline a view looks at. */
export function timelineWindow({ from, to, host, severity = [] }: ViewChange): TimelineWindow {
  return {
    ...(from !== undefined && to !== undefined && { frm: from, to }),
    ...(host !== undefined && { computer: host }),
    severity,
  };
}
