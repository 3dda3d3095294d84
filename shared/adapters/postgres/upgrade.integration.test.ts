import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { makeServerDatabase } from '../testing/test-database.ts';
import { PgDatabaseArchive } from './admin/database-archive.ts';
import type { Database } from './database.ts';
import { applyMigrations, knownMigrations, lastApplied, type Migration } from './migration-files.ts';
import { rowsOf } from './rows-of.ts';
import * as schema from './schema/index.ts';
import { rowsAsJson, tablesInOrder } from './table-rows.ts';

type Row = Readonly<Record<string, unknown>>;
interface Column {
  readonly name: string;
  readonly type: string;
  readonly most: number | null;
  readonly refers: string | null;
}

const all = knownMigrations();
const rowsOfEach = 2;
/** What a migration computes anew of rows that are there. */
const computed: Readonly<Record<string, readonly string[]>> = {
  jobs: ['search_name', 'marks'],
  queued_tasks: ['key'],
  cases: ['findings', 'worst', 'shared_findings', 'shared_worst'],
};

/** Of what may only be named instead of something else. */
const left: Readonly<Record<string, readonly string[]>> = {
  comments: ['case_id', 'entity_id'],
  ai_runs: ['case_id'],
};

/** Puts rows into every table that has none, as the schema is now: each column has a value that fits its type. */
async function fillEmptyTables(db: Database): Promise<void> {
  for (const table of await tablesInOrder(db)) {
    const name = sql.identifier(table);
    const [used] = await rowsOf(db, sql`select 1 from ${name} limit 1`);
    if (used !== undefined) continue;
    const columns = await columnsOf(db, table);
    for (let nth = 1; nth <= rowsOfEach; nth += 1) {
      const values: Record<string, unknown> = {};
      for (const column of columns) values[column.name] = await valueFor(db, table, column, nth);
      const names = sql.join(
        columns.map((column) => sql.identifier(column.name)),
        sql`, `,
      );
      await db.execute(
        sql`insert into ${name} (${names})
          select ${names} from json_populate_record(null::${name}, ${JSON.stringify(values)}::json)`,
      );
    }
  }
}

function columnsOf(db: Database, table: string): Promise<Column[]> {
  return rowsOf<Column>(
    db,
    sql`select a.attname as name, format_type(a.atttypid, null) as type,
          case when a.atttypid = 'bit'::regtype then a.atttypmod when a.atttypmod > 4 then a.atttypmod - 4 end as most,
          (select k.confrelid::regclass::text from pg_constraint k
            where k.conrelid = a.attrelid and k.contype = 'f' and k.conkey = array[a.attnum] limit 1) as refers
        from pg_attribute a
        where a.attrelid = ${`public.${table}`}::regclass and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '' and a.attidentity = ''
          and not exists (select from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum
            and pg_get_expr(d.adbin, d.adrelid) like 'nextval%')
        order by a.attnum`,
  );
}

