const SECONDS_1601_TO_1970 = 11_644_473_600;
const TICKS_PER_SECOND = 10_000_000;
const TICKS_PER_MS = 10_000;
const SECONDS_PER_DAY = 86_400;

let lastDay = NaN;
let lastDayText = '';

/** Text of a FILETIME (100 ns since 1601, as two unsigned halves): UTC, 7 digits, e.g. `2024-01-31T08:00:00.1234567Z`. */
export function fileTimeText(low: number, high: number): string {
  // Long division by 16-bit digits, as 64 bits do not fit a number.
  let seconds = 0;
  let ticks = 0;
  for (const digit of [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff]) {
    const part = ticks * 65_536 + digit;
    seconds = seconds * 65_536 + Math.floor(part / TICKS_PER_SECOND);
    ticks = part % TICKS_PER_SECOND;
  }
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const ofDay = seconds % SECONDS_PER_DAY;
  const clock = `${two(Math.floor(ofDay / 3600))}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}`;
  return `${dayText(day)}T${clock}.${String(ticks).padStart(7, '0')}Z`;
}

/** The whole milliseconds since 1970 of the FILETIME at `offset`. */
export function fileTimeMs(view: DataView, offset: number): number {
  const high = view.getUint32(offset + 4, true);
  const rest = high % TICKS_PER_MS;
  // 64 bits do not fit a number, so the upper half is divided first.
  const ms = ((high - rest) / TICKS_PER_MS) * 2 ** 32;
  return ms + Math.floor((rest * 2 ** 32 + view.getUint32(offset, true)) / TICKS_PER_MS) - SECONDS_1601_TO_1970 * 1000;
}

/** Text of a SYSTEMTIME's parts, with milliseconds; all zero means the year 1601. */
export function systemTimeText(parts: readonly number[]): string {
  if (parts.every((part) => part === 0)) return '1601-01-01T00:00:00.000Z';
  const [year = 0, month = 0, , day = 0, hour = 0, minute = 0, second = 0, ms = 0] = parts;
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}.${String(ms).padStart(3, '0')}Z`;
}

/** An ISO 8601 UTC time with exactly seven fractional digits; undefined when the text is none. */
export function sevenDigits(text: string): string | undefined {
  const match = /^(\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text);
  return match ? `${match[1]}.${(match[2] ?? '').slice(0, 7).padEnd(7, '0')}Z` : undefined;
}

/** `day` counts from 1601-01-01; most records of a log share it, so the last one is kept. */
function dayText(day: number): string {
  if (day !== lastDay) {
    const date = new Date((day * SECONDS_PER_DAY - SECONDS_1601_TO_1970) * 1000);
    lastDay = day;
    lastDayText = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  }
  return lastDayText;
}

function two(n: number): string {
  return n < 10 ? `0${n}` : `${n}`;
}
