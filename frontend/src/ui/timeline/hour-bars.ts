import type { Analytics, FindingRow } from '@svc/contracts';
import { moment } from '../format.ts';
import type { TimeBar } from '../time-bars/time-bars.ts';

type Hour = NonNullable<Analytics['timeline']>[number];

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

/** Bars for the hours that have matches by tactic, no more than so many: neighbouring hours are drawn as one. */
export function hourBars(hours: readonly Hour[], most: number): TimeBar[] {
  const size = Math.max(1, Math.ceil(hours.length / Math.max(1, most)));
  const bars: TimeBar[] = [];
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
      gap: at === 0 ? 0 : Math.round((from - bars.at(-1)!.to - 1) / hourMs),
    });
  }
  return bars;
}

function joined(group: readonly Hour[]): TimeBar['segments'] {
  const sums = new Map<string, number>();
  for (const { segments } of group) {
    for (const { tactic, count } of segments) sums.set(tactic, (sums.get(tactic) ?? 0) + count);
  }
  return [...sums].map(([key, count]) => ({ key, count }));
}

/** The hour of a bar on the axis, with its day where that is new: `2026-08-01 09:00`, `10:00`. */
export function axisLabel({ from }: TimeBar, before: TimeBar | undefined): string {
  const [day, time] = new Date(from).toISOString().slice(0, 16).split('T') as [string, string];
  return before && new Date(before.from).toISOString().startsWith(day) ? time : `${day} ${time}`;
}
