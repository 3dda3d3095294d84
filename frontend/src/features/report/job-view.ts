import { severities, tacticNow, tactics, type Severity, type Tactic } from '@svc/domain';
import type { TimelineWindow } from '../../api/report-source.ts';
import { doorKinds, type DoorValue } from '../../ui/door-value.ts';
import type { TimeWindow } from '../../ui/timeline/time-window.ts';

/** What a report shows instead of its findings. */
export const reportViews = [
  'engines',
  'timeline',
  'attack',
  'processes',
  'heuristics',
  'entities',
  'similar',
  'discussion',
  'ai',
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
  /** Moment of the event that is looked for among those of the finding, in milliseconds since 1970. */
  readonly at?: number;
  readonly tab?: 'rule' | 'why';
  readonly severity?: readonly Severity[];
  readonly tactic?: Tactic;
  /** Technique id of any version of ATT&CK, `T1059.001`; a technique includes its sub-techniques. */
  readonly technique?: string;
  /** Computer whose matches are looked at. */
  readonly host?: string;
  /** Values that findings must name, and those that they must not name alone; as `writtenValue` has them. */
  readonly only?: readonly string[];
  readonly not?: readonly string[];
  readonly q?: string;
  /** Leaves out the findings that nothing is left to do about. */
  readonly hide?: 'reviewed';
  /** What is looked for in the process tree and among the entities. */
  readonly find?: string;
  /** What the findings are grouped by, other than severity. */
  readonly group?: 'tactic';
  /** Leaves out the rules that engines agree on. */
  readonly differ?: true;
  /** What the lanes of the timeline are, other than tactics. */
  readonly lanes?: 'host';
  /** The order within a group, other than the service's. */
  readonly sort?: FindingOrder;
  /** The comment that a link leads to. */
  readonly comment?: number;
  /** The AI run that is read, other than the newest. */
  readonly run?: number;
  /** The visitor submitted bytes that this job had analysed before. */
  readonly dup?: true;
}

/** A value as addresses have it, without commas, which part several. */
export function writtenValue({ kind, value }: DoorValue): string {
  return `${kind}:${value.replaceAll('%', '%25').replaceAll(',', '%2C')}`;
}

/** The value that an address has; null for what is none. */
export function readValue(written: string): DoorValue | null {
  const kind = doorKinds.find((one) => written.startsWith(`${one}:`));
  if (kind === undefined) return null;
  const value = written
    .slice(kind.length + 1)
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')
    .trim();
  return value === '' || value.length > longestValue ? null : { kind, value };
}

const longestValue = 500;

/** A change of the address: undefined takes something away. */
export type ViewChange = { readonly [K in keyof JobView]?: JobView[K] | undefined };

/** Takes every filter away. */
export const noFilters = {
  host: undefined,
  only: undefined,
  not: undefined,
  q: undefined,
  severity: undefined,
  tactic: undefined,
  technique: undefined,
  from: undefined,
  to: undefined,
  hide: undefined,
} satisfies ViewChange;

/** The state after a change; another finding is looked at from its first event. */
export function changed(view: JobView, changes: ViewChange): JobView {
  const next = { ...view, ...('finding' in changes && { at: undefined }), ...changes };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
}

/** Reads the address; values that make no sense are dropped. */
export function jobView(search: Record<string, unknown>): JobView {
  const finding = Number(search['finding']);
  const named = textOf(search['severity']).split(',');
  const severity = severities.filter((name) => named.includes(name));
  const tactic = tactics.find((name) => name === tacticNow(textOf(search['tactic'])));
  const technique = /^T\d{4}(\.\d{3})?$/i.exec(textOf(search['technique']))?.[0].toUpperCase();
  const host = textOf(search['host']);
  const q = textOf(search['q']);
  const [only, not] = [valuesOf(search['only']), valuesOf(search['not'])];
  const find = textOf(search['find']);
  const sort = findingOrders.find((name) => name === search['sort']);
  const view = reportViews.find((name) => name === search['view']);
  const comment = Number(search['comment']);
  const run = Number(search['run']);
  const at = Number(textOf(search['at']) || Number.NaN);
  const [from, to] = [Number(search['from']), Number(search['to'])];
  return {
    ...(view && { view }),
    ...(/^(1|true)$/.test(textOf(search['differ'])) && { differ: true as const }),
    ...(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to && { from, to }),
    ...(Number.isSafeInteger(finding) && finding > 0 && { finding }),
    ...(Number.isSafeInteger(at) && { at }),
    ...((search['tab'] === 'rule' || search['tab'] === 'why') && { tab: search['tab'] }),
    ...(severity.length > 0 && { severity }),
    ...(tactic && { tactic }),
    ...(technique && { technique }),
    ...(host !== '' && { host }),
    ...(only.length > 0 && { only }),
    ...(not.length > 0 && { not }),
    ...(q !== '' && { q }),
    ...(search['hide'] === 'reviewed' && { hide: 'reviewed' as const }),
    ...(find !== '' && { find }),
    ...(search['group'] === 'tactic' && { group: 'tactic' as const }),
    ...(search['lanes'] === 'host' && { lanes: 'host' as const }),
    ...(sort && { sort }),
    ...(Number.isSafeInteger(comment) && comment > 0 && { comment }),
    ...(Number.isSafeInteger(run) && run > 0 && { run }),
    ...(/^(1|true)$/.test(textOf(search['dup'])) && { dup: true as const }),
  };
}

/** A parameter as the address has it; the page itself sets lists and flags as such. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value) : '';
}

function valuesOf(given: unknown): string[] {
  return textOf(given)
    .split(',')
    .filter((written) => readValue(written) !== null);
}

/** Whether anything narrows the findings. */
export function isFiltered({ severity, tactic, technique, host, only, not, q, from, hide }: JobView): boolean {
  return [severity, tactic, technique, host, only, not, q, from, hide].some((filter) => filter !== undefined);
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

/** Whether a value is asked for, or kept out. */
export function hasValue(view: ViewChange, how: 'only' | 'not', value: DoorValue): boolean {
  return view[how]?.some((one) => isSame(one, value)) ?? false;
}

/** The values that are asked for, or kept out, after one of them was chosen; what is asked for is not kept out. */
export function toggledValue(
  view: ViewChange,
  how: 'only' | 'not',
  value: DoorValue,
): Pick<ViewChange, 'only' | 'not'> {
  const without = (values: readonly string[] = []) => values.filter((one) => !isSame(one, value));
  const lists = { only: without(view.only), not: without(view.not) };
  if (!hasValue(view, how, value)) lists[how].push(writtenValue(value));
  return {
    only: lists.only.length > 0 ? lists.only : undefined,
    not: lists.not.length > 0 ? lists.not : undefined,
  };
}

function isSame(written: string, value: DoorValue): boolean {
  return written.toLowerCase() === writtenValue(value).toLowerCase();
}
