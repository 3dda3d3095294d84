import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';

/** Rows that one statement removes. */
const atOnce = 1000;

/**
 * Removes rows that are over, some at a time, so that none of them keeps others waiting for long and what is broken
 * off has kept what it has done. Returns how many went.
 */
export async function deleteRows(db: Database, table: PgTable, where: SQL): Promise<number> {
  for (let removed = 0; ;) {
    const some = db
      .select({ at: sql`ctid` })
      .from(table)
      .where(where)
      .limit(atOnce);
    const gone = await db
      .delete(table)
      .where(sql`ctid = any(array(${some}))`)
      .returning({ one: sql`1` });
    removed += gone.length;
    if (gone.length < atOnce) return removed;
  }
}
