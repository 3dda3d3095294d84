import { logTime } from '../readers/named/log-time.ts';

/** `08-22-2026 10:00:00.123 PM -06:00` */
const american = /^(\d\d)-(\d\d)-(\d{4}) (\d\d?)(:\d\d:\d\d(?:\.\d+)?)(?: ([AP])M)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
/** `Fri, 22 Feb 2026 22:00:00 -0600` */
const mail = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/;

/**
 * A time of a timeline as UTC ISO 8601, in any of the forms that its program can be asked for; null for what is none,
 * and for a day of which nobody can say whether its month comes first.
 */
export function resultTime(text: string): string | null {
  const time = logTime(text);
  if (time !== null) return time;
  if (mail.test(text)) return new Date(text).toISOString().replace('.000Z', 'Z');
  const [, first, second, year, hour, rest, half, zone = 'Z'] = american.exec(text) ?? [];
  if (first === undefined) return null;
  const isMonthFirst = half !== undefined || Number(second) > 12;
  if (!isMonthFirst && Number(first) <= 12) return null;
  const [month, day] = isMonthFirst ? [first, second] : [second, first];
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return logTime(`${year}-${month}-${day}T${String(hours).padStart(2, '0')}${rest}${zone}`);
}
