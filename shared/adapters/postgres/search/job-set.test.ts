import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsIn } from './amount.ts';
import { chunkOf, difference, idsIn, intersection, noJobs, setOf, sizeOf, union, type JobSet } from './job-set.ts';

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 200 });

function members(set: JobSet): number[] {
  return [...set.keys()].sort((a, b) => a - b).flatMap((chunk) => idsIn(set, chunk));
}

function ascending(list: Iterable<number>): number[] {
  return [...list].sort((a, b) => a - b);
}

describe('sets of jobs', () => {
  it('have what they were made of', () => {
    fc.assert(
      fc.property(ids, (list) => {
        expect(members(setOf(list))).toEqual(ascending(list));
        expect(sizeOf(setOf(list))).toBe(list.length);
      }),
    );
    expect(chunkOf(1023)).not.toBe(chunkOf(1024));
  });

  it('are joined, met and taken from each other as lists are', () => {
    fc.assert(
      fc.property(ids, ids, ids, (a, b, c) => {
        const [one, two, three] = [setOf(a), setOf(b), setOf(c)];
        expect(members(union([one, noJobs, two, three]))).toEqual(ascending(new Set([...a, ...b, ...c])));
        expect(members(intersection(one, two))).toEqual(ascending(a.filter((id) => b.includes(id))));
        expect(members(difference(one, two))).toEqual(ascending(a.filter((id) => !b.includes(id))));
        expect(members(one)).toEqual(ascending(a));
      }),
    );
  });

  it('tell amounts from their binary digits', () => {
    const amount = fc.oneof(fc.nat(20), fc.nat(5_000_000_000), fc.constant(Number.MAX_SAFE_INTEGER));
    const bound = fc.oneof(amount, fc.constant(null));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), amount, bound, (amounts, min, max) => {
        const all = setOf([...amounts.keys()]);
        const digit = (place: number): JobSet =>
          setOf([...amounts.keys()].filter((id) => Math.floor((amounts[id] ?? 0) / 2 ** place) % 2 === 1));
        const within = [...amounts.keys()].filter((id) => {
          const value = amounts[id] ?? 0;
          return value >= min && (max === null || value <= max);
        });
        expect(members(amountsIn({ min, max }, all, digit))).toEqual(within);
      }),
    );
  });
});
