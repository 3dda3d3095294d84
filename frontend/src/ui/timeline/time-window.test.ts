import { expect, it } from 'vitest';
import { panned, ticks, zoomed } from './time-window.ts';

const hour = 3_600_000;
const bounds = { from: 0, to: 24 * hour };

it('moves within its bounds', () => {
  expect(panned({ from: 0, to: 2 * hour }, 0.5, bounds)).toEqual({ from: hour, to: 3 * hour });
  expect(panned({ from: hour, to: 2 * hour }, -5, bounds)).toEqual({ from: 0, to: hour });
  expect(panned({ from: 22 * hour, to: 23 * hour }, 5, bounds)).toEqual({ from: 23 * hour, to: 24 * hour });
});

it('zooms around a moment, no further than a second and its bounds', () => {
  expect(zoomed(bounds, 0.5, 12 * hour, bounds)).toEqual({ from: 6 * hour, to: 18 * hour });
  expect(zoomed({ from: 6 * hour, to: 18 * hour }, 4, 12 * hour, bounds)).toEqual(bounds);
  const { from, to } = zoomed({ from: 0, to: 1500 }, 0.01, 700, bounds);
  expect(to - from).toBe(1000);
});

it('labels round moments', () => {
  expect(ticks({ from: 0, to: 4 * hour }, 5).map(({ label }) => label)).toEqual([
    '1970-01-01',
    '01:00',
    '02:00',
    '03:00',
    '04:00',
  ]);
  expect(ticks({ from: 1000, to: 4000 }, 4).map(({ label }) => label)).toEqual([
    '00:00:01',
    '00:00:02',
    '00:00:03',
    '00:00:04',
  ]);
  expect(ticks({ from: 0, to: 90 * 86_400_000 }, 6).length).toBeLessThanOrEqual(6);
});
