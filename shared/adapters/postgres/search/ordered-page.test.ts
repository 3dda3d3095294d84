import { sql } from 'drizzle-orm';
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { mostCounted, orderedPage, type FoundPage, type SortKey } from './ordered-page.ts';

const things = pgTable('things', {
  id: integer().notNull(),
  at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
});
const key: SortKey = {
  value: sql`${things.at}`,
  toNumber: (value) => sql`(extract(epoch from ${value}) * 1000)::float8`,
  fromNumber: (number) => sql`${new Date(number).toISOString()}::timestamptz`,
};
/** Of each thing, two have one time. */
const [size, per] = [mostCounted + 700, 500];

describe('a list with more rows than are counted', () => {
  let database: TestDatabase;
  const page = (
    place: Partial<Parameters<typeof orderedPage>[2]>,
    where = sql`true`,
    isReversed = false,
  ): Promise<FoundPage> =>
    orderedPage(
      database.orm,
      { table: things, key, id: things.id, isReversed, during: undefined, where },
      { page: 1, per, ...place },
    );

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.orm.execute(sql`create table things as
      select n as id, to_timestamp(n / 2)::timestamptz(3) as at from generate_series(1, ${size}::int) as n`);
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
    const up = (place: Parameters<typeof page>[0]) => page(place, sql`true`, true);
    const first = await up({});
    expect(first.ids).toEqual(Array.from({ length: per }, (_, at) => at + 1));
    const second = await up({ page: 2, cursor: first.older });
    expect(second.ids[0]).toBe(per + 1);
    expect((await up({ cursor: second.newer })).ids).toEqual(first.ids);
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
});
