import type { EventsTimeline } from '@svc/contracts';
import { otherTactic, severityColors, tacticColors, tacticNow, tactics, type Severity } from '@svc/domain';
import { alertResolutions } from '@svc/engine';
import type { AlertIndex } from '../derivation-repository.ts';

const mostItems = 2000;
const colors = { severity: { ...severityColors, unknown: tacticColors[otherTactic] }, tactic: { ...tacticColors } };

/** What is looked at: milliseconds since 1970, a step in seconds, a computer and severities; each left out for all. */
export interface TimelineQuery {
  readonly frm?: number | undefined;
  readonly to?: number | undefined;
  readonly resolution?: number | undefined;
  readonly computer?: string | undefined;
  readonly severity?: readonly Severity[] | undefined;
}

/** Alerts in a window of time, no more of them than a page can draw (resolved-platform 8.4); null without an index. */
export function eventsTimeline(
  index: AlertIndex | null,
  jobId: number,
  { frm, to, resolution, computer, severity }: TimelineQuery,
): EventsTimeline {
  if (index === null) return missing;
  const window = {
    from: frm === undefined ? Number.NEGATIVE_INFINITY : frm / 1000,
    to: to === undefined ? Number.POSITIVE_INFINITY : to / 1000,
    computer: computer ?? null,
    severities: severity === undefined || severity.length === 0 ? null : new Set(severity),
  };
  return timelineOf(index, jobId, window, resolution ?? 1);
}

const missing: EventsTimeline = {
  items: [],
  discarded: 0,
  total: 0,
  undated: 0,
  resolution: 1,
  base_resolution: 1,
  truncated: false,
  extent: null,
  groupings: [],
  index_missing: true,
  jobs_without_index: 1,
  colors,
};

interface Window {
  readonly from: number;
  readonly to: number;
  readonly computer: string | null;
  readonly severities: ReadonlySet<Severity> | null;
}

interface Marker {
  /** Start in seconds. */
  readonly start: number;
  readonly key: number;
  events: number;
}

function timelineOf(index: AlertIndex, jobId: number, window: Window, asked: number): EventsTimeline {
  const steps = alertResolutions.filter((step) => step >= Math.max(asked, index.res));
  if (steps.length === 0) steps.push(alertResolutions.at(-1)!);
  const { resolution, markers } = finest(index, window, steps);
  const total = markers.reduce((sum, { events }) => sum + events, 0);
  const shown = [...markers]
    .sort((a, b) => b.events - a.events)
    .slice(0, mostItems)
    .sort((a, b) => a.start - b.start || a.key - b.key);
  const groups = new Set(index.keys.map((key) => tacticNow(key[3])));
  return {
    items: shown.map((marker) => toItem(index, jobId, marker)),
    discarded: total - shown.length,
    total,
    undated: index.undated,
    resolution,
    base_resolution: index.res,
    truncated: shown.length < markers.length,
    extent: extentOf(index),
    groupings: [...tactics, otherTactic].filter((tactic) => groups.has(tactic)),
    index_missing: false,
    jobs_without_index: 0,
    colors,
  };
}

/** Markers by the finest of the steps that makes few enough of them, or by the last. */
function finest(
  index: AlertIndex,
  window: Window,
  [step, ...coarser]: readonly number[],
): { readonly resolution: number; readonly markers: Marker[] } {
  const most = coarser.length === 0 ? Number.POSITIVE_INFINITY : mostItems;
  const markers = collapse(index, window, step!, most);
  return markers === null ? finest(index, window, coarser) : { resolution: step!, markers };
}

/** Markers of the window, by key and step; null as soon as there are more than so many. */
function collapse(
  { res, ts, k, n, keys, computers }: AlertIndex,
  { from, to, computer, severities }: Window,
  step: number,
  most: number,
): Marker[] | null {
  const markers = new Map<number, Marker>();
  for (const [at, time] of ts.entries()) {
    // A marker stands for all alerts until the next could begin.
    if (time + res <= from || time > to) continue;
    const key = k[at]!;
    if (severities !== null && !severities.has(keys[key]![2] as Severity)) continue;
    if (computer !== null && computers[keys[key]![4]] !== computer) continue;
    const start = Math.floor(time / step) * step;
    const id = start * keys.length + key;
    const marker = markers.get(id);
    if (marker !== undefined) marker.events += n[at]!;
    else if (markers.size === most) return null;
    else markers.set(id, { start, key, events: n[at]! });
  }
  return [...markers.values()];
}

function toItem(
  { keys, computers, tools }: AlertIndex,
  jobId: number,
  { start, key, events }: Marker,
): EventsTimeline['items'][number] {
  const [ruleId, ruleName, severity, tactic, computer, tool, findingId] = keys[key]!;
  return {
    id: `${jobId}:${key}:${start}`,
    start: start * 1000,
    label: ruleName,
    grouping: tacticNow(tactic),
    category: severity,
    meta: {
      rule_id: ruleId,
      computer: computers[computer] ?? null,
      tool: tools[tool]!,
      job_id: jobId,
      finding_id: findingId,
      events,
      discarded: events - 1,
    },
  };
}

function extentOf({ ts, res }: AlertIndex): [number, number] | null {
  return ts.length === 0 ? null : [ts[0]! * 1000, (ts.at(-1)! + res - 1) * 1000];
}
