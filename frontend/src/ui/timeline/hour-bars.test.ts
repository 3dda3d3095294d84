import { expect, it } from 'vitest';
import { isWithin, placed, windowOf } from '../time-bars/time-bars.ts';
import { axisLabel, hourBars, spanHours, startOf } from './hour-bars.ts';

const hour = (at: string, bucket: string, counts: Record<string, number>) => ({
  bucket,
  hour: at,
  count: Object.values(counts).reduce((sum, count) => sum + count, 0),
  pct: 0,
  segments: Object.entries(counts).map(([tactic, count]) => ({ tactic, count, pct: 0, color: '' })),
});
const hours = [
  hour('2026-08-01T09', '09:00', { execution: 2, impact: 1 }),
  hour('2026-08-01T10', '10:00', { impact: 4 }),
  hour('2026-08-01T13', '13:00', { execution: 1 }),
];
const at = (clock: string): number => Date.parse(`2026-08-01T${clock}Z`);

it('gives each hour a bar, and says where hours are missing', () => {
  const bars = hourBars(hours, 10);
  expect(bars.map(({ label, count, gap }) => [label, count, gap])).toEqual([
    ['09:00', 3, 0],
    ['10:00', 4, 0],
    ['13:00', 1, 2],
  ]);
  expect([bars[0]?.from, bars[0]?.to]).toEqual([at('09:00:00'), at('09:59:59.999')]);
  expect(hourBars([], 10)).toEqual([]);
});

it('joins neighbours where there are more than can be drawn, and loses none', () => {
  const [first, second] = hourBars(hours, 2);
  expect(first).toMatchObject({ label: '09:00 to 10:00', count: 7 });
  expect(first?.segments).toEqual([
    { key: 'execution', count: 2 },
    { key: 'impact', count: 5 },
  ]);
  expect(second).toMatchObject({ label: '13:00', count: 1, gap: 2 });
});

it('leaves room for the hours without a match, and cuts a long gap short', () => {
  expect(placed(hourBars(hours, 10))).toEqual({ starts: [0, 1, 4], breaks: [], length: 5 });
  const later = [...hours, hour('2026-08-03T13', '13:00', { impact: 1 })];
  expect(placed(hourBars(later, 10))).toEqual({ starts: [0, 1, 4, 9], breaks: [{ at: 7, hours: 47 }], length: 10 });
});

it('names the day where it is new', () => {
  const [first, second] = hourBars(hours, 10);
  expect(axisLabel(first!, undefined)).toBe('2026-08-01 09:00');
  expect(axisLabel(second!, first)).toBe('10:00');
  const [next] = hourBars([hour('2026-08-02T09', '09:00', { impact: 1 })], 10);
  expect(axisLabel(next!, first)).toBe('2026-08-02 09:00');
});

it('takes a brush in either direction for a window', () => {
  const bars = hourBars(hours, 10);
  const window = { from: startOf('2026-08-01T10'), to: at('13:59:59.999') };
  expect(windowOf(bars, 1, 2)).toEqual(window);
  expect(windowOf(bars, 2, 1)).toEqual(window);
  expect(bars.map((bar) => isWithin(bar, window))).toEqual([false, true, true]);
  expect(bars.every((bar) => isWithin(bar, null))).toBe(true);
});

it('has something to tell where matches lie in more than one hour', () => {
  const seen = (first: string | null, last: string | null) => ({ first_seen: first, last_seen: last });
  const within = seen('2026-08-01T09:00:00Z', '2026-08-01T09:59:59.9Z');
  expect(spanHours([within, seen('2026-08-01T09:30:00Z', null), seen(null, null)])).toBe(false);
  expect(spanHours([within, seen('2026-08-01T10:00:00Z', '2026-08-01T10:00:00Z')])).toBe(true);
  expect(spanHours([seen('2026-08-01T09:59:00Z', '2026-08-02T09:59:00Z')])).toBe(true);
  expect(spanHours([])).toBe(false);
});
