import { utcTime } from '../utc-time.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `17/May/2015:10:05:03 +0000`, the time of access logs. */
const access = /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d\d:\d\d:\d\d)(?:\.\d+)?\s*([+-]\d{4})?$/;
/** `Sun Dec 04 04:47:44.123456 2005`, the time of Apache's error log. */
const asctime = /^[A-Za-z]{3} ([A-Za-z]{3}) +(\d{1,2}) (\d\d:\d\d:\d\d)(\.\d+)? (\d{4})$/;
/** `May 17 2015 10:05:03`, a time of CEF; `May 17, 2015 10:05:03` likewise. */
const monthFirst = /^([A-Za-z]{3}) +(\d{1,2}),? (\d{4}) (\d\d:\d\d:\d\d)(\.\d+)?(?: (?:UTC|GMT))?$/;
const slashed = /^(\d{4})\/(\d\d)\/(\d\d)[ T](\d\d:\d\d:\d\d)(.*)$/;
/** `8/2/2021, 1:29:25.983 PM`, as exports of Azure's portals write times, in UTC. */
const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? (\d{1,2})(:\d\d:\d\d)(\.\d+)?\s([AP])M$/i;
/** `Aug 2, 2021 1:11:39 PM`, as those of Defender's do. */
const monthAmerican = /^([A-Za-z]{3}) +(\d{1,2}), (\d{4}),? (\d{1,2})(:\d\d:\d\d)(\.\d+)?\s([AP])M$/i;
/** Carbon Black writes the name of the zone behind it. */
const zeroOffset = /\s?\+00:?00(?: UTC)?$/;
const nanoseconds = /^(\d{10})\d{9}$/;

/** A time as UTC ISO 8601 in any of the spellings that logs have; null when it is none. Without a zone it is UTC. */
export function logTime(text: string): string | null {
  const trimmed = text.trim();
  const plain = utcTime(trimmed.replace(zeroOffset, 'Z'));
  if (plain !== null) return plain;
  const [, aDay, aMonth, aYear, aClock, aZone] = access.exec(trimmed) ?? [];
  if (aDay !== undefined) return onDay(aYear!, aMonth!, aDay, `${aClock}${aZone ?? 'Z'}`);
  const [, bMonth, bDay, bClock, bFraction, bYear] = asctime.exec(trimmed) ?? [];
  if (bDay !== undefined) return onDay(bYear!, bMonth!, bDay, `${bClock}${bFraction ?? ''}`);
  const [, cMonth, cDay, cYear, cClock, cFraction] = monthFirst.exec(trimmed) ?? [];
  if (cDay !== undefined) return onDay(cYear!, cMonth!, cDay, `${cClock}${cFraction ?? ''}`);
  const [, dYear, dMonth, dDay, dClock, dRest] = slashed.exec(trimmed) ?? [];
  if (dDay !== undefined) return utcTime(`${dYear}-${dMonth}-${dDay}T${dClock}${dRest}`);
  const [, eMonth, eDay, eYear, ...eClock] = american.exec(trimmed) ?? [];
  if (eDay !== undefined) return utcTime(`${eYear}-${two(Number(eMonth))}-${two(Number(eDay))}T${halfDay(eClock)}`);
  const [, fMonth, fDay, fYear, ...fClock] = monthAmerican.exec(trimmed) ?? [];
  if (fDay !== undefined) return onDay(fYear!, fMonth!, fDay, halfDay(fClock));
  const seconds = nanoseconds.exec(trimmed)?.[1];
  return seconds === undefined ? null : utcTime(seconds);
}

function onDay(year: string, month: string, day: string, clock: string): string | null {
  const number = months.indexOf(month.toLowerCase()) + 1;
  return number === 0 ? null : utcTime(`${year}-${two(number)}-${day.padStart(2, '0')}T${clock}`);
}

/** A time of twelve hours as one of twenty-four. */
function halfDay([hour, rest, fraction = '', half]: readonly (string | undefined)[]): string {
  return `${two((Number(hour) % 12) + (/p/i.test(half!) ? 12 : 0))}${rest}${fraction}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
