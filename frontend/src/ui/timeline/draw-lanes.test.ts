import { expect, it } from 'vitest';
import { marker, timelineWith } from './testing.ts';
import { axisTicks, inkOn, laneHeight, lanesHeight, markerAt } from './draw-lanes.ts';
import { lanesOf } from './lanes.ts';

const markers = [
  marker('a', 0),
  marker('b', 1000, { grouping: 'impact', events: 1000, category: 'critical' }),
  marker('c', 1120, { grouping: 'impact' }),
  marker('d', 1200, { grouping: 'impact', category: 'low' }),
];
const lanes = lanesOf(timelineWith(markers, ['execution', 'impact']), 'tactic');
const place = { width: 200, window: { from: 0, to: 2000 }, lanes };
const under = (x: number, y: number) => markerAt(markers, place, x, y)?.id;

it('finds the marker under a point: the worst of those that cover it, else the nearest', () => {
  expect(under(3, laneHeight / 2)).toBe('a');
  expect(under(100, laneHeight / 2)).toBeUndefined();
  expect(under(112, laneHeight * 1.5)).toBe('b');
  expect(under(118, laneHeight * 1.5)).toBe('c');
  expect(under(120, laneHeight * 1.5)).toBe('d');
  expect(under(130, laneHeight * 1.5)).toBe('d');
  expect(under(132, laneHeight * 1.5)).toBeUndefined();
  expect(lanesHeight(lanes)).toBe(2 * laneHeight);
});

it('writes in black or white, whichever is read better', () => {
  expect(['#eab308', '#ffffff', '#f97316', '#ef4444'].map(inkOn)).toEqual(['#000', '#000', '#000', '#000']);
  expect([' #2f6fe4', '#000000', '#1d58c7'].map(inkOn)).toEqual(['#fff', '#fff', '#fff']);
});

it('has round moments along the axis, as many as there is room for', () => {
  const hour = 3_600_000;
  const day = { from: 0, to: 24 * hour };
  expect(axisTicks({ width: 800, window: day })[1]).toEqual({ x: 100, label: '03:00' });
  for (const width of [150, 400, 1300]) {
    expect(axisTicks({ width, window: day }).length).toBeLessThanOrEqual(Math.max(2, width / 96) + 1);
  }
  expect(axisTicks({ width: 0, window: day })).toEqual([]);
});
