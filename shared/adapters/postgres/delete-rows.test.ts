import { gt, lt, sql } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../testing/test-database.ts';
import type { EmbeddedDatabase } from './database.ts';
import { deleteRows } from './delete-rows.ts';

const ages = pgTable('ages', { years: integer().notNull() });
let database: EmbeddedDatabase;
beforeAll(async () => void (database = await openTestDatabase()));
afterAll(() => database.close());

it('removes all that are meant, however many, and no other', async () => {
  const { orm } = database;
  await orm.execute(sql`create table ages (years integer not null)`);
  await orm.execute(sql`insert into ages select n from generate_series(1, 4500) n`);
  expect(await deleteRows(orm, ages, lt(ages.years, 2001))).toBe(2000);
  expect(await deleteRows(orm, ages, lt(ages.years, 2001))).toBe(0);
  expect(await deleteRows(orm, ages, gt(ages.years, 2002))).toBe(2498);
  expect(await orm.$count(ages)).toBe(2);
});
