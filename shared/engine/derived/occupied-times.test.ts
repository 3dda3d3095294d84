import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Gap, OccupiedTimes } from './occupied-times.ts';

const minute = 60_000;

/** Stretches between one time and the next, longest first. */
function distances(times: readonly number[]): Gap[] {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted
    .slice(1)
    .map((to, at) => ({ from: sorted[at]!, to }))
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
}

function inParts(times: readonly number[], many: number): OccupiedTimes {
  const parts = Array.from({ length: many }, () => new OccupiedTimes());
  for (const [at, time] of times.entries()) parts[at % many]!.add(time);
  return OccupiedTimes.join(parts.map((part) => structuredClone(part.met())));
}

it('finds all gaps, whatever the order and the parts, and says of the usual distance nothing too short', () => {
  // Steps of a second to a day, so that some logs are wider than what is held of them.
  const steps = fc.array(fc.oneof(fc.integer({ max: 2000, min: 0 }), fc.integer({ max: 86_400_000, min: 0 })), {
    minLength: 30,
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 3 }), fc.integer(), (given, parts, seed) => {
      let at = Date.UTC(2026, 0, 1);
      const times = given.map((step) => (at += step));
      const shuffled = times.toSorted((a, b) => ((a * 31 + seed) % 997) - ((b * 31 + seed) % 997));
      const { usual, least, gaps } = inParts(shuffled, parts).rhythm()!;
      const between = distances(times);
      expect(gaps).toEqual(between.filter(({ from, to }) => to - from >= least));
      expect(between.filter(({ from, to }) => to - from > usual).length).toBeLessThanOrEqual(between.length / 20);
      expect(least).toBeGreaterThanOrEqual(Math.max(minute, usual * 10));
      expect(inParts(times, 1).rhythm()).toEqual({ usual, least, gaps });
    }),
  );
});

it('keeps no more stretches than it may, and still finds what is longer than one', () => {
  const times = Array.from({ length: 20_000 }, (_, at) => at * 5000 + (at < 9000 ? 0 : 7 * 86_400_000));
  const all = inParts(times, 2);
  expect(all.met().stretches.length).toBeLessThanOrEqual(4096);
  expect(all.span()).toEqual({ from: 0, to: times.at(-1) });
  const { usual, gaps } = all.rhythm()!;
  expect(gaps).toEqual([{ from: times[8999], to: times[9000] }]);
  expect(usual).toBeGreaterThanOrEqual(5000);
});

it('tells nothing of a few records, and no gap of a steady log', () => {
  expect(inParts([1, 2, 3], 1).rhythm()).toBeNull();
  expect(inParts([], 1).span()).toBeNull();
  const steady = Array.from({ length: 100 }, (_, at) => at * minute);
  expect(inParts(steady, 1).rhythm()).toEqual({ usual: minute, least: 10 * minute, gaps: [] });
});
