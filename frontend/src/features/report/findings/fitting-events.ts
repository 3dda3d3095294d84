import { naming } from '@svc/application/report/shown/findings-naming.ts';
import type { MatchedEvent } from '@svc/contracts';
import { readValue, type JobView } from '../job-view.ts';
import { windowName } from '../../../ui/timeline/time-window.ts';

/** What of a view says which events of a finding are looked for. */
export type EventsSought = Pick<JobView, 'at' | 'host' | 'only' | 'from' | 'to'>;

/** Places of events: those that are looked for, the one that a marker stands for first; and all others. */
export interface FittingEvents {
  readonly fitting: readonly number[];
  readonly others: readonly number[];
}

/** Divides the events of a finding by host, window of time and moment of a view; what has no time fits no time. */
export function fittingEvents(events: readonly MatchedEvent[], sought: EventsSought): FittingEvents {
  const places = [...events.keys()];
  const named = valuesSought(sought).map(naming);
  const fitting = places.filter(
    (place) => fits(events[place]!, sought) && named.every((isNamed) => isNamed(events[place]!)),
  );
  const others = places.filter((place) => !fitting.includes(place));
  const { at } = sought;
  if (at !== undefined) fitting.sort((a, b) => timeOf(events[a]!) - timeOf(events[b]!));
  return { fitting, others };
}

/** Values that events name; rules and techniques are of all events of a finding. */
function valuesSought({ only = [] }: EventsSought): string[] {
  const values = only.flatMap((written) => readValue(written) ?? []);
  return values.filter(({ kind }) => kind !== 'rule' && kind !== 'technique').map(({ value }) => value);
}

function fits(event: MatchedEvent, { at, host, from, to }: EventsSought): boolean {
  const time = timeOf(event);
  return (
    (host === undefined || event.computer === host) &&
    (from === undefined || to === undefined || (time >= from && time <= to)) &&
    // Markers stand at whole steps, before the events that they stand for.
    (at === undefined || time >= at)
  );
}

function timeOf({ timestamp }: MatchedEvent): number {
  return timestamp === null ? Number.NaN : Date.parse(timestamp);
}

/** What is looked for in words: `of WS01, within 2026-08-01 10:00 – 11:59`; null when it is everything. */
export function soughtInWords(sought: EventsSought): string | null {
  const { at, host, from, to } = sought;
  const values = valuesSought(sought);
  const parts = [
    host !== undefined && `of ${host}`,
    values.length > 0 && `naming ${values.join(' and ')}`,
    from !== undefined && to !== undefined && `within ${windowName({ from, to })} UTC`,
    at !== undefined && `from ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC on`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}
