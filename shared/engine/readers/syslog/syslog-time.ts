import { logTime } from '../named/log-time.ts';

const BLANK = 0x20;
const COLON = 0x3a;
const POINT = 0x2e;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const months = lettersOf(...monthNames);
const weekdays = lettersOf('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun');
const yearless = /^([A-Za-z]{3}) +(\d{1,2}) (\d\d:\d\d:\d\d)(\.\d+)?$/;

/** Clocks of some places are that much ahead of UTC, so that their logs seem to come from the future. */
const furthestAhead = 14 * 60 * 60 * 1000;
/** Years that a day may lie back: the 29th of February is rare. */
const furthestBack = 8;

/** End of the time that stands at `at`; -1 when none does. */
export function timeEnd(bytes: Uint8Array, at: number, end: number): number {
  if (isDigit(bytes[at])) return isoEnd(bytes, at, end);
  return isWeekday(bytes, at) ? dayFirstEnd(bytes, at, end) : monthFirstEnd(bytes, at, end);
}

/** Whether a time at this place begins with the day of the week. */
export function isWeekday(bytes: Uint8Array, at: number): boolean {
  return weekdays.has(letters(bytes, at)) && bytes[at + 3] === BLANK;
}

/** End of `2023-03-01T10:00:01` with fraction and zone; -1 when none stands there. */
export function isoEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at + 19 > end || bytes[at + 4] !== 0x2d || bytes[at + 7] !== 0x2d) return -1;
  if (bytes[at + 10] !== 0x54 && bytes[at + 10] !== BLANK) return -1;
  if (!isDigit(bytes[at + 3]) || !isDigit(bytes[at + 9]) || !isClock(bytes, at + 11)) return -1;
  let next = at + 19;
  while (next < end && bytes[next]! > BLANK) next++;
  return next;
}

/** `Mar  1 10:00:01`, with a year behind the day or a fraction of the second or neither. */
function monthFirstEnd(bytes: Uint8Array, start: number, end: number): number {
  if (!months.has(letters(bytes, start)) || bytes[start + 3] !== BLANK) return -1;
  let at = start + 4;
  while (bytes[at] === BLANK) at++;
  const day = at;
  while (isDigit(bytes[at])) at++;
  if (at === day || at - day > 2 || bytes[at] !== BLANK) return -1;
  at++;
  if (!isClock(bytes, at) && isDigit(bytes[at + 3]) && bytes[at + 4] === BLANK) at += 5;
  if (!isClock(bytes, at)) return -1;
  at += 8;
  if (bytes[at] === POINT)
    do at++;
    while (isDigit(bytes[at]));
  return at <= end ? at : -1;
}

/** `Mon Jun  6 18:43:28 2016`. */
function dayFirstEnd(bytes: Uint8Array, start: number, end: number): number {
  const at = monthFirstEnd(bytes, start + 4, end);
  const hasYear = at > 0 && bytes[at] === BLANK && [1, 2, 3, 4].every((i) => isDigit(bytes[at + i]));
  return hasYear && at + 5 <= end ? at + 5 : at;
}

/**
 * A time of the system log as UTC ISO 8601; null when it is none. One without a year gets the last
 * in which it was not in the future of `now`, in milliseconds since 1970 (detection-engine 3).
 */
export function syslogTime(text: string, now: number): string | null {
  const [, month, day, clock, fraction] = yearless.exec(text) ?? [];
  if (month === undefined) return logTime(text);
  const number = monthNames.indexOf(month.toLowerCase()) + 1;
  if (number === 0) return null;
  const latest = new Date(latestOf(now));
  const rest = `-${String(number).padStart(2, '0')}-${day!.padStart(2, '0')}T${clock}`;
  for (let back = 0; back <= furthestBack; back++) {
    const iso = `${latest.getUTCFullYear() - back}${rest}`;
    const ms = Date.parse(`${iso}Z`);
    // A day that the year does not have comes out as another one, or as none.
    const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso);
    if (exists && ms <= latest.getTime()) return `${iso}${fraction ?? ''}Z`;
  }
  return null;
}

/** When a time without a year may be at the latest. */
export function latestOf(now: number): number {
  return now + furthestAhead;
}

/** `10:00:01`. */
function isClock(bytes: Uint8Array, at: number): boolean {
  return (
    isDigit(bytes[at]) &&
    isDigit(bytes[at + 1]) &&
    bytes[at + 2] === COLON &&
    isDigit(bytes[at + 3]) &&
    isDigit(bytes[at + 4]) &&
    bytes[at + 5] === COLON &&
    isDigit(bytes[at + 6]) &&
    isDigit(bytes[at + 7])
  );
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Three letters as a number, whatever their case. */
function letters(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]! | 0x20_20_20;
}

function lettersOf(...words: string[]): ReadonlySet<number> {
  return new Set(words.map((word) => letters(new TextEncoder().encode(word), 0)));
}
