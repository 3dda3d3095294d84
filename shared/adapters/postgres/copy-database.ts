import { sql, type SQL } from 'drizzle-orm';
import type { Database } from './database.ts';
import { rowsOf } from './rows-of.ts';

/** Rows a statement. */
const batchSize = 200;

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies every row of one database into another that has the same tables, all empty, and nobody else at work:
 * all of them or, when it rejects, none. Rows go as JSON, which PostgreSQL writes and reads without loss.
 */
export async function copyDatabase(from: Database, to: Database): Promise<CopiedTable[]> {
  return from.transaction((source) =>
    to.transaction(async (target) => {
      const copied: CopiedTable[] = [];
      for (const table of await tablesInOrder(source)) {
        if ((await count(target, table)) > 0) {
          throw new Error(`the server’s database is in use: ${table} has rows; give it an empty one`);
        }
        await copyRows(source, target, table);
        await moveSequences(target, table);
        const [rows, arrived] = [await count(source, table), await count(target, table)];
        if (rows !== arrived) throw new Error(`of ${rows} rows of ${table}, ${arrived} arrived; nothing was moved`);
        copied.push({ table, rows });
      }
      return copied;
    }),
  );
}

async function copyRows(source: Database, target: Database, table: string): Promise<void> {
  const name = sql.identifier(table);
  const columns = await columnsOf(target, table);
  await source.execute(sql`declare moved no scroll cursor for select row_to_json(one)::text as row from ${name} one`);
  for (;;) {
    const batch = await rowsOf<{ row: string }>(source, sql.raw(`fetch ${batchSize} from moved`));
    if (batch.length === 0) break;
    const json = `[${batch.map(({ row }) => row).join(',')}]`;
    await target.execute(
      sql`insert into ${name} (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::${name}, ${json}::json)`,
    );
  }
  await source.execute(sql`close moved`);
}

/** All columns but those that the target makes of others. */
async function columnsOf(target: Database, table: string): Promise<SQL> {
  const columns = await rowsOf<{ name: string }>(
    target,
    sql`select attname as name from pg_attribute
        where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

/** Lets numbering go on after the highest number that came. */
async function moveSequences(target: Database, table: string): Promise<void> {
  const identities = await rowsOf<{ column: string }>(
    target,
    sql`select column_name as column from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_identity = 'YES'`,
  );
  for (const { column } of identities) {
    const [name, id] = [sql.identifier(table), sql.identifier(column)];
    await target.execute(
      sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), max(${id})) from ${name} having max(${id}) is not null`,
    );
  }
}

/** Tables of ours, each after those that it refers to. */
async function tablesInOrder(db: Database): Promise<string[]> {
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

async function count(db: Database, table: string): Promise<number> {
  const [row] = await rowsOf<{ count: string }>(db, sql`select count(*)::text as count from ${sql.identifier(table)}`);
  return Number(row?.count);
}
