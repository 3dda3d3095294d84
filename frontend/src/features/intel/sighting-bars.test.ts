import { expect, it } from 'vitest';
import { sightingBars } from './sighting-bars.ts';

const day = 86_400_000;
const bucket = (at: number, days: number, jobs: number) => ({
  from: at * day,
  to: (at + days) * day - 1,
  jobs,
  severity: 'high' as const,
  severities: [
    { severity: 'high' as const, jobs: 1 },
    { severity: null, jobs: jobs - 1 },
  ],
});

it('leaves room for the days or weeks in which nothing saw it', () => {
  const days = sightingBars({ step: 'day', buckets: [bucket(0, 1, 2), bucket(1, 1, 3), bucket(4, 1, 2)] });
  expect(days.map(({ label, count, gap }) => [label, count, gap])).toEqual([
    ['1970-01-01', 2, 0],
    ['1970-01-02', 3, 0],
    ['1970-01-05', 2, 2],
  ]);
  expect(days[1]?.segments).toEqual([
    { key: 'high', count: 1 },
    { key: 'none', count: 2 },
  ]);
  const weeks = sightingBars({ step: 'week', buckets: [bucket(4, 7, 2), bucket(25, 7, 2)] });
  expect(weeks.map(({ label, gap }) => [label, gap])).toEqual([
    ['week of 1970-01-05', 0],
    ['week of 1970-01-26', 2],
  ]);
});
