import { asc, getTableColumns, sql } from 'drizzle-orm';
import { customType, integer, json, jsonb, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { borrowDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { Database } from './database.ts';
import { insertRows } from './insert-rows.ts';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const things = pgTable('things', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  shortName: varchar({ length: 5 }).notNull(),
  inOrder: json(),
  facts: jsonb(),
  words: text().array(),
  content: bytea(),
  seenAt: timestamp({ withTimezone: true, precision: 3 }),
  kind: text().notNull().default('plain'),
});

let borrowed: { database: TestDatabase; giveBack: () => Promise<void> };
beforeAll(async () => {
  borrowed = await borrowDatabase();
});
afterAll(() => borrowed.giveBack());

class Undone extends Error {}

/** Does something with the table, of which nothing stays. */
async function withThings(work: (tx: Database) => Promise<void>): Promise<void> {
  const done = borrowed.database.orm.transaction(async (tx) => {
    await tx.execute(sql`create table things (id int generated always as identity primary key,
      short_name varchar(5) not null, in_order json, facts jsonb, words text[], content bytea,
      seen_at timestamptz(3), kind text not null default 'plain')`);
    await work(tx);
    throw new Undone();
  });
  await expect(done).rejects.toThrow(Undone);
}

it('stores each kind of value as drizzle’s own insert does, in order', async () => {
  const full = {
    shortName: `a'"\\`,
    inOrder: { z: 1, a: ['ü\n"', null], m: { y: 1, x: 2 } },
    facts: [{ b: 1.5 }, 'text', null],
    words: ['plain', 'with "quotes", and {braces}', '', 'null'],
    content: Uint8Array.of(0, 255, 10),
    seenAt: new Date('2026-08-01T10:00:00.123Z'),
  };
  const bare = { shortName: 'b', inOrder: null, facts: null, words: null, content: null, seenAt: null };
  await withThings(async (tx) => {
    await tx.insert(things).values([full, bare]);
    const made = await insertRows(tx, things, [full, bare]).returning({ id: things.id, name: things.shortName });
    expect(made).toEqual([
      { id: 3, name: full.shortName },
      { id: 4, name: 'b' },
    ]);
    const { id: _id, ...columns } = getTableColumns(things);
    const rows = await tx
      .select({ ...columns, written: sql<string>`in_order::text` })
      .from(things)
      .orderBy(asc(things.id));
    expect(rows.slice(2)).toEqual(rows.slice(0, 2));
    expect(rows[0]).toMatchObject({ ...full, kind: 'plain', content: expect.anything() as unknown });
    expect(rows[2]?.written).toBe(JSON.stringify(full.inOrder));
  });
});

it('refuses what is too long for its column, and to insert nothing', async () => {
  await withThings(async (tx) => {
    expect(() => insertRows(tx, things, [])).toThrow('no row');
    await expect(
      tx.transaction((inner) => insertRows(inner, things, [{ shortName: 'sixsix' }]).then(() => undefined)),
    ).rejects.toMatchObject({ cause: { code: '22001' } });
    expect(await tx.$count(things)).toBe(0);
  });
});

it('has the same text for any number of rows, with one parameter', () => {
  const statement = (count: number) =>
    insertRows(
      borrowed.database.orm,
      things,
      Array.from({ length: count }, () => ({ shortName: 'a' })),
    )
      .onConflictDoNothing()
      .toSQL();
  expect(statement(5000).sql).toBe(statement(1).sql);
  expect(statement(5000).params).toHaveLength(1);
});
