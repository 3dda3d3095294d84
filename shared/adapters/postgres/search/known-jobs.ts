import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobChanges, jobChunks, jobFacets, jobs } from '../schema/index.ts';
import { chunkBytes, chunkOf, noJobs, setOf, type JobSet } from './job-set.ts';
import { rowsOf } from '../rows-of.ts';

/** Times between which the jobs of a run of ids were created, in milliseconds. */
export interface Span {
  readonly first: number;
  readonly last: number;
  /** Whether ids follow time in it. */
  readonly isInOrder: boolean;
}

/** What is known of the jobs at one moment. */
export interface KnownJobs {
  /** Settled jobs that have the facet, changed ones apart. */
  facet(name: string): JobSet;
  /** Jobs that meet one of the conditions that were asked for. */
  meeting(index: number): JobSet;
  /** By run, of settled jobs. */
  readonly spans: ReadonlyMap<number, Span>;
  /** The same, with the changed jobs that meet the search. */
  readonly widenedSpans: ReadonlyMap<number, Span>;
  /** Jobs whose facets are not settled. */
  readonly changed: JobSet;
  /** How many changes are not settled: several may be of one job. */
  readonly changes: number;
  /** The changed jobs that meet the search, and those that meet `live`. */
  readonly changedMeeting: JobSet;
  readonly changedLive: JobSet;
}

export interface Wanted {
  readonly facets: ReadonlySet<string>;
  /** Conditions that no facet answers. */
  readonly conditions: readonly SQL[];
  /** The whole search, and what is live of all that is visible, as conditions on changed jobs. */
  readonly search: SQL | undefined;
  readonly live: SQL | undefined;
}

interface Row {
  readonly name: string;
  readonly chunks: number[] | null;
  /** Base64, which both clients read ten times as fast as bytes. */
  readonly bits: string | null;
  readonly ids: number[] | null;
  readonly firsts: number[] | null;
  readonly lasts: number[] | null;
  readonly ordered: boolean[] | null;
}

/** Reads all that a search needs in one statement, so that nothing changes in between. */
export async function readKnownJobs(db: Database, { facets, conditions, search, live }: Wanted): Promise<KnownJobs> {
  // An array, so that the few changed jobs are looked up and nothing else is read.
  const changed = sql`${jobs.id} = any(array(select job_id from ${jobChanges}))`;
  const meeting = conditions.map((condition, index) => idsRow(`${index}`, condition));
  const parts = [
    sql`select facet::text as name, array_agg(chunk order by chunk) as chunks,
      encode(string_agg(bits, ''::bytea order by chunk), 'base64') as bits, null::int[] as ids, null::float8[] as firsts, null::float8[] as lasts,
      null::boolean[] as ordered
      from ${jobFacets} where ${inArray(jobFacets.facet, [...facets])} group by facet`,
    sql`select '+spans', array_agg(chunk), null, null, array_agg(${millis('first_at')}), array_agg(${millis('last_at')}),
      array_agg(in_order)
      from ${jobChunks}`,
    sql`select '+changed', null, null, array_agg(job_id), null, null, null from ${jobChanges}`,
    idsRow('+meeting', sql`${changed} and ${search ?? sql`true`}`, true),
    idsRow('+live', sql`${changed} and ${live ?? sql`true`}`),
    ...meeting,
  ];
  const rows = await rowsOf<Row>(db, sql.join(parts, sql` union all `));
  return known(new Map(rows.map((row) => [row.name, row])));
}

function known(rows: ReadonlyMap<string, Row>): KnownJobs {
  const ids = (name: string): JobSet => setOf(rows.get(name)?.ids ?? []);
  const sets = new Map<string, JobSet>();
  const spans = spansOf(rows.get('+spans'));
  return {
    facet: (name) => {
      const set = sets.get(name) ?? facetSet(rows.get(name));
      sets.set(name, set);
      return set;
    },
    meeting: (index) => ids(`${index}`),
    spans,
    widenedSpans: widened(spans, rows.get('+meeting')),
    changed: ids('+changed'),
    changes: rows.get('+changed')?.ids?.length ?? 0,
    changedMeeting: ids('+meeting'),
    changedLive: ids('+live'),
  };
}

function facetSet(row: Row | undefined): JobSet {
  if (!row?.bits || !row.chunks) return noJobs;
  const bits = Buffer.from(row.bits, 'base64');
  return new Map(row.chunks.map((chunk, at) => [chunk, bits.subarray(at * chunkBytes, (at + 1) * chunkBytes)]));
}

function spansOf(row: Row | undefined): Map<number, Span> {
  const { chunks, firsts, lasts, ordered } = row ?? {};
  const spanAt = (at: number): Span => ({
    first: firsts?.[at] ?? 0,
    last: lasts?.[at] ?? 0,
    isInOrder: ordered?.[at] ?? false,
  });
  return new Map((chunks ?? []).map((chunk, at) => [chunk, spanAt(at)]));
}

function widened(settled: ReadonlyMap<number, Span>, changed: Row | undefined): Map<number, Span> {
  const spans = new Map(settled);
  for (const [at, id] of (changed?.ids ?? []).entries()) {
    const moment = changed?.firsts?.[at] ?? 0;
    const { first, last } = spans.get(chunkOf(id)) ?? { first: moment, last: moment };
    // Where it stands among the others is not known yet.
    spans.set(chunkOf(id), { first: Math.min(first, moment), last: Math.max(last, moment), isInOrder: false });
  }
  return spans;
}

/** Ids of the jobs that meet a condition, with the times of their creation if these are asked for. */
function idsRow(name: string, condition: SQL, withTimes = false): SQL {
  const times = withTimes ? sql`array_agg(${millis('created_at')})` : sql`null`;
  return sql`select ${name}, null, null, array_agg(${jobs.id}), ${times}, null, null from ${jobs} where ${condition}`;
}

function millis(column: string): SQL {
  return sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);
}
