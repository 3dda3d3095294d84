import { UsageError } from './argument-values.ts';

const date = /^\d{4}-\d\d-\d\d$/;
const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i;
const ago = /^-?(\d{1,6})([smhdw])$/;

const second = 1000;
const day = 86_400 * second;
const units: Readonly<Record<string, number>> = { s: second, m: 60 * second, h: 3600 * second, d: day, w: 7 * day };

/**
 * A point in time in milliseconds since 1970: ISO 8601, UTC where no zone is said, or how long ago, as
 * `24h`. A date alone is its first moment, or with `edge` `end` the first one after it. Throws a `UsageError`.
 */
export function moment(option: string, text: string, edge: 'begin' | 'end', now: number): number {
  const [, count, unit] = ago.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * units[unit]!;
  const [, on, at, zone = 'Z'] = dateTime.exec(text) ?? [];
  const iso = on === undefined ? text : `${on}T${at}${zone.toUpperCase().replace(/^(...):?(..)$/, '$1:$2')}`;
  const time = on !== undefined || date.test(text) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time) || !isInCalendar(text)) {
    const forms = '2026-03-01, 2026-03-01T10:30Z, 2026-03-01T10:30:00+01:00, or how long ago: 24h, 7d';
    throw new UsageError(`${option} is a time such as ${forms}; not "${text}"`);
  }
  return edge === 'end' && date.test(text) ? time + day : time;
}

/** The 30th of February would else be taken for a day of March. */
function isInCalendar(text: string): boolean {
  const on = text.slice(0, 10);
  return new Date(`${on}T00:00Z`).toISOString().startsWith(on);
}
