import type { LogCensus } from '@svc/engine';
import { expect, it } from 'vitest';
import { logContents } from './log-contents.ts';
import { sentenceText } from './sentence-parts.ts';

const kind = (event: string, count: number): LogCensus['kinds'][number] => ({
  source: 'windows',
  channel: 'Security',
  provider: 'Microsoft-Windows-Security-Auditing',
  event,
  count,
});

function told(over: Partial<LogCensus>, showsNames = true): string[] {
  const census: LogCensus = {
    records: 1200,
    kinds: [kind('4624', 1200)],
    kindsTotal: 1,
    hosts: { frequent: [{ value: 'ws1', count: 1200 }], total: 1, isPart: false },
    accounts: { frequent: [], total: 0, isPart: false },
    undated: 0,
    first: '2026-03-01T10:00:00.500Z',
    last: '2026-03-01T12:00:00.000Z',
    gaps: null,
    rules: { total: 3000, reading: 200 },
    ...over,
  };
  return logContents(census, { showsNames }).map((one) => sentenceText(one).replaceAll('\u202F', ' '));
}

it('tells what is in a log, and how many rules are for it', () => {
  expect(told({})).toEqual([
    '1 200 records, all of Security 4624 (Microsoft-Windows-Security-Auditing).',
    'From 2026-03-01 10:00:00 to 2026-03-01 12:00:00 UTC.',
    'Records name 1 host: ws1 (1 200 records).',
    'No record names an account.',
    'Of 3 000 rules that ran, 200 are for records of these kinds.',
  ]);
});

it('counts what is not named, and says what is only a part', () => {
  const names = ['a', 'b', 'c', 'd'].map((value, at) => ({ value, count: 9 - at }));
  expect(
    told({
      kinds: ['1', '2', '3', '4', '5', '6'].map((event, at) => kind(event, 300 - at)),
      kindsTotal: 8,
      hosts: { frequent: names, total: 20_000, isPart: true },
      accounts: null,
      undated: 2,
      gaps: {
        usualMs: 5000,
        leastMs: 60_000,
        longest: [{ from: '2026-03-01T10:10:00.000Z', to: '2026-03-01T11:40:00.000Z' }],
        total: 2,
      },
      rules: { total: 417, reading: 0 },
    }),
  ).toEqual([
    '1 200 records of 8 kinds: ' +
      ['1', '2', '3', '4', '5']
        .map((n, at) => `Security ${n} (Microsoft-Windows-Security-Auditing) (${300 - at} records)`)
        .join(', ') +
      ' and 3 more kinds.',
    'From 2026-03-01 10:00:00 to 2026-03-01 12:00:00 UTC; 2 records have no time.',
    'Records name at least 20 000 hosts: a (9 records), b (8 records), c (7 records) and at least 19 997 others.',
    '2 stretches of 1 min 00 s or more are without a record: 2026-03-01 10:10:00 to 2026-03-01 11:40:00 UTC (1 h 30 min) and 1 shorter one; 19 of 20 records follow the one before within 5.0 s.',
    'None of the 417 rules that ran is for records of these kinds, so nothing was looked for.',
  ]);
});

it('tells neither hosts nor accounts where the site does not, and of an empty log only that', () => {
  expect(told({ first: null, last: null, undated: 1200 }, false)).toEqual([
    '1 200 records, all of Security 4624 (Microsoft-Windows-Security-Auditing).',
    'No record has a time.',
    'Of 3 000 rules that ran, 200 are for records of these kinds.',
  ]);
  expect(told({ records: 0, kinds: [], kindsTotal: 0, rules: { total: 3, reading: 0 } })).toEqual([
    'No record was read.',
    'None of the 3 rules that ran is for records that were read, so nothing was looked for.',
  ]);
});
