import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { rowsOf } from './rows-of.ts';
import { columnsOf, countRows, insertJson, rowsAsJson, tablesInOrder } from './table-rows.ts';

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies every row of one database into another that has the same tables, all empty, and nobody else at work:
 * all of them or, when it rejects, none.
 */
export async function copyDatabase(from: Database, to: Database): Promise<CopiedTable[]> {
  return from.transaction((source) =>
    to.transaction(async (target) => {
      const copied: CopiedTable[] = [];
      for (const table of await tablesInOrder(source)) {
        if ((await countRows(target, table)) > 0) {
          throw new Error(`the server’s database is in use: ${table} has rows; give it an empty one`);
        }
        const columns = await columnsOf(target, table);
        for await (const rows of rowsAsJson(source, table)) await insertJson(target, table, columns, rows);
        await moveSequences(target, table);
        const [rows, arrived] = [await countRows(source, table), await countRows(target, table)];
        if (rows !== arrived) throw new Error(`of ${rows} rows of ${table}, ${arrived} arrived; nothing was moved`);
        copied.push({ table, rows });
      }
      return copied;
    }),
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