async function valueFor(
  db: Database,
  table: string,
  { name, type, most, refers }: Column,
  nth: number,
): Promise<unknown> {
  if (left[table]?.includes(name)) return null;
  if (refers !== null && refers !== table) {
    const [row] = await rowsOf<{ value: unknown }>(
      db,
      sql`select to_json(one) -> (
            select a.attname from pg_constraint k join pg_attribute a on a.attrelid = k.confrelid and a.attnum = k.confkey[1]
            where k.conrelid = ${`public.${table}`}::regclass and k.contype = 'f' and ${name} = (
              select attname from pg_attribute where attrelid = k.conrelid and attnum = k.conkey[1]) limit 1) as value
          from ${sql.identifier(refers.replaceAll('"', ''))} one order by ctid offset ${nth - 1} limit 1`,
    );
    return row?.value;
  }
  if (type.endsWith('[]')) return [];
  if (/^(integer|bigint|smallint|numeric|real|double)/.test(type)) return nth;
  if (type === 'boolean') return nth % 2 === 0;
  if (type === 'uuid') return `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
  if (type.startsWith('timestamp')) return `2026-01-0${nth}T01:02:03.456+00:00`;
  if (type === 'date') return `2026-01-0${nth}`;
  if (/^jsonb?$/.test(type)) return [];
  if (type === 'bytea') return '\\x00ff';
  if (type === 'bit') return String(nth % 2).repeat(most ?? 1);
  return `${table}.${name} “é” ${nth}`.slice(0, most ?? 200);
}

/** All rows, without what later migrations compute anew. */
async function contentsOf(db: Database): Promise<Map<string, Row[]>> {
  const contents = new Map<string, Row[]>();
  await db.transaction(async (tx) => {
    for (const table of await tablesInOrder(tx)) {
      const rows: Row[] = [];
      for await (const lines of rowsAsJson(tx, table)) rows.push(...lines.map((line) => JSON.parse(line) as Row));
      contents.set(table, rows);
    }
  });
  return contents;
}

/** Holds rows of now against those of before, in the tables and columns that both have. */
function expectKept(before: Map<string, Row[]>, after: Map<string, Row[]>): void {
  for (const [table, rows] of before) {
    const now = after.get(table);
    // A table that a migration took away had what others are computed from.
    if (now === undefined) continue;
    const shared = Object.keys(rows[0] ?? {}).filter(
      (name) => name in (now[0] ?? {}) && !(computed[table] ?? []).includes(name),
    );
    const only = (each: readonly Row[]): string[] =>
      each.map((row) => JSON.stringify(shared.map((name) => row[name]))).toSorted();
    expect([table, only(now)]).toEqual([table, only(rows)]);
  }
}

const upTo = (count: number): readonly Migration[] => all.slice(0, count);

/** Begins with some migrations and rows in all tables, then goes to the last one at once. */
async function startsFrom(db: Database, count: number): Promise<void> {
  await applyMigrations(db, upTo(count));
  await fillEmptyTables(db);
  const before = await contentsOf(db);
  expect([...before.values()].filter((rows) => rows.length === 0)).toEqual([]);
  await applyMigrations(db);
  expect(await lastApplied(db)).toBe(all.at(-1)?.at);
  expectKept(before, await contentsOf(db));
}

/** Adds rows after each migration and carries them all to the last one. */
async function carriedForward(db: Database): Promise<void> {
  let before = new Map<string, Row[]>();
  for (let count = 1; count <= all.length; count += 1) {
    await applyMigrations(db, upTo(count));
    const now = await contentsOf(db);
    expectKept(before, now);
    await fillEmptyTables(db);
    before = await contentsOf(db);
  }
  expect([...before.keys()].length).toBeGreaterThan(40);
}

/** Breaks in the middle of what is pending. */
async function broken(db: Database): Promise<void> {
  await applyMigrations(db, upTo(all.length - 3));
  await fillEmptyTables(db);
  const before = await contentsOf(db);
  const wrong = all.map((migration, index) =>
    index === all.length - 2
      ? { ...migration, statements: [...migration.statements, 'update jobs set nothing = 1'] }
      : migration,
  );
  await expect(applyMigrations(db, wrong)).rejects.toThrow(
    new RegExp(
      `^The database cannot be migrated at ${all.at(-2)?.name}, and is as it was: .*"nothing".*start that one again`,
    ),
  );
  expect(await lastApplied(db)).toBe(all.at(-4)?.at);
  expect(await contentsOf(db)).toEqual(before);
  // The version with a right one goes on from there.
  await applyMigrations(db);
  expectKept(before, await contentsOf(db));
}

describe('upgrades on PGlite', () => {
  it('of a database of every earlier schema keep its rows', async () => {
    const client = await PGlite.create({ extensions: { pg_trgm } });
    try {
      await carriedForward(drizzlePglite({ client, schema, casing: 'snake_case' }));
    } finally {
      await client.close();
    }
  });
});

describeWith('postgres', 'upgrades on a server', () => {
  const clients: Client[] = [];
  const database = async (): Promise<Database> => {
    const client = new Client(await makeServerDatabase({ isEmpty: true }));
    clients.push(client);
    await client.connect();
    return drizzle({ client, schema, casing: 'snake_case' });
  };
  afterAll(() => Promise.all(clients.map((client) => client.end())));

  it('of a database of every earlier schema keep its rows', async () => carriedForward(await database()));

  it.each([1, 9, 16, 22, 33, 47])('from the first %i migrations at once keep them, too', async (count) =>
    startsFrom(await database(), count),
  );

  it('that fail name the migration, and leave the database as it was', async () => broken(await database()));

  it('of a backup happen while it is restored', async () => {
    const [old, fresh] = [await database(), await database()];
    await applyMigrations(old, upTo(33));
    await fillEmptyTables(old);
    await applyMigrations(fresh);
    const [before, { at, name }] = [await contentsOf(old), all[32]!];
    await new PgDatabaseArchive(fresh).load({
      schema: { at, name },
      numbers: { 'public.jobs_id_seq': 77 },
      tables: (await tablesInOrder(old)).map((table) => ({ table, rows: rowsOfEach })),
      rows: async function* (table) {
        yield (before.get(table) ?? []).map((row) => JSON.stringify(row));
      },
    });
    expect(await lastApplied(fresh)).toBe(all.at(-1)?.at);
    expectKept(before, await contentsOf(fresh));
    expect(await rowsOf(fresh, sql`select nextval('jobs_id_seq')::int as next`)).toEqual([{ next: 78 }]);
    await expect(new PgDatabaseArchive(fresh).usedTable()).resolves.toBe((await tablesInOrder(fresh)).at(0));
  });
});
