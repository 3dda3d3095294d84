import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { JobNames } from './job-names.ts';
import { chunkOf, idsIn, setOf } from './job-set.ts';

/** A database that answers with the names of all runs, and counts how often it is asked. */
function databaseOf(names: ReadonlyMap<number, string>) {
  let asked = 0;
  const execute = async (): Promise<unknown> => {
    asked += 1;
    const chunks = [...new Set([...names.keys()].map(chunkOf))];
    const rows = chunks.map((chunk) => {
      const ids = [...names.keys()].filter((id) => chunkOf(id) === chunk).sort((a, b) => a - b);
      return { chunk, ids, names: ids.map((id) => names.get(id)).join('\n') };
    });
    return { rows };
  };
  return { db: { execute } as unknown as Database, asked: () => asked };
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é'), minLength: 1, maxLength: 5 });
const named = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 3000 }), name), {
  selector: ([id]) => id,
  maxLength: 40,
});
const asked = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', 'é'), minLength: 1, maxLength: 5 });

it('finds the names that a look at each finds', async () => {
  await fc.assert(
    fc.asyncProperty(named, asked, async (entries, text) => {
      const names = new Map(entries);
      const all = setOf([...names.keys()]);
      const isWildcard = text.includes('*');
      const whole = new RegExp(`^${text.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`, 'u');
      const matches = (one: string): boolean => (isWildcard ? whole.test(one) : one.includes(text));
      const kept = new JobNames(databaseOf(names).db);
      await kept.know(all);
      const found = kept.named(all, { text, isWildcard });
      const ids = [...found.keys()].sort((a, b) => a - b).flatMap((chunk) => idsIn(found, chunk));
      const expected = [...names].filter(([, one]) => matches(one)).map(([id]) => id);
      expect(ids).toEqual(expected.sort((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});

it('asks again only for what it does not know, and never for what has gone', async () => {
  const names = new Map([[1, 'a']]);
  const { db, asked: times } = databaseOf(names);
  const kept = new JobNames(db);
  await kept.know(setOf([1, 2]));
  await kept.know(setOf([1, 2]));
  expect(times()).toBe(1);
  names.set(3, 'ab');
  await kept.know(setOf([1, 3]));
  expect(times()).toBe(2);
  expect(idsIn(kept.named(setOf([1, 3]), { text: 'b', isWildcard: false }), 0)).toEqual([3]);
});
