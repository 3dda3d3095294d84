import { and, eq, inArray, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobChanges, jobChunks, jobFacets, jobs, jobTags, taskResults } from '../schema/index.ts';
import { amountDigits } from './amount.ts';
import { chunkSize, difference, setOf, union, type JobSet } from './job-set.ts';
import { rowsOf } from '../rows-of.ts';

/** Advisory lock of whoever settles; any number that nobody else would take. */
const settleLock = 7_346_189_503;
const changesAtOnce = 8192;
const rowsAtOnce = 2000;

/**
 * Brings facets up to date with the changes of jobs, and forgets these; returns how many there were, none while
 * another process is at it. What commits meanwhile stays in the list of changes.
 */
export async function settleFacets(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const [lock] = await rowsOf<{ taken: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${settleLock}) as taken`);
    if (!lock?.taken) return 0;
    // A range, as the planner believes this table to be empty, and would compare each row with each other.
    const [last] = await tx
      .select({ id: jobChanges.id })
      .from(jobChanges)
      .orderBy(jobChanges.id)
      .limit(1)
      .offset(changesAtOnce - 1);
    const oldest = last && lte(jobChanges.id, last.id);
    const taken = await tx.delete(jobChanges).where(oldest).returning({ id: jobChanges.jobId });
    const ids = [...new Set(taken.map(({ id }) => id))];
    if (ids.length > 0) await settle(tx, ids);
    return taken.length;
  });
}

async function settle(tx: Database, ids: readonly number[]): Promise<void> {
  const listed = sql`any(${sql.param(ids)}::int[])`;
  const changed = setOf(ids);
  await measureChunks(tx, [...changed.keys()]);
  const rows = await rowsOf<{ facet: string; ids: number[] }>(tx, facetsOf(listed));
  const found = new Map(rows.map(({ facet, ids: having }) => [facet, setOf(having)]));
  const stored = await tx
    .select()
    .from(jobFacets)
    .where(inArray(jobFacets.chunk, [...changed.keys()]));
  await store(tx, merged(stored, found, changed));
}

/** Notes when the jobs of these runs were created. */
async function measureChunks(tx: Database, chunks: readonly number[]): Promise<void> {
  const size = sql.raw(String(chunkSize));
  await tx.execute(sql`
    insert into ${jobChunks} (chunk, first_at, last_at, in_order)
    select chunk, min(created_at), max(created_at), bool_and(coalesce(created_at >= before, true)) from (
      select chunk, created_at, lag(created_at) over (partition by chunk order by id) as before
      from unnest(${sql.param(chunks)}::int[]) as chunk cross join lateral (
        select id, created_at from ${jobs} where id between chunk * ${size} and chunk * ${size} + ${size} - 1 order by id
      ) as run
    ) as each group by chunk
    on conflict (chunk) do update set first_at = least(job_chunks.first_at, excluded.first_at),
      last_at = greatest(job_chunks.last_at, excluded.last_at), in_order = excluded.in_order`);
}

type FacetRow = typeof jobFacets.$inferSelect;

/** The stored bitmaps of these runs without the changed jobs, and then with what was found of them. */
function merged(stored: readonly FacetRow[], found: ReadonlyMap<string, JobSet>, changed: JobSet): FacetRow[] {
  const rows: FacetRow[] = [];
  const met = new Set<string>();
  for (const { facet, chunk, bits } of stored) {
    met.add(`${facet}\n${chunk}`);
    const kept = difference(new Map([[chunk, bits]]), changed);
    const having = found.get(facet)?.get(chunk);
    const now = union([kept, having ? new Map([[chunk, having]]) : new Map<number, Uint8Array>()]).get(chunk) ?? bits;
    if (now.some((byte, at) => byte !== bits[at])) rows.push({ facet, chunk, bits: now });
  }
  for (const [facet, set] of found) {
    for (const [chunk, bits] of set) if (!met.has(`${facet}\n${chunk}`)) rows.push({ facet, chunk, bits });
  }
  return rows;
}

async function store(tx: Database, rows: readonly FacetRow[]): Promise<void> {
  const isEmpty = ({ bits }: FacetRow): boolean => bits.every((byte) => byte === 0);
  const [empty, filled] = [rows.filter(isEmpty), rows.filter((row) => !isEmpty(row))];
  for (let from = 0; from < filled.length; from += rowsAtOnce) {
    await tx
      .insert(jobFacets)
      .values(filled.slice(from, from + rowsAtOnce))
      .onConflictDoUpdate({ target: [jobFacets.facet, jobFacets.chunk], set: { bits: sql`excluded.bits` } });
  }
  for (let from = 0; from < empty.length; from += rowsAtOnce) {
    const gone = empty.slice(from, from + rowsAtOnce);
    const each = gone.map(({ facet, chunk }) => and(eq(jobFacets.facet, facet), eq(jobFacets.chunk, chunk)));
    await tx.delete(jobFacets).where(or(...each));
  }
}

/** Every facet of these jobs, with the ids that have it. */
function facetsOf(listed: SQL): SQL {
  return sql`
    with chosen as (select * from ${jobs} where id = ${listed})
    select facet, array_agg(id) as ids from (
      select unnest(array['all', 'status:' || status, 'type:' || log_type, 'workflow:' || workflow_id,
        'user:' || coalesce(submitted_by::text, ''), case when is_private then 'private' end,
        case when error_message is not null then 'error' end, case when total_findings > 0 then 'hits' end]) as facet, id
      from chosen
      union all select 'sev:' || key, id from chosen, jsonb_each_text(severity_summary) where value::bigint > 0
      union all select 'digit:' || place, id from chosen, generate_series(0, ${amountDigits - 1}::int) as place
        where (total_findings >> place) & 1 = 1
      union all select 'tag:' || tag_id, job_id from ${jobTags} where job_id = ${listed}
      union all select distinct 'tool:' || engine, job_id from ${taskResults} where job_id = ${listed}
    ) as made where facet is not null group by facet`;
}
