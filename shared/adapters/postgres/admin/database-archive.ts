import type {
  ArchivedDatabase,
  DatabaseArchive,
  DatabaseSnapshot,
  NamedObject,
  SchemaStep,
} from '@svc/application/admin/backup/database-archive.ts';
import { isNotNull, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { applyMigration, goBackTo, knownMigrations, lastApplied } from '../migration-files.ts';
import { rowsOf } from '../rows-of.ts';
import { objectPlaces } from './object-places.ts';
import { sealedSecrets } from './sealed-secrets.ts';
import { columnsOf, countRows, fetched, insertJson, rowsAsJson, tablesInOrder } from '../table-rows.ts';

/** The whole database as lines of JSON, which any PostgreSQL writes and reads, PGlite too. */
export class PgDatabaseArchive implements DatabaseArchive {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  read<T>(work: (snapshot: DatabaseSnapshot) => Promise<T>): Promise<T> {
    const isolation = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
    return this.#db.transaction(async (tx) => work(await snapshotOf(tx)), isolation);
  }

  async knownSchema(): Promise<readonly SchemaStep[]> {
    return knownMigrations();
  }

  async usedTable(): Promise<string | null> {
    for (const table of await tablesInOrder(this.#db)) {
      const [row] = await rowsOf(this.#db, sql`select 1 from ${sql.identifier(table)} limit 1`);
      if (row !== undefined) return table;
    }
    return null;
  }

  load(content: ArchivedDatabase): Promise<void> {
    return this.#db.transaction(async (tx) => {
      const known = knownMigrations();
      const later = known.filter(({ at }) => at > content.schema.at);
      if (later.length > 0) await goBackTo(tx, content.schema.at);
      // What triggers of an earlier schema have written is among the rows; this version's has none.
      if (later.length > 0) await setTriggers(tx, content, 'disable');
      for (const { table, rows } of content.tables) {
        const columns = await columnsOf(tx, table);
        for await (const lines of content.rows(table)) await insertJson(tx, table, columns, lines);
        const arrived = await countRows(tx, table);
        if (arrived !== rows) throw new Error(`of ${rows} rows of ${table}, ${arrived} arrived; nothing was restored`);
      }
      for (const [sequence, last] of Object.entries(content.numbers)) {
        await tx.execute(sql`select setval(${sequence}::regclass, ${last})`);
      }
      if (later.length > 0) await setTriggers(tx, content, 'enable');
      for (const migration of later) await applyMigration(tx, migration);
    });
  }
}

async function setTriggers(db: Database, { tables }: ArchivedDatabase, to: 'disable' | 'enable'): Promise<void> {
  for (const { table } of tables) {
    await db.execute(sql`alter table ${sql.identifier(table)} ${sql.raw(to)} trigger user`);
  }
}

async function snapshotOf(db: Database): Promise<DatabaseSnapshot> {
  const at = await lastApplied(db);
  const name = knownMigrations().find((one) => one.at === at)?.name ?? String(at);
  return {
    schema: { name, at },
    tables: await tablesInOrder(db),
    rows: (table) => rowsAsJson(db, table),
    namedObjects: () =>
      fetched<{ key: string; required: boolean }>(
        db,
        sql`select key, bool_or(required) as required from (${allNamed()}) named group by key order by key collate "C"`,
      ) satisfies AsyncIterable<readonly NamedObject[]>,
    sealedSecrets: async () => {
      const found: string[] = [];
      for (const { table, column } of sealedSecrets) {
        const rows = await db.select({ sealed: column }).from(table).where(isNotNull(column));
        found.push(...rows.map(({ sealed }) => sealed!));
      }
      return found;
    },
    numbers: async () => {
      const rows = await rowsOf<{ name: string; last: string | null }>(
        db,
        sql`select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::text as last
            from pg_sequences where schemaname = 'public'`,
      );
      return Object.fromEntries(rows.flatMap(({ name: key, last }) => (last === null ? [] : [[key, Number(last)]])));
    },
  };
}

function allNamed(): SQL {
  const selects = objectPlaces.map(
    ({ column, required }) =>
      sql`select ${column} as key, ${sql.raw(String(required))} as required from ${column.table} where ${column} is not null`,
  );
  return sql.join(selects, sql` union all `);
}
