import type { EventsTimeline } from '@svc/contracts';
import {
  onCaseClock,
  onJobClock,
  otherTactic,
  severityColors,
  tacticColors,
  tacticNow,
  tactics,
  type JobClock,
  type Severity,
} from '@svc/domain';
import { alertResolutions } from '@svc/engine';
import type { AlertColumns } from '../derivation-repository.ts';

const mostItems = 2000;
const colors = { severity: { ...severityColors, unknown: tacticColors[otherTactic] }, tactic: { ...tacticColors } };

/** What is looked at: milliseconds since 1970, a step in seconds, a computer, a job and severities; each left out for all. */
export interface TimelineQuery {
  readonly frm?: number | undefined;
  readonly to?: number | undefined;
  readonly resolution?: number | undefined;
  readonly computer?: string | undefined;
  readonly job?: number | undefined;
  readonly severity?: readonly Severity[] | undefined;
}

/** The alerts of a job, null where it has no index, and how far its clock was off. */
export interface JobAlerts extends JobClock {
  readonly jobId: number;
  readonly index: AlertColumns | null;
}

type IndexedJob = JobAlerts & { readonly index: AlertColumns };

/**
 * Alerts of some jobs in a window of time, no more of them than a page can draw (resolved-platform 8.4). Lanes and
 * extent are of all of them, so that neither moves when a window, a job or a computer is looked at.
 */
export function eventsTimeline(jobs: readonly JobAlerts[], query: TimelineQuery): EventsTimeline {
  const asked = query.job === undefined ? jobs : jobs.filter(({ jobId }) => jobId === query.job);
  const all = jobs.filter(isIndexed);
  const read = asked.filter(isIndexed);
  const coarsest = Math.max(1, ...read.map(({ index }) => index.res));
  const steps = alertResolutions.filter((step) => step >= Math.max(query.resolution ?? 1, coarsest));
  if (steps.length === 0) steps.push(alertResolutions.at(-1)!);
  const parts = read.map((job) => partOf(job, query));
  const { resolution, markers } = finest(parts, steps);
  const total = markers.events.subarray(0, markers.size).reduce((sum, events) => sum + events, 0);
  const shown = busiest(markers, mostItems);
  return {
    items: shown.sort(inOrder(markers)).map((at) => toItem(parts[markers.part[at]!]!.job, markers, at)),
    discarded: total - shown.length,
    total,
    undated: read.reduce((sum, { index }) => sum + index.undated, 0),
    resolution,
    base_resolution: coarsest,
    truncated: shown.length < markers.size,
    extent: extentOf(all),
    groupings: groupingsOf(all),
    index_missing: read.length === 0,
    jobs_without_index: asked.length - read.length,
    colors,
  };
}

function isIndexed(job: JobAlerts): job is IndexedJob {
  return job.index !== null;
}

/** What of an index is looked at: rows from one place to another, and of which keys; null for all. */
interface Part {
  readonly job: IndexedJob;
  readonly from: number;
  readonly to: number;
  readonly keys: readonly boolean[] | null;
}

function partOf(job: IndexedJob, { frm, to, computer, severity = [] }: TimelineQuery): Part {
  const { ts, res, keys, computers } = job.index;
  const isWanted = ([, , level, , at]: (typeof keys)[number]): boolean =>
    (severity.length === 0 || severity.includes(level as Severity)) &&
    (computer === undefined || computers[at] === computer);
  return {
    job,
    // A marker stands for all alerts until the next could begin.
    from: frm === undefined ? 0 : firstAfter(ts, onJobClock(frm, job) / 1000 - res),
    to: to === undefined ? ts.length : firstAfter(ts, onJobClock(to, job) / 1000),
    keys: severity.length === 0 && computer === undefined ? null : keys.map(isWanted),
  };
}

