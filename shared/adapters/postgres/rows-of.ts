import type { SQL } from 'drizzle-orm';
import type { Database } from './database-handle.ts';

/** Rows of a statement; both PGlite and pg answer with `rows`, which drizzle's common type does not say. */
export async function rowsOf<T>(db: Database, statement: SQL): Promise<T[]> {
  const result: unknown = await db.execute(statement);
  return (result as { rows: T[] }).rows;
}
