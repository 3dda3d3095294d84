import type { AlertMarkers, FindingRow } from '@svc/contracts';
import { expect, it } from 'vitest';
import { findingRow } from '../testing/finding-row.ts';
import { windowName } from '../../../ui/timeline/time-window.ts';
import { findingsWithin, matchesByHost, matchesByHour } from './count-matches.ts';

const day = (time: string): number => Date.parse(`2026-08-01T${time}Z`);
const finding = (id: number, count: number, first: string | null = null, last = first) =>
  findingRow(id, {
    count,
    first_seen: first && `2026-08-01T${first}Z`,
    last_seen: last && `2026-08-01T${last}Z`,
  });
const findings = [
  finding(1, 5, '08:00:00', '18:00:00'),
  finding(2, 1, '10:59:59.9'),
  finding(3, 2, '11:00:00', '12:00:00'),
  finding(4, 1),
];
/** Time, finding, host, count. */
const rows: readonly (readonly [string, number, string | null, number])[] = [
  ['08:00:00', 1, 'ws1', 2],
  ['10:59:59', 2, null, 1],
  ['11:00:00', 3, 'ws1', 1],
  ['12:00:00', 3, 'ws2', 1],
  ['18:00:00', 1, 'ws2', 3],
];
const computers = ['ws1', 'ws2'];
const markers: AlertMarkers = {
  starts: rows.map(([time]) => day(time) / 1000),
  kind: [...rows.keys()],
  counts: rows.map(([, , , count]) => count),
  kinds: rows.map(([, id, host]) => [id, host === null ? -1 : computers.indexOf(host), id === 3 ? 1 : 0]),
  computers,
  tactics: ['execution', 'impact'],
  resolution: 1,
};
const window = { from: day('10:00:00'), to: day('10:59:59.999') };
const counts = (some: readonly FindingRow[]) => some.map(({ id, count }) => [id, count]);

it('keeps the findings with matches in a window and on a host, and counts those', () => {
  expect(counts(findingsWithin(findings, { window: { from: day('11:30:00'), to: day('18:00:00') } }, markers))).toEqual(
    [
      [1, 3],
      [3, 1],
    ],
  );
  // What the fourth matched has no time, so where it was is not known.
  expect(counts(findingsWithin(findings, { host: 'ws1' }, markers))).toEqual([
    [1, 2],
    [3, 1],
    [4, 1],
  ]);
  expect(counts(findingsWithin(findings, { window, host: 'ws1' }, markers))).toEqual([]);
  expect(counts(findingsWithin(findings, { window }, markers))).toEqual([[2, 1]]);
});

it('counts a coarse marker in each window that it reaches into', () => {
  const coarse = { ...markers, resolution: 3600 };
  const within = { from: day('11:10:00'), to: day('11:20:00') };
  expect(counts(findingsWithin(findings, { window: within }, coarse))).toEqual([
    [2, 1],
    [3, 1],
  ]);
});

it('goes by the first and the last match where no markers tell', () => {
  for (const none of [undefined, { ...markers, starts: [], kind: [], counts: [] }]) {
    expect(counts(findingsWithin(findings, { window }, none))).toEqual([
      [1, 5],
      [2, 1],
    ]);
    expect(findingsWithin(findings, { host: 'ws1' }, none)).toEqual(findings);
  }
});

it('counts matches by host and by hour', () => {
  const isCounted = (id: number): boolean => id !== 2;
  expect(matchesByHost(markers, isCounted, {})).toEqual([
    { value: 'ws2', count: 4 },
    { value: 'ws1', count: 3 },
  ]);
  expect(matchesByHost(markers, isCounted, { window })).toEqual([]);
  expect(matchesByHour(markers, isCounted, { host: 'ws2' })).toEqual([
    { hour: '2026-08-01T12', tactics: { impact: 1 } },
    { hour: '2026-08-01T18', tactics: { execution: 3 } },
  ]);
  expect(matchesByHour({ ...markers, resolution: 86_400 }, isCounted, {})).toBeNull();
});

it('names a window as shortly as it can', () => {
  expect(windowName(window)).toBe('2026-08-01 10:00 – 10:59');
  expect(windowName({ from: window.from, to: window.from + 1000 })).toBe('2026-08-01 10:00:00 – 10:00:01');
  expect(windowName({ from: window.from, to: window.to + 86_400_000 })).toBe('2026-08-01 10:00 – 2026-08-02 10:59');
});
