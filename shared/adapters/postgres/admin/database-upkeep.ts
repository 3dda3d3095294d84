import type { DatabaseUpkeep, TableSize } from '@svc/application/ports/database-upkeep.ts';
import { sql } from 'drizzle-orm';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';

/** Files that are there one moment and gone the next are common in a database's folder. */
const gone = () => null;

export class PgDatabaseUpkeep implements DatabaseUpkeep {
  readonly #db: Database;
  readonly #folders: readonly string[];

  /** @param folders - where the files of a database of this machine may be; none for another machine's */
  constructor(db: Database, folders: readonly string[] = []) {
    this.#db = db;
    this.#folders = folders;
  }

  async size(): Promise<{ files: number | null; bytes: number }> {
    if (this.#folders.length > 0) return onDisk(this.#folders);
    const [row] = await rowsOf<{ bytes: string }>(this.#db, sql`select pg_database_size(current_database()) as bytes`);
    return { files: null, bytes: Number(row?.bytes ?? 0) };
  }

  async tables(): Promise<readonly TableSize[]> {
    const rows = await rowsOf<{ name: string; rows: string | null; bytes: string; index_bytes: string }>(
      this.#db,
      sql`
        select c.relname as name, nullif(c.reltuples, -1)::bigint as rows,
          pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as index_bytes
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname = current_schema()
        order by bytes desc, name`,
    );
    return rows.map(({ name, index_bytes: indexBytes, ...row }) => ({
      name,
      rows: row.rows === null ? null : Number(row.rows),
      bytes: Number(row.bytes),
      indexBytes: Number(indexBytes),
    }));
  }

  async vacuum(table: string): Promise<void> {
    await this.#db.execute(sql`vacuum (full, analyze) ${sql.identifier(table)}`);
  }
}

async function onDisk(folders: readonly string[]): Promise<{ files: number; bytes: number }> {
  let [files, bytes] = [0, 0];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const found = await stat(join(entry.parentPath, entry.name)).catch(gone);
      if (found === null) continue;
      files += 1;
      bytes += found.size;
    }
  }
  return { files, bytes };
}
