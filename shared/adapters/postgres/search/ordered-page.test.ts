import { and, or, sql, type SQL } from 'drizzle-orm';
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../rows-of.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import type { Listed, SortKey, Ways } from './listed.ts';
import { mostCounted, orderedPage, type FoundPage } from './ordered-page.ts';

const things = pgTable('things', {
  id: integer().notNull(),
  at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
});
const key: SortKey = {
  value: sql`${things.at}`,
  columns: [things.at],
  toNumber: (value) => sql`(extract(epoch from ${value}) * 1000)::float8`,
  fromNumber: (number) => sql`${new Date(number).toISOString()}::timestamptz`,
};
/** Of each thing, two have one time. */
const [size, per] = [mostCounted + 700, 500];

/** What a list is asked besides. */
type Over = Partial<Pick<Listed, 'key' | 'isReversed' | 'hasHighestIdFirst' | 'during' | 'total'> & Ways>;

describe('a list with more rows than are counted', () => {
  let database: TestDatabase;
  const page = (
    place: Partial<Parameters<typeof orderedPage>[2]>,
    where = sql`true`,
    { key: by = key, isReversed = false, hasHighestIdFirst = false, during, total, ...ways }: Over = {},
  ): Promise<FoundPage> =>
    orderedPage(
      database.orm,
      {
        table: things,
        key: by,
        id: things.id,
        isReversed,
        hasHighestIdFirst,
        during,
        where,
        ...(total && { total }),
        ...(Object.keys(ways).length > 0 && {
          ways: { each: where, terms: [], through: null, seen: null, parts: null, ...ways },
        }),
      },
      { page: 1, per, ...place },
    );

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.orm.execute(sql`create table things as
      select n as id, to_timestamp(n / 2)::timestamptz(3) as at from generate_series(1, ${size}::int) as n`);
    await database.orm.execute(sql`create unique index on things (id)`);
  });
  afterAll(() => database.close());

  it('says that there are more, and leads past them by cursors, forth and back', async () => {
    const pages = [await page({})];
    for (let last = pages[0]; last?.older; last = pages.at(-1)) {
      pages.push(await page({ page: pages.length + 1, cursor: last.older }));
    }
    expect(pages.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: size }, (_, at) => size - at));
    expect(pages.map(({ page: number }) => number)).toEqual(pages.map((_, at) => at + 1));
    for (const { total, isFloor } of pages) expect({ total, isFloor }).toEqual({ total: mostCounted, isFloor: true });
    const back = [];
    for (let one = pages.at(-1); one; one = one.newer ? await page({ cursor: one.newer }) : undefined)
      back.push(...one.ids.toReversed());
    expect(back).toEqual(Array.from({ length: size }, (_, at) => at + 1));
  });

  it('goes the other way where it is reversed', async () => {
    const up = (place: Parameters<typeof page>[0]) => page(place, sql`true`, { isReversed: true });
    const first = await up({});
    expect(first.ids).toEqual(Array.from({ length: per }, (_, at) => at + 1));
    const second = await up({ page: 2, cursor: first.older });
    expect(second.ids[0]).toBe(per + 1);
    expect((await up({ cursor: second.newer })).ids).toEqual(first.ids);
  });

  it('has the highest of equal ones first where it is told so, whichever way the list goes', async () => {
    for (const isReversed of [false, true]) {
      const over = { isReversed, hasHighestIdFirst: true };
      const pages = [await page({}, sql`true`, over)];
      for (let last = pages[0]; last?.older && pages.length < 4; last = pages.at(-1))
        pages.push(await page({ cursor: last.older }, sql`true`, over));
      const time = (id: number): number => Math.floor(id / 2);
      const all = Array.from({ length: size }, (_, at) => at + 1).sort(
        (a, b) => (isReversed ? time(a) - time(b) : time(b) - time(a)) || b - a,
      );
      expect(pages.flatMap(({ ids }) => ids)).toEqual(all.slice(0, 4 * per));
      expect((await page({ cursor: pages[3]!.newer }, sql`true`, over)).ids).toEqual(pages[2]!.ids);
    }
  });

  it('comes to all rows of an order that is known by the few values it has', async () => {
    const starred = sql`(${things.id} % 100 = 0)`;
    const byStar: SortKey = {
      value: starred,
      columns: [things.id],
      toNumber: (value) => sql`${value}::integer`,
      fromNumber: (number) => sql`(${number}::integer = 1)`,
    };
    const groups = [
      { number: 1, having: starred },
      { number: 0, having: sql`not ${starred}` },
    ];
    const isStarred = (id: number): number => Number(id % 100 === 0);
    for (const isReversed of [false, true]) {
      const over = { key: { ...byStar, groups }, isReversed, hasHighestIdFirst: true };
      const pages = [await page({}, undefined, over)];
      for (let last = pages[0]; last?.older; last = pages.at(-1))
        pages.push(await page({ cursor: last.older }, undefined, over));
      const all = Array.from({ length: size }, (_, at) => at + 1).sort(
        (a, b) => (isReversed ? isStarred(a) - isStarred(b) : isStarred(b) - isStarred(a)) || b - a,
      );
      expect(pages.flatMap(({ ids }) => ids)).toEqual(all);
      // Back over where the one value ends and the other begins.
      for (const nth of isReversed ? [22, 21] : [3, 2])
        expect((await page({ cursor: pages[nth - 1]!.newer }, undefined, over)).ids).toEqual(pages[nth - 2]!.ids);
    }
  });

  it('has no page by number past those that were counted', async () => {
    expect(await page({ page: 1_000_000 })).toEqual(await page({ page: mostCounted / per }));
    expect((await page({ page: 2 })).ids[0]).toBe(size - per);
  });

  it('counts exactly what is not more', async () => {
    const all = await page({ page: 1_000_000 }, sql`${things.id} <= ${mostCounted}`);
    expect(all).toMatchObject({ page: mostCounted / per, total: mostCounted, isFloor: false, older: null });
    expect(all.ids).toEqual(Array.from({ length: per }, (_, at) => per - at));
    expect(await page({ page: 7 }, sql`false`)).toEqual({
      ids: [],
      page: 1,
      total: 0,
      isFloor: false,
      older: null,
      newer: null,
    });
  });

  it('finds the same where it counts by looking through the first rows', async () => {
    await database.orm.execute(
      sql`insert into things select n, to_timestamp(n / 2) from generate_series(${size + 1}::int, 30000) as n`,
    );
    await database.orm.execute(sql`analyze things`);
    const quickly = { through: { key, columns: [] } };
    const byId: SortKey = {
      value: sql`${things.id}`,
      columns: [things.id],
      toNumber: (id) => sql`${id}::float8`,
      fromNumber: (id) => sql`${id}::int`,
    };
    const places = [
      {},
      { page: 3 },
      { page: 1_000_000 },
      { cursor: { side: 'older', key: 5_000_000, id: 10_001 } as const },
    ];
    for (const part of [1, 2, 4, 2000]) {
      const where = sql`${things.id} % ${part}::int = 0`;
      for (const place of places) {
        for (const over of [{}, { isReversed: true }, { during: sql`${things.at} < to_timestamp(12000)` }]) {
          const expected = await page(place, where, over);
          // Of one order it reads the page too, of another it counts alone.
          expect(await page(place, where, { ...over, ...quickly })).toEqual(expected);
          expect(await page(place, where, { ...over, through: { key: byId, columns: null } })).toEqual(expected);
          // Whatever is counted, it is what it looks through that is asked.
          if (part === 1 && over.during === undefined)
            expect((await page(place, sql`false`, { ...over, ...quickly, each: where })).total).toBe(mostCounted);
        }
      }
    }
  });

  it('leaves to an index what rules out much, and asks the rows what hardly rules out any', async () => {
    const quickly = { through: { key, columns: [] } };
    const rare = sql`${things.id} % 200 = 0`;
    const frequent = sql`${things.id} % 3000 <> 0`;
    const both = and(rare, frequent)!;
    const expected = await page({}, both);
    expect(expected.ids).not.toEqual([]);
    // By an index, one finds nothing: whichever is found so, tells.
    const found = (over: { rare?: SQL; frequent?: SQL }) => {
      const terms = [
        { each: frequent, byIndex: over.frequent ?? frequent },
        { each: rare, byIndex: over.rare ?? rare },
      ];
      return page({}, both, { ...quickly, each: both, terms });
    };
    expect(await found({ frequent: sql`false` })).toEqual(expected);
    expect((await found({ rare: sql`false` })).ids).toEqual([]);
  });

  it('finds the same where parts are counted each by itself, from lists or without', async () => {
    const listOf = (part: number, to = 30_000): SQL =>
      sql`select ${part}::int * (n / 2) from generate_series(2, ${Math.floor((2 * to) / part) + 1}::int) as n`;
    const list = (part: number, where = sql`true`) => ({ where, among: listOf(part), each: where, through: null });
    const plain = (where: SQL) => ({ where, among: null, each: where, through: null });
    const multiple = (part: number): SQL => sql`${things.id} % ${part}::int = 0`;
    const few = sql`${things.id} > 29000`;
    const cases = [
      { where: multiple(500), parts: [list(500)] },
      { where: multiple(2), parts: [list(2)] },
      // More are in the list than are looked up, and of these few are sought.
      { where: and(multiple(2), few), parts: [list(2, few)] },
      { where: or(multiple(500), multiple(700)), parts: [list(500), list(700)] },
      { where: or(multiple(500), few), parts: [list(500), plain(few)] },
      { where: or(multiple(2), few), parts: [list(2), plain(few)] },
      {
        where: or(multiple(500), multiple(2)),
        parts: [list(500), { ...plain(multiple(2)), through: { key, columns: [] } }],
      },
    ];
    for (const { where, parts } of cases) {
      for (const over of [{}, { isReversed: true }, { during: sql`${things.at} < to_timestamp(14800)` }]) {
        expect(await page({ page: 2 }, where, { ...over, parts })).toEqual(await page({ page: 2 }, where, over));
      }
    }
  });

  it('takes a total that it is told where there are more than are counted, and asks for no other', async () => {
    let asked = 0;
    const total = () => {
      asked += 1;
      return Promise.resolve(12_345);
    };
    const [{ rows } = { rows: 0 }] = await rowsOf<{ rows: number }>(
      database.orm,
      sql`select count(*)::int as rows from things`,
    );
    expect(rows).toBe(30_000);
    // As many as the newest rows tell, not so many, and few.
    const [many, some, few] = [sql`${things.id} > 3`, sql`${things.id} <= 15000`, sql`${things.id} % 20 = 0`];
    for (const where of [many, some]) {
      const counted = await page({ page: 2 }, where);
      expect(counted).toMatchObject({ total: mostCounted, isFloor: true });
      expect(await page({ page: 2 }, where, { total })).toEqual({ ...counted, total: 12_345, isFloor: false });
    }
    expect(asked).toBe(2);
    expect(await page({}, few, { total })).toEqual(await page({}, few));
    expect(asked).toBe(2);
  });
});
