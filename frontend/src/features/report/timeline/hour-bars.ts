import type { Analytics, FindingRow } from '@svc/contracts';
import { moment } from '../../../ui/format.ts';
import type { TimeWindow } from './time-window.ts';

type Hour = NonNullable<Analytics['timeline']>[number];

/** Neighbouring hours that are drawn as one bar. */
export interface HourBar extends TimeWindow {
  /** `10:00`, or `10:00 to 12:00` when it stands for more than one hour. */
  readonly label: string;
  readonly count: number;
  /** Matches by tactic, in the order of the legend. */
  readonly segments: readonly { readonly tactic: string; readonly count: number }[];
  /** Hours without a match between the bar before and this one. */
  readonly gapHours: number;
}

const hourMs = 3_600_000;

/** The first moment of an hour such as `2026-08-01T09`, UTC. */
export function startOf(hour: string): number {
  return Date.parse(`${hour}:00:00Z`);
}

/** Whether matches lie in more than one hour: bars have something to tell then. */
export function spanHours(findings: readonly Pick<FindingRow, 'first_seen' | 'last_seen'>[]): boolean {
  const hours = findings
    .flatMap(({ first_seen: first, last_seen: last }) => [first, last])
    .flatMap((time) => (time === null ? [] : (moment(time)?.at ?? [])))
    .map((at) => Math.floor(at / hourMs));
  return hours.some((hour) => hour !== hours[0]);
}

/** Bars for the hours that have matches, no more than so many; they touch where their hours do. */
export function hourBars(hours: readonly Hour[], most: number): HourBar[] {
  const size = Math.max(1, Math.ceil(hours.length / Math.max(1, most)));
  const bars: HourBar[] = [];
  for (let at = 0; at < hours.length; at += size) {
    const group = hours.slice(at, at + size);
    const [first, last] = [group[0]!, group.at(-1)!];
    const from = startOf(first.hour);
    bars.push({
      from,
      to: startOf(last.hour) + hourMs - 1,
      label: first === last ? first.bucket : `${first.bucket} to ${last.bucket}`,
      count: group.reduce((sum, { count }) => sum + count, 0),
      segments: joined(group),
      gapHours: at === 0 ? 0 : Math.round((from - bars.at(-1)!.to - 1) / hourMs),
    });
  }
  return bars;
}

function joined(group: readonly Hour[]): HourBar['segments'] {
  const sums = new Map<string, number>();
  for (const { segments } of group) {
    for (const { tactic, count } of segments) sums.set(tactic, (sums.get(tactic) ?? 0) + count);
  }
  return [...sums].map(([tactic, count]) => ({ tactic, count }));
}

/** The window of the bars between two places, both included, whichever comes first. */
export function windowOf(bars: readonly HourBar[], one: number, other: number): TimeWindow {
  return { from: bars[Math.min(one, other)]!.from, to: bars[Math.max(one, other)]!.to };
}

/** Whether a bar lies in a window in part at least; all do when there is none. */
export function isWithin(bar: HourBar, window: TimeWindow | null): boolean {
  return window === null || (bar.from <= window.to && bar.to >= window.from);
}

/** A longer gap is drawn as a break of so many bars, and named. */
const longestGap = 4;

/** Where bars stand on the axis, in bars from its start, and which gaps are cut short. */
export function placed(bars: readonly HourBar[]): {
  readonly starts: readonly number[];
  readonly breaks: readonly { readonly at: number; readonly hours: number }[];
  readonly length: number;
} {
  const starts: number[] = [];
  const breaks: { at: number; hours: number }[] = [];
  let length = 0;
  for (const { gapHours: hours } of bars) {
    if (hours > longestGap) breaks.push({ at: length + longestGap / 2, hours });
    length += Math.min(hours, longestGap);
    starts.push(length);
    length += 1;
  }
  return { starts, breaks, length };
}

/** The hour of a bar on the axis, with its day where that is new: `2026-08-01 09:00`, `10:00`. */
export function axisLabel({ from }: HourBar, before: HourBar | undefined): string {
  const [day, time] = new Date(from).toISOString().slice(0, 16).split('T') as [string, string];
  return before && new Date(before.from).toISOString().startsWith(day) ? time : `${day} ${time}`;
}
