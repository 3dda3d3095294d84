import { sql, type SQL } from 'drizzle-orm';
import type { Database } from './database.ts';
import { rowsOf } from './rows-of.ts';

/** What a piece of rows should come to, and how many it has at most. */
const [pieceCharacters, mostRows] = [2_097_152, 5000];

/** Tables of ours, each after those that it refers to. */
export async function tablesInOrder(db: Database): Promise<string[]> {
  const tables = await rowsOf<{ name: string; refers: string[] }>(
    db,
    sql`select c.relname as name,
          coalesce(json_agg(r.relname) filter (where r.oid <> c.oid), '[]') as refers
        from pg_class c
        left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
        left join pg_class r on r.oid = k.confrelid
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        group by c.relname order by c.relname`,
  );
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, refers }) => !ordered.includes(name) && refers.every((one) => ordered.includes(one)),
    );
    if (!next) throw new Error('tables refer to each other in a circle');
    ordered.push(next.name);
  }
  return ordered;
}

/** All rows of a table as JSON on one line each, which PostgreSQL writes and reads without loss; within a transaction. */
export async function* rowsAsJson(db: Database, table: string): AsyncGenerator<string[]> {
  for await (const rows of fetched<{ row: string }>(
    db,
    sql`select row_to_json(one)::text as row from ${sql.identifier(table)} one`,
  )) {
    // Of the type json, which keeps what was written between its values; within texts line ends are escaped.
    yield rows.map(({ row }) => row.replaceAll('\n', ' '));
  }
}

/** The answer of a query in pieces; within a transaction. */
export async function* fetched<T extends object>(db: Database, query: SQL): AsyncGenerator<T[]> {
  await db.execute(sql`declare fetched no scroll cursor for ${query}`);
  for (let count = 50; ;) {
    const rows = await rowsOf<T>(db, sql.raw(`fetch ${count} from fetched`));
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
    const each = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    count = Math.min(mostRows, Math.max(1, Math.floor(pieceCharacters / (each + 1))));
  }
  await db.execute(sql`close fetched`);
}

function lengthOf(row: object): number {
  return Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
}

/** Adds rows that another database has written as JSON, with the numbers that they had there. */
export async function insertJson(db: Database, table: string, columns: SQL, rows: readonly string[]): Promise<void> {
  const name = sql.identifier(table);
  await db.execute(
    sql`insert into ${name} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${name}, ${`[${rows.join(',')}]`}::json)`,
  );
}

/** All columns but those that the database makes of others. */
export async function columnsOf(db: Database, table: string): Promise<SQL> {
  const columns = await rowsOf<{ name: string }>(
    db,
    sql`select attname as name from pg_attribute
        where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

export async function countRows(db: Database, table: string): Promise<number> {
  const [row] = await rowsOf<{ count: string }>(db, sql`select count(*)::text as count from ${sql.identifier(table)}`);
  return Number(row?.count);
}
