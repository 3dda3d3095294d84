import type { ListCursor } from '@svc/application/jobs/job-lists.ts';
import { and, asc, desc, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Known } from './listed.ts';

/** What the first rows are sorted by, which is known of them only where it is a column. */
export const sorted = sql`sorted`;

/** As many rows, from the place on, whatever else is asked of them: by the table's own name, which conditions go by. */
export function firstRows(listed: Known, cursor: ListCursor | null | undefined, count: number): SQL {
  const { table, key, id, during, through } = listed;
  const isCovered = through !== null && through.key === key && through.columns !== null;
  const columns = isCovered ? columnsOf([id, ...key.columns, ...(through.columns ?? [])]) : sql`*`;
  const [, isIdUp] = directions(listed, cursor);
  const groups = key.groups?.map((group) => ({
    where: and(group.having, beyondIn(listed, group.number, cursor), during),
    by: isIdUp ? asc(id) : desc(id),
  })) ?? [{ where: and(beyond(listed, cursor), during), by: order(listed, cursor) }];
  const rows = groups.map(
    ({ where, by }) => sql`(select ${columns}, ${key.value} as ${sorted} from ${table} where ${where ?? sql`true`}
      order by ${by} limit ${count})`,
  );
  return sql`(${sql.join(rows, sql` union all `)}) as ${table}`;
}

export function columnsOf(columns: readonly PgColumn[]): SQL {
  return sql.join(
    [...new Set(columns)].map((column) => sql`${column}`),
    sql`, `,
  );
}

export function beyond(listed: Known, cursor: ListCursor | null | undefined): SQL {
  if (!cursor) return sql`true`;
  const { key, id } = listed;
  const [isKeyUp, isIdUp] = directions(listed, cursor);
  const [than, idThan] = [isKeyUp, isIdUp].map((isUp) => sql.raw(isUp ? '>' : '<'));
  const [from, fromId] = [key.fromNumber(cursor.key), sql`${cursor.id}::int`];
  if (isKeyUp === isIdUp) return sql`(${key.value}, ${id}) ${than} (${from}, ${fromId})`;
  // The first part is for the index.
  return sql`(${key.value} ${than}= ${from} and (${key.value} ${than} ${from} or ${id} ${idThan} ${fromId}))`;
}

/** The same of rows that all have this key. */
function beyondIn(listed: Known, number: number, cursor: ListCursor | null | undefined): SQL | undefined {
  if (!cursor) return undefined;
  const [isKeyUp, isIdUp] = directions(listed, cursor);
  const from = Number(cursor.key);
  if (number !== from) return isKeyUp === number > from ? undefined : sql`false`;
  return sql`${listed.id} ${sql.raw(isIdUp ? '>' : '<')} ${cursor.id}::int`;
}

export function order(listed: Known, cursor: ListCursor | null | undefined, key = listed.key.value): SQL {
  const [isKeyUp, isIdUp] = directions(listed, cursor);
  return sql`${isKeyUp ? asc(key) : desc(key)}, ${isIdUp ? asc(listed.id) : desc(listed.id)}`;
}

/** Whether keys, and ids of the same key, go up from the cursor. */
function directions(listed: Known, cursor: ListCursor | null | undefined): [key: boolean, id: boolean] {
  const isBackwards = cursor?.side === 'newer';
  const isIdUp = listed.isReversed && listed.hasHighestIdFirst !== true;
  return [isBackwards !== listed.isReversed, isBackwards !== isIdUp];
}
