import { getTableColumns, sql, type Column } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgInsertBuilder, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';

/** Where drizzle keeps the columns of a table. */
const columnsOf = Symbol.for('drizzle:Columns');

/**
 * An insert of any number of rows, to which drizzle's methods add `returning` and the like. The rows travel as one
 * parameter, as JSON, so that the statement's text does not grow with them (decision 86). All give the columns that
 * the first one gives; the others get what they have by default.
 * @param rows - one or more, as `values` takes them
 */
export function insertRows<T extends PgTable>(
  db: Database,
  table: T,
  rows: readonly T['$inferInsert'][],
): ReturnType<PgInsertBuilder<T, PgQueryResultHKT>['select']> {
  const first = rows[0] as Readonly<Record<string, unknown>> | undefined;
  if (!first) throw new TypeError('there is no row to insert');
  const given = Object.entries<Column>(getTableColumns(table)).filter(([key]) => first[key] !== undefined);
  const names = given.map(([, { name, keyAsName }]) => (keyAsName ? toSnakeCase(name) : name));
  const objects = (rows as readonly Readonly<Record<string, unknown>>[]).map((row) =>
    Object.fromEntries(given.map(([key, column], at) => [names[at], inJson(column, row[key])])),
  );
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
  // drizzle would name every column of the table, and there is nothing that a select could give for "default".
  const narrowed = Object.create(table, { [columnsOf]: { value: Object.fromEntries(given) } }) as T;
  return db
    .insert(narrowed)
    .select(sql`select ${columns} from json_populate_recordset(null::${table}, ${JSON.stringify(objects)}::json)`);
}

/** A value as PostgreSQL makes one of the column's type of it. */
function inJson(column: Column, value: unknown): unknown {
  if (value === null || column.dataType === 'json' || column.dataType === 'array') return value;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return column.mapToDriverValue(value);
}
