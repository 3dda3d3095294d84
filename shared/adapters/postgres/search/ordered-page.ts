import type { ListCursor, ListPlace } from '@svc/application/jobs/job-lists.ts';
import { and, asc, desc, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';

/** Rows up to which lists are counted. */
export const mostCounted = 10_000;

/** Rows looked at, one after the other, for each one that is sought: past these, an index is quicker. */
const mostLookedAt = 400;

/** And for a page whose number is high. */
const mostWalked = 50_000;

/** What rows are sorted by, which a cursor names as a whole number of at most 15 digits, or as a text. */
export interface SortKey {
  /** A column, or what an index was made of. */
  readonly value: SQL;
  readonly toNumber: (value: SQL) => SQL;
  readonly fromNumber: (number: number | string) => SQL;
}

/** What of a table is listed, the highest first by (key, id), for which there is an index. */
export interface Listed {
  readonly table: PgTable;
  readonly key: SortKey;
  readonly id: PgColumn;
  /** The lowest first. */
  readonly isReversed: boolean;
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
  readonly key: number | string;
}

interface Counted {
  readonly size: number;
  /** None where the rows were not counted to their end. */
  readonly rows: readonly Row[] | null;
}

/** Columns of what was found. */
const [foundKey, foundId] = [sql`found_key`, sql`found_id`];

/**
 * Finds a page. Few rows are all read, by whatever index finds them, and sorted. Of many, those that come first are
 * looked at one after the other until there are enough.
 */
export async function orderedPage(db: Database, listed: Listed, place: ListPlace): Promise<FoundPage> {
  const { size, rows } = await countedPage(db, listed, place);
  const total = Math.min(size, mostCounted);
  const page = place.cursor ? place.page : Math.min(place.page, Math.max(1, Math.ceil(total / place.per)));
  const found = rows ?? (await walkedPage(db, listed, { ...place, page }));
  return { ...asPage(found, { ...place, page }), page, total, isFloor: rows === null };
}

/** Counts the rows, and reads the page if they are few. */
async function countedPage(db: Database, listed: Listed, { page, per, cursor }: ListPlace): Promise<Counted> {
  const { table, key, id, during, where } = listed;
  const lastPage = sql`greatest(0, (size - 1) / ${per}::int)`;
  const offset = cursor ? sql`0` : sql`${per}::int * least(${page - 1}::int, ${lastPage})`;
  const rows = sql`select ${foundId} as id, ${key.toNumber(foundKey)} as key from found
    where ${beyond(listed, cursor, foundKey, foundId)}
    order by ${order(listed, cursor, foundKey, foundId)} limit ${per + 1} offset ${offset}`;
  const [counted] = await rowsOf<Counted>(
    db,
    sql`with found as materialized (
      select ${key.value} as found_key, ${id} as found_id from ${table} where ${and(during, where) ?? sql`true`} limit ${mostCounted + 1}
    ), counted as (select count(*)::int as size from found)
    select size, case when size <= ${mostCounted}::int then
      (select coalesce(json_agg(page), '[]') from (${rows}) as page) end as rows from counted`,
  );
  return counted ?? { size: 0, rows: [] };
}

/** Looks at the first rows for a page; where what is sought is not among them, sorts all that an index finds. */
async function walkedPage(db: Database, listed: Listed, place: ListPlace): Promise<readonly Row[]> {
  const { table, key, id, during, where } = listed;
  const { page, per, cursor } = place;
  const ofTable = [key.value, sql`${id}`] as const;
  const wanted = per + 1;
  const offset = cursor ? 0 : (page - 1) * per;
  const past = and(beyond(listed, cursor, ...ofTable), during);
  // By the table's own name, which the condition goes by.
  const first = sql`(select * from ${table} where ${past} order by ${order(listed, cursor, ...ofTable)}
    limit ${Math.min((wanted + offset) * mostLookedAt, mostWalked)}) as ${table}`;
  const near = await rowsOf<Row>(
    db,
    sql`select ${id} as id, ${key.toNumber(key.value)} as key from ${first} where ${where ?? sql`true`}
      order by ${order(listed, cursor, ...ofTable)} limit ${wanted} offset ${offset}`,
  );
  if (near.length === wanted) return near;
  return rowsOf<Row>(
    db,
    sql`with found as materialized (select ${key.value} as found_key, ${id} as found_id from ${table} where ${and(past, where)})
      select ${foundId} as id, ${key.toNumber(foundKey)} as key from found
      order by ${order(listed, cursor, foundKey, foundId)} limit ${wanted} offset ${offset}`,
  );
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
    newer: first && hasNewer ? { side: 'newer', ...first } : null,
    older: last && (isBackwards || goesOn) ? { side: 'older', ...last } : null,
  };
}

function beyond({ key, isReversed }: Listed, cursor: ListCursor | null | undefined, value: SQL, id: SQL): SQL {
  if (!cursor) return sql`true`;
  const than = sql.raw((cursor.side === 'older') === isReversed ? '>' : '<');
  return sql`(${value}, ${id}) ${than} (${key.fromNumber(cursor.key)}, ${cursor.id}::int)`;
}

function order({ isReversed }: Listed, cursor: ListCursor | null | undefined, value: SQL, id: SQL): SQL {
  const isUp = (cursor?.side === 'newer') !== isReversed;
  return isUp ? sql`${asc(value)}, ${asc(id)}` : sql`${desc(value)}, ${desc(id)}`;
}
