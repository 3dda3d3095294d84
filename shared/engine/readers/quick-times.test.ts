import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { logTime } from './named/log-time.ts';
import { QuickTimes } from './quick-times.ts';
import { latestOf, syslogTime } from './syslog/syslog-time.ts';

const digits = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
const clock = fc
  .tuple(digits(25), digits(61), digits(61), fc.constantFrom('', '.5', '.123', '.1234567', ',12', '.x'))
  .map(([hours, minutes, seconds, fraction]) => `${hours}:${minutes}:${seconds}${fraction}`);
const written = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('2026-03-01', '2026-03-02', '2026-02-30'),
      fc.constantFrom('T', ' '),
      clock,
      fc.constantFrom('', 'Z', '+02:00'),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('04/Mar/2026:', '05/Mar/2026:'), clock, fc.constantFrom(' +0000', ' -0530'))
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '1772612100',
    '1772612100.5',
    '1772612100123',
    '1772612100123456789',
    '17726121001',
    '-',
    '',
    '1772612100.',
    'é',
  ),
);
const yearless = fc
  .tuple(fc.constantFrom('Mar  1 ', 'Mar  2 ', 'Mar 10 ', 'Feb 29 '), clock)
  .map((parts) => parts.join(''));

const ms = (iso: string | null): number => (iso === null ? Number.NaN : Date.parse(iso));

it('makes of every time what parsing makes of it, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(written), (texts) => {
      const times = new QuickTimes(logTime);
      expect(texts.map((text) => times.ofText(text))).toEqual(texts.map((text) => ms(logTime(text))));
    }),
  );
});

it('takes days without a year for what they were when the log was taken', () => {
  const now = Date.UTC(2026, 2, 1, 9, 30);
  fc.assert(
    fc.property(fc.array(yearless), (texts) => {
      const parse = (text: string): string | null => syslogTime(text, now);
      const times = new QuickTimes(parse, latestOf(now));
      const bytes = texts.map((text) => new TextEncoder().encode(`<13>${text} host`));
      expect(bytes.map((line, at) => times.ofBytes(line, 4, 4 + texts[at]!.length))).toEqual(
        texts.map((text) => ms(parse(text))),
      );
    }),
    // The first is too far ahead to be of this year, the second is not.
    { examples: [[['Mar  1 23:30:01', 'Mar  1 00:00:00']]] },
  );
});
