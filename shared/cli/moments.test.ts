import { expect, it } from 'vitest';
import { moment } from './moments.ts';

const now = Date.UTC(2026, 2, 10, 12);

it.each([
  ['2026-03-01', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['2026-03-01T10:30', '2026-03-01T10:30:00Z'],
  ['2026-03-01 10:30:15', '2026-03-01T10:30:15Z'],
  ['2026-03-01T10:30:15.25Z', '2026-03-01T10:30:15.25Z'],
  ['2026-03-01t10:30z', '2026-03-01T10:30:00Z'],
  ['2026-03-01T10:30:00+01:00', '2026-03-01T09:30:00Z'],
  ['2026-03-01T10:30 -0530', '2026-03-01T16:00:00Z'],
  ['90s', '2026-03-10T11:58:30Z'],
  ['30m', '2026-03-10T11:30:00Z'],
  ['-24h', '2026-03-09T12:00:00Z'],
  ['7d', '2026-03-03T12:00:00Z'],
  ['1w', '2026-03-03T12:00:00Z'],
])('%s is %s', (text, begin, end = begin) => {
  expect(moment('--since', text, 'begin', now)).toBe(Date.parse(begin));
  expect(moment('--until', text, 'end', now)).toBe(Date.parse(end));
});

it.each(['', 'yesterday', '2026', '2026-3-1', '2026-02-30', '2026-13-01', '2026-03-01T25:00', '24', '1y', '10:30'])(
  'refuses %j',
  (text) => {
    expect(() => moment('--since', text, 'begin', now)).toThrow(/--since is a time such as/);
  },
);
