import type { ListCursor, ListPlace } from '@svc/application/jobs/job-lists.ts';
import { and, asc, desc, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';

/** Rows up to which lists are counted. */
export const mostCounted = 10_000;

/** Rows looked at, one after the other, for each one that is sought: past these, an index is quicker. */
const mostLookedAt = 400;

/** What of a table is listed, newest first by (at, id), for which there is an index. */
export interface Listed {
  readonly table: PgTable;
  readonly at: PgColumn;
  readonly id: PgColumn;
  /** What is asked of times, and all else. */
  readonly during: SQL | undefined;
  readonly where: SQL | undefined;
}

export interface FoundPage {
  /** In the order of the list. */
  readonly ids: readonly number[];
  readonly page: number;
  readonly total: number;
  readonly isFloor: boolean;
  readonly older: ListCursor | null;
  readonly newer: ListCursor | null;
}

interface Row {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Counted {
  readonly size: number;
  /** None where the rows were not counted to their end. */
  readonly rows: readonly Row[] | null;
}

/**
 * Finds a page. Few rows are all read, by whatever index finds them, and sorted. Of many, the newest are looked at
 * one after the other until there are enough.
 */
export async function newestPage(db: Database, listed: Listed, place: ListPlace): Promise<FoundPage> {
  const { size, rows } = await countedPage(db, listed, place);
  const total = Math.min(size, mostCounted);
  const page = place.cursor ? place.page : Math.min(place.page, Math.max(1, Math.ceil(total / place.per)));
  const found = rows ?? (await walkedPage(db, listed, { ...place, page }));
  return { ...asPage(found, { ...place, page }), page, total, isFloor: rows === null };
}

/** Counts the rows, and reads the page if they are few. */
async function countedPage(db: Database, { table, at, id, during, where }: Listed, place: ListPlace): Promise<Counted> {
  const { page, per, cursor } = place;
  const lastPage = sql`greatest(0, (size - 1) / ${per}::int)`;
  const offset = cursor ? sql`0` : sql`${per}::int * least(${page - 1}::int, ${lastPage})`;
  const [foundAt, foundId] = [sql`found_at`, sql`found_id`];
  const rows = sql`select ${foundId} as id, ${millis(foundAt)} as at from found
    where ${beyond(cursor, foundAt, foundId)} order by ${order(cursor, foundAt, foundId)} limit ${per + 1} offset ${offset}`;
  const [counted] = await rowsOf<Counted>(
    db,
    sql`with found as materialized (
      select ${at} as found_at, ${id} as found_id from ${table} where ${and(during, where) ?? sql`true`} limit ${mostCounted + 1}
    ), counted as (select count(*)::int as size from found)
    select size, case when size <= ${mostCounted}::int then
      (select coalesce(json_agg(page), '[]') from (${rows}) as page) end as rows from counted`,
  );
  return counted ?? { size: 0, rows: [] };
}

/** Looks at the newest rows for a page; where what is sought is not among them, sorts all that an index finds. */
async function walkedPage(db: Database, listed: Listed, place: ListPlace): Promise<readonly Row[]> {
  const { table, at, id, during, where } = listed;
  const { page, per, cursor } = place;
  const [foundAt, foundId] = [sql`${at}`, sql`${id}`];
  const wanted = per + 1;
  const offset = cursor ? 0 : (page - 1) * per;
  const rows = (from: SQL): Promise<Row[]> =>
    rowsOf<Row>(db, sql`${from} order by ${order(cursor, foundAt, foundId)} limit ${wanted} offset ${offset}`);
  const past = and(beyond(cursor, foundAt, foundId), during);
  // By the table's own name, which the condition goes by.
  const newest = sql`(select * from ${table} where ${past} order by ${order(cursor, foundAt, foundId)}
    limit ${(wanted + offset) * mostLookedAt}) as ${table}`;
  const row = sql`${id} as id, ${millis(foundAt)} as at`;
  const near = await rows(sql`select ${row} from ${newest} where ${where ?? sql`true`}`);
  if (near.length === wanted) return near;
  return rows(sql`with found as materialized (select ${at}, ${id} from ${table} where ${and(past, where)})
    select ${row} from found as ${table}`);
}

/** One row more was read than the page has, to tell whether the list goes on. */
function asPage(found: readonly Row[], { page, per, cursor }: ListPlace): Pick<FoundPage, 'ids' | 'newer' | 'older'> {
  const isBackwards = cursor?.side === 'newer';
  const rows = isBackwards ? found.slice(0, per).reverse() : found.slice(0, per);
  const goesOn = found.length > per;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = isBackwards ? goesOn : cursor ? true : page > 1;
  return {
    ids: rows.map(({ id }) => id),
    newer: first && hasNewer ? { side: 'newer', at: new Date(first.at), id: first.id } : null,
    older: last && (isBackwards || goesOn) ? { side: 'older', at: new Date(last.at), id: last.id } : null,
  };
}

function beyond(cursor: ListCursor | null | undefined, at: SQL, id: SQL): SQL {
  if (!cursor) return sql`true`;
  const than = sql.raw(cursor.side === 'older' ? '<' : '>');
  return sql`(${at}, ${id}) ${than} (${cursor.at.toISOString()}::timestamptz, ${cursor.id}::int)`;
}

function order(cursor: ListCursor | null | undefined, at: SQL, id: SQL): SQL {
  return cursor?.side === 'newer' ? sql`${asc(at)}, ${asc(id)}` : sql`${desc(at)}, ${desc(id)}`;
}

function millis(at: SQL): SQL {
  return sql`(extract(epoch from ${at}) * 1000)::float8`;
}
