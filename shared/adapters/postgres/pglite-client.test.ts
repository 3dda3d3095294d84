import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../testing/test-database.ts';
import { EmbeddedDatabase } from './database.ts';
import { StatementError } from './errors.ts';
import { postgresPorts } from './ports.ts';

let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.orm.execute(sql`create table notes (note text unique)`);
}, 60_000);
beforeEach(() => database.orm.execute(sql`delete from notes`));
afterAll(() => database.close());

async function notes(): Promise<string[]> {
  const rows = await database.orm
    .select({ note: sql<string>`note` })
    .from(sql`notes`)
    .orderBy(sql`note`);
  return rows.map(({ note }) => note);
}

it('commits a transaction as one, and nothing of one that fails', async () => {
  await database.orm.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('a')`);
    await tx.execute(sql`insert into notes values ('b')`);
  });
  const failing = database.orm.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('c')`);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await notes()).toEqual(['a', 'b']);
});

it('goes on after a statement that fails, inside and outside of a transaction', async () => {
  await database.orm.execute(sql`insert into notes values ('a')`);
  const twice = database.orm.execute(sql`insert into notes values (${'a'})`);
  await expect(twice).rejects.toMatchObject({ cause: { name: 'StatementError', code: '23505' } });
  await database.orm.transaction(async (tx) => {
    const nested = tx.transaction(async (inner) => {
      await inner.execute(sql`insert into notes values ('b')`);
      await inner.execute(sql`insert into notes values ('a')`);
    });
    await expect(nested).rejects.toMatchObject({ cause: expect.any(StatementError) });
    await tx.execute(sql`insert into notes values ('c')`);
  });
  expect(await notes()).toEqual(['a', 'c']);
});

it('lets nobody into a transaction that is under way', async () => {
  const seen: string[] = [];
  const slow = database.orm.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('a')`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await tx.execute(sql`delete from notes`);
    seen.push('committed');
  });
  const others = Promise.all([notes(), database.orm.execute(sql`insert into notes values ('x')`)]);
  const [during] = await others;
  seen.push('read');
  await slow;
  expect(seen).toEqual(['committed', 'read']);
  expect(during).toEqual([]);
});

it('refuses what would wait for the end of the transaction that it is part of', async () => {
  const stuck = database.orm.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('a')`);
    await notes();
  });
  await expect(stuck).rejects.toMatchObject({
    cause: { message: expect.stringContaining('the client that it was given') },
  });
  expect(await notes()).toEqual([]);
});

it('does not hold up the main thread while it works', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  await database.orm.execute(sql`select count(*) from generate_series(1, 3000000)`);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});

it('says that it is not available before it opens and after it closes', async () => {
  const other = new EmbeddedDatabase(null);
  await expect(other.check()).rejects.toMatchObject({ code: 'unavailable' });
  const { accounts } = postgresPorts(other, { leaseSeconds: 60 });
  await expect(accounts.hasActiveAdmin()).rejects.toMatchObject({ code: 'unavailable' });
  await other.close();
});
