import type { LogEvent } from '../events/log-event.ts';

/** A span of event time, in milliseconds since 1970: from `from` on and before `to`. */
export interface Period {
  readonly from?: number;
  readonly to?: number;
}

/** What a period makes of an event; one without a readable time lies in none. */
export function placeIn(
  { from = -Infinity, to = Infinity }: Period,
  event: LogEvent,
): 'inside' | 'outside' | 'untimed' {
  const { timestamp } = event.head();
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(time)) return 'untimed';
  return time >= from && time < to ? 'inside' : 'outside';
}
