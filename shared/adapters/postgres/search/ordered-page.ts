import type { ListCursor, ListPlace } from '@svc/application/jobs/job-lists.ts';
import { and, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { noWays, type Known, type Listed, type Seen, type Through } from './listed.ts';
import { beyond, columnsOf, firstRows, order, sorted } from './rows-in-order.ts';

/** Rows up to which lists are counted. */
export const mostCounted = 10_000;

/** Rows looked at, one after the other, for each one that is sought: past these, or more where there are very many, an index is quicker. */
const mostLookedAt = 400;

/** And for a page whose number is high. */
const mostWalked = 100_000;

/** Rows that tell how frequent others are, if at least so many of them are sought. */
const [sampled, tellingMany] = [1000, 10];

/**
 * What a row costs in microseconds, as measured: looked at one after the other, by an index that has all that is asked
 * or by itself; named by an index of what is asked; and read because of that.
 */
const costs = { covered: 0.25, looked: 0.45, named: 0.05, read: 3 };

/** Where no more than this are of the time that is asked for, all of them can be looked at. */
const few = 100_000;

/** Ids of a list that are looked up to count them: of four, one may be of none that is sought. */
const mostLookedUp = 13_000;

export interface FoundPage {
  /** In the order of the list. */
  readonly ids: readonly number[];
  readonly page: number;
  /** Up to as many as are counted, or what was told. */
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
  /** Whether there may be more than were looked at. */
  readonly isCut: boolean;
  /** None where neither all rows nor the first ones were read. */
  readonly rows: readonly Row[] | null;
}

/**
 * Finds a page. Few rows are all read, by whatever index finds them, and sorted. Of many, those that come first are
 * looked at one after the other until there are enough.
 */
export async function orderedPage(db: Database, { ways, ...list }: Listed, place: ListPlace): Promise<FoundPage> {
  const asked: Known = {
    ...list,
    ...(ways ?? { ...noWays, each: list.where }),
  };
  const sample = await newest(db, asked);
  const rarest = byRarest(asked, sample);
  const seen = asked.seen !== null && sample.seen * 2 < sample.rows ? bySeen(rarest, asked.seen) : rarest;
  const areRare = asked.through !== null && sample.rows === sampled && sample.met < tellingMany;
  const listed = areRare ? asRare(seen) : seen;
  const told = await toldTotal(listed, sample);
  const { size, rows } =
    (told === null ? null : { size: told, rows: null }) ??
    (await lookedThrough(db, listed, place, sample)) ??
    (await lookedUp(db, listed, place)) ??
    (await countedPage(db, listed, place, { source: whole(listed) }));
  const reached = Math.min(size, mostCounted);
  const page = place.cursor ? place.page : Math.min(place.page, Math.max(1, Math.ceil(reached / place.per)));
  const found = rows ?? (await walkedPage(db, listed, { ...place, page }, sample.all));
  const isCut = size > mostCounted;
  const total = told ?? (isCut && listed.total ? await listed.total() : reached);
  return { ...asPage(found, { ...place, page }), page, total, isFloor: isCut && listed.total === undefined };
}

/** What there is, where the newest rows say that it is more than is counted: it is told without reading the first ones. */
async function toldTotal({ total, where }: Known, { rows, met, all }: Sample): Promise<number | null> {
  const areMany = where === undefined || (rows === sampled && (met / rows) * all > mostCounted);
  if (total === undefined || !areMany) return null;
  const told = await total();
  return told > mostCounted ? told : null;
}

function bySeen(listed: Known, { byIndex }: Seen): Known {
  const parts = listed.parts?.map((part) => ({ ...part, where: and(byIndex, part.where) })) ?? null;
  return { ...listed, where: and(byIndex, listed.where), parts };
}

/**
 * Chooses the terms that an index is asked for, the rarest first: those whose list costs less to read than the rows that
 * the term rules out. PostgreSQL by itself reads the list of every term.
 */
function byRarest(listed: Known, { rows, meeting, all }: Sample): Known {
  const { terms, seen } = listed;
  if (rows < sampled || meeting.length < 2) return listed;
  const shares = meeting.map((met) => Math.max(1, met) / rows);
  const byShare = terms.map((term, nth) => ({ term, share: shares[nth] ?? 1 })).sort((a, b) => a.share - b.share);
  let left = all;
  const asked = byShare.map(({ term, share }, nth) => {
    const isListed = nth === 0 || share * all * costs.named < left * (1 - share) * costs.read;
    if (!isListed) return sql`(${term.each}) is true`;
    left *= share;
    return term.byIndex;
  });
  return { ...listed, where: and(seen?.each, ...asked) };
}

/**
 * Says to the planner that few rows are sought: by what it takes for unlikely, though it is always true. It would else
 * take terms to be independent of each other, and read the whole table for ten thousand rows that there are not.
 */
function asRare(listed: Known): Known {
  return { ...listed, where: and(listed.where, sql`${listed.id} % 1 = 0`) };
}

/** What the newest rows tell of all. */
interface Sample {
  readonly rows: number;
  /** Of these, how many are sought, meet each term, and are seen. */
  readonly met: number;
  readonly meeting: readonly number[];
  readonly seen: number;
  /** Rows that there are, as far as the planner knows. */
  readonly all: number;
  /** Whether so few are of the time that is asked for that all of them can be looked at. */
  readonly areFew: boolean;
}

async function newest(db: Database, listed: Known): Promise<Sample> {
  const { table, during, each, terms, through, seen, total } = listed;
  const asksRows = (through !== null || total !== undefined) && each !== undefined;
  const none = { rows: 0, met: 0, meeting: [], seen: 0, all: 0, areFew: false };
  if (!asksRows && seen === null) return none;
  const areFew =
    during && asksRows
      ? sql`(select count(*) from (select from ${table} where ${during} limit ${few + 1}) as ${table}) <= ${few}::int`
      : sql`false`;
  const [sample] = await rowsOf<Sample>(
    db,
    sql`with sample as (
      select count(*)::int as rows, ${many(asksRows ? each : undefined)} as met, ${many(seen?.each)} as seen,
        array[${sql.join(asksRows ? terms.map((term) => many(term.each)) : [], sql`, `)}]::int[] as meeting
      from ${firstRows(inOrderOf(listed, through), null, sampled)}
    ) select sample.*, greatest(reltuples, 0)::float8 as all, ${areFew} as "areFew" from sample, pg_class where oid = '${table}'::regclass`,
  );
  return sample ?? none;
}

function many(condition: SQL | undefined): SQL {
  return sql`count(*) filter (where ${condition ?? sql`false`})::int`;
}

/** The rows as they lie where they can be looked through. */
function inOrderOf(listed: Known, through: Through | null): Known {
  const key = through?.key ?? listed.key;
  return { ...listed, key, isReversed: key === listed.key && listed.isReversed };
}

/** Counts the first rows, where so many are sought that this costs less than to have an index find them; null otherwise. */
async function lookedThrough(db: Database, listed: Known, place: ListPlace, sample: Sample): Promise<Counted | null> {
  const { each, through } = listed;
  if (through === null || each === undefined || sample.met < tellingMany) return null;
  const isListed = through.key === listed.key;
  const areAll = sample.areFew && isListed;
  const share = sample.met / sample.rows;
  const enough = mostCounted / share;
  const perRow = through.columns === null ? costs.looked : costs.covered;
  // What was found by an index is not in order yet.
  const walked = isListed && !place.cursor ? (place.page * place.per) / share : 0;
  const named = (sample.meeting.reduce((sum, one) => sum + one, 0) || sample.met) * (sample.all / sample.rows);
  const isQuicker = (enough - walked) * perRow < named * costs.named + mostCounted * costs.read;
  if (!areAll && (!isQuicker || sample.all < 2 * enough)) return null;
  const inOrder = inOrderOf(listed, through);
  const source = sql`${firstRows(inOrder, null, areAll ? 2 * few : Math.ceil(2 * enough))} where ${each}`;
  const counted = await countedPage(db, inOrder, place, { source, hasPage: isListed && !place.cursor });
  return areAll || counted.size > mostCounted ? counted : null;
}

/**
 * Counts what any of the parts finds, each by itself: in one condition, no index would be used. Of a list so many rows are
 * looked up as should be enough; null where they are not.
 */
async function lookedUp(db: Database, listed: Known, place: ListPlace): Promise<Counted | null> {
  const { table, key, id, during, parts } = listed;
  if (parts === null) return null;
  for (const part of parts) {
    const alone = { ...listed, each: part.each, terms: [], through: part.through };
    const counted = await lookedThrough(db, alone, place, await newest(db, alone));
    // One that has enough settles it.
    if (counted && counted.size > mostCounted) return { ...counted, rows: null };
  }
  const columns = columnsOf([id, ...key.columns]);
  const lists: SQL[] = [];
  const found = parts.map(({ where, among }, nth) => {
    const list = sql.raw(`list_${nth}`);
    if (among !== null) lists.push(sql`${list} (listed) as materialized (${among} limit ${mostLookedUp})`);
    // As an array, which one walk along the index of ids answers, and none twice.
    const isListed = among === null ? undefined : sql`${id} = any(array(select listed from ${list}))`;
    const met = and(during, where, isListed) ?? sql`true`;
    return sql`(select ${columns} from ${table} where ${met} limit ${mostCounted + 1})`;
  });
  const isCut = or(
    ...parts.flatMap(({ among }, nth) =>
      among === null ? [] : [sql`(select count(*) from ${sql.raw(`list_${nth}`)}) = ${mostLookedUp}`],
    ),
  );
  const source = sql`(${sql.join(found, sql` union `)}) as ${table}`;
  const counted = await countedPage(db, listed, place, { source, lists, isCut });
  return counted.size > mostCounted || !counted.isCut ? counted : null;
}

/** What is counted, and how it is found. */
interface Source {
  readonly source: SQL;
  /** Lists that it names, and whether there is more in them. */
  readonly lists?: readonly SQL[];
  readonly isCut?: SQL | undefined;
  /** Whether the page is among the first that are counted, though these be not all. */
  readonly hasPage?: boolean;
}

/** Counts the rows of a source, and reads the page from them: if they are all, or if so told. */
async function countedPage(
  db: Database,
  listed: Known,
  { page, per, cursor }: ListPlace,
  { source, lists = [], isCut = sql`false`, hasPage = false }: Source,
): Promise<Counted> {
  const { table, key, id } = listed;
  const lastPage = sql`greatest(0, (least(size, ${mostCounted}::int) - 1) / ${per}::int)`;
  const offset = cursor ? sql`0` : sql`${per}::int * least(${page - 1}::int, ${lastPage})`;
  // Under the table's own name, which the key goes by: it is made only of what is sorted.
  const rows = sql`select ${id} as id, ${key.toNumber(key.value)} as key from found as ${table}
    where ${beyond(listed, cursor)} order by ${order(listed, cursor)} limit ${per + 1} offset ${offset}`;
  const [counted] = await rowsOf<Counted>(
    db,
    sql`with ${sql.join(lists.map((list) => sql`${list}, `))} found as materialized (
      select ${columnsOf([id, ...key.columns])} from ${source} limit ${mostCounted + 1}
    ), counted as (select count(*)::int as size from found)
    select size, ${isCut} as "isCut", case when ${hasPage ? sql`true` : sql`size <= ${mostCounted}::int`} then
      (select coalesce(json_agg(page), '[]') from (${rows}) as page) end as rows from counted`,
  );
  return counted ?? { size: 0, rows: [], isCut: false };
}

function whole({ table, during, where }: Listed): SQL {
  return sql`${table} where ${and(during, where) ?? sql`true`}`;
}

/** Looks at the first rows for a page; where what is sought is not among them, sorts all that an index finds. */
async function walkedPage(db: Database, listed: Known, place: ListPlace, all: number): Promise<readonly Row[]> {
  const { table, key, id, where, each, end } = listed;
  const { page, per, cursor } = place;
  const during = and(listed.during, end);
  const wanted = per + 1;
  const offset = cursor ? 0 : (page - 1) * per;
  const paged = sql`limit ${wanted} offset ${offset}`;
  // There are more than were counted, which says how far apart they lie.
  const apart = each === undefined ? 1 : Math.max(mostLookedAt, (2 * all) / mostCounted);
  const most = Math.min((wanted + offset) * apart, mostWalked);
  const near = await rowsOf<Row>(
    db,
    sql`select ${id} as id, ${key.toNumber(sorted)} as key from ${firstRows({ ...listed, during }, cursor, Math.ceil(most))}
      where ${each ?? sql`true`} order by ${order(listed, cursor, sorted)} ${paged}`,
  );
  if (near.length === wanted) return near;
  return rowsOf<Row>(
    db,
    sql`with found as materialized (
      select ${columnsOf([id, ...key.columns])} from ${table} where ${and(beyond(listed, cursor), during, where) ?? sql`true`}
    ) select ${id} as id, ${key.toNumber(key.value)} as key from found as ${table} order by ${order(listed, cursor)} ${paged}`,
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
