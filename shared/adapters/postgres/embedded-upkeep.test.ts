import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keepUp, tendTables } from './embedded-upkeep.ts';
import { PgliteClient, type QueryClient } from './pglite-client.ts';

const client = new PgliteClient({ dataDir: null, template: null });
beforeAll(() => client.start());
afterAll(() => client.close());

async function statistics(table: string): Promise<Record<string, number>> {
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query(
    `select s.seq_scan::int as scans, s.n_dead_tup::int as dead, c.reltuples::int as rows
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = $1`,
    [table],
  );
  return rows[0] as Record<string, number>;
}

it('has what a foreign key names looked up by its index, however few there were at first', async () => {
  await client.query('create table owner (id int primary key)');
  await client.query('create table owned (id int references owner)');
  await client.query('vacuum analyze');
  await client.query('insert into owner select generate_series(1, 10)');
  await client.query('insert into owned select generate_series(1, 10)');
  await client.query('insert into owner select generate_series(11, 20000)');

  const before = await statistics('owner');
  await client.query('insert into owned select generate_series(1, 10)');
  const between = await statistics('owner');
  // What is mended: each row reads all of the other table.
  expect(between['scans']! - before['scans']!).toBe(10);

  await tendTables(client, { isQuiet: true });
  const tended = await statistics('owner');
  expect(tended['rows']).toBe(20_000);
  await client.query('insert into owned select generate_series(1, 10)');
  expect((await statistics('owner'))['scans']).toBe(tended['scans']);
});

it('vacuums what was changed much, and leaves the rest alone', async () => {
  await client.query('create table busy (id int primary key, times int not null)');
  await client.query('create table still (id int primary key)');
  await client.query('insert into busy select g, 0 from generate_series(1, 1000) g');
  await client.query('insert into still select generate_series(1, 40)');
  await client.query('update busy set times = 1');
  expect((await statistics('busy'))['dead']).toBe(1000);
  await tendTables(client, { isQuiet: true });
  expect(await statistics('busy')).toMatchObject({ dead: 0, rows: 1000 });
  expect((await statistics('still'))['rows']).toBe(-1);
  await client.query('update busy set times = 2 where id <= 100');
  await tendTables(client, { isQuiet: true });
  expect((await statistics('busy'))['dead']).toBe(100);
});

it('stops between two tables', async () => {
  await client.query('create table left_alone (id int)');
  await client.query('insert into left_alone select generate_series(1, 1000)');
  await statistics('left_alone');
  await tendTables(client, { isQuiet: true, signal: AbortSignal.abort() });
  expect((await statistics('left_alone'))['rows']).toBe(-1);
});

it('leaves large tables for a quiet time', async () => {
  await client.query('create table large (id int, words text)');
  await client.query(`insert into large select g, repeat('word ', 200) from generate_series(1, 20000) g`);
  await client.query('delete from large where id <= 10000');
  await statistics('large');
  await tendTables(client, { isQuiet: false });
  expect(await statistics('large')).toMatchObject({ dead: 10_000, rows: 10_000 });
  await tendTables(client, { isQuiet: true });
  expect(await statistics('large')).toMatchObject({ dead: 0, rows: 10_000 });
});

it('looks again and again, never twice at once, and ends with the table that it is at', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let go = (): void => undefined;
  const going = new Promise<void>((resolve) => (go = resolve));
  const busy: QueryClient = {
    query: async (sql) => {
      asked.push(sql);
      if (sql.startsWith('analyze')) await going;
      return { rows: [{ command: 'analyze a', count: 1 }, { command: 'analyze b' }], affectedRows: 0 };
    },
  };
  const upkeep = keepUp(busy);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(3);
  const stopped = upkeep.stop();
  go();
  await stopped;
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(asked.slice(2)).toEqual(['analyze a']);
});

it('takes a time of few transactions for a quiet one', async () => {
  vi.useFakeTimers();
  const limits: unknown[] = [];
  const counts = [1000, 1300, 1400];
  const told: QueryClient = {
    query: async (sql, params = []) => {
      const isCount = sql.includes('pg_stat_database');
      if (!isCount) limits.push(params[0]);
      return { rows: isCount ? [{ count: counts.shift() }] : [], affectedRows: 0 };
    },
  };
  const upkeep = keepUp(told);
  await vi.advanceTimersByTimeAsync(30_000);
  await upkeep.stop();
  vi.useRealTimers();
  // Nothing is known before the first look.
  expect(limits).toEqual([16_777_216, 16_777_216, Number.MAX_SAFE_INTEGER]);
});