/** The place of the first that is later, of ascending times. */
function firstAfter(times: ArrayLike<number>, moment: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Columns of a table, filled so far as `size` says: a million objects would take several times as long. */
interface Markers {
  readonly part: Int32Array;
  readonly key: Int32Array;
  /** In seconds. */
  readonly start: Float64Array;
  readonly events: Float64Array;
  size: number;
}

function emptyMarkers(most: number): Markers {
  const columns = { part: new Int32Array(most), key: new Int32Array(most) };
  return { ...columns, start: new Float64Array(most), events: new Float64Array(most), size: 0 };
}

/** Markers by the finest of the steps that makes few enough of them, or by the last. */
function finest(
  parts: readonly Part[],
  [step, ...coarser]: readonly number[],
): { readonly resolution: number; readonly markers: Markers } {
  const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const markers = collapse(parts, step!, coarser.length === 0 ? rows : Math.min(rows, mostItems));
  return markers === null ? finest(parts, coarser) : { resolution: step!, markers };
}

/** Markers by job, key and step; null as soon as there are more than so many. */
function collapse(parts: readonly Part[], step: number, most: number): Markers | null {
  const markers = emptyMarkers(most);
  const { start: starts, events } = markers;
  let size = 0;
  for (const [part, { job, from, to, keys }] of parts.entries()) {
    const { ts, k, n } = job.index;
    // As times ascend, the marker of a key that an alert may belong to is its last one.
    const last = new Int32Array(job.index.keys.length).fill(-1);
    for (let at = from; at < to; at++) {
      const key = k[at]!;
      if (keys !== null && !keys[key]) continue;
      const start = Math.floor((ts[at]! - job.clockOffset) / step) * step;
      const known = last[key]!;
      if (known !== -1 && starts[known] === start) {
        events[known]! += n[at]!;
        continue;
      }
      if (size === most) return null;
      last[key] = size;
      markers.part[size] = part;
      markers.key[size] = key;
      starts[size] = start;
      events[size] = n[at]!;
      size++;
    }
  }
  markers.size = size;
  return markers;
}

/** The places of the greatest, at most so many; of equal ones the first. */
function busiest({ events, size }: Markers, most: number): number[] {
  if (size <= most) return Array.from({ length: size }, (_, at) => at);
  // There are far fewer numbers of events than markers.
  const counts = new Map<number, number>();
  for (let at = 0; at < size; at++) counts.set(events[at]!, (counts.get(events[at]!) ?? 0) + 1);
  let room = most;
  let least = Number.POSITIVE_INFINITY;
  for (const one of [...counts.keys()].sort((a, b) => b - a)) {
    least = one;
    if (counts.get(one)! >= room) break;
    room -= counts.get(one)!;
  }
  const places: number[] = [];
  for (let at = 0; at < size; at++) {
    if (events[at]! > least || (events[at] === least && room-- > 0)) places.push(at);
  }
  return places;
}

function inOrder({ start, part, key }: Markers): (a: number, b: number) => number {
  return (a, b) => start[a]! - start[b]! || part[a]! - part[b]! || key[a]! - key[b]!;
}

function toItem({ index, jobId }: IndexedJob, markers: Markers, at: number): EventsTimeline['items'][number] {
  const [key, start, events] = [markers.key[at]!, markers.start[at]!, markers.events[at]!];
  const [ruleId, ruleName, severity, tactic, computer, tool, findingId] = index.keys[key]!;
  return {
    id: `${jobId}:${key}:${start}`,
    start: start * 1000,
    label: ruleName,
    grouping: tacticNow(tactic),
    category: severity,
    meta: {
      rule_id: ruleId,
      computer: index.computers[computer] ?? null,
      tool: index.tools[tool]!,
      job_id: jobId,
      finding_id: findingId,
      events,
      discarded: events - 1,
    },
  };
}

function groupingsOf(jobs: readonly IndexedJob[]): string[] {
  const groups = new Set(jobs.flatMap(({ index }) => index.keys.map((key) => tacticNow(key[3]))));
  return [...tactics, otherTactic].filter((tactic) => groups.has(tactic));
}

function extentOf(jobs: readonly IndexedJob[]): [number, number] | null {
  const dated = jobs.filter(({ index }) => index.ts.length > 0);
  if (dated.length === 0) return null;
  return [
    Math.min(...dated.map((job) => onCaseClock(job.index.ts[0]! * 1000, job))),
    Math.max(
      ...dated.map((job) => onCaseClock((job.index.ts[job.index.ts.length - 1]! + job.index.res - 1) * 1000, job)),
    ),
  ];
}
