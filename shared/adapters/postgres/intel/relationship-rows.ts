import type { JobIntel } from '@svc/application/intel/intel-repository.ts';
import type { RelationshipType } from '@svc/engine';
import { sql } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { relationshipEvidence, relationships } from '../schema/index.ts';
import { storableJson } from '../text.ts';

/** Rows of evidence a statement: their samples are the bulk of it. */
const batchSize = 2000;

/** What a job shows. */
export interface RelatingJob {
  readonly jobId: number;
  /** When it was analysed. */
  readonly at: Date;
  /** Of its entities, by their places. */
  readonly ids: readonly (number | null)[];
  readonly relationships: JobIntel['relationships'];
}

/** A relationship, and what jobs show of it now. */
interface Edge {
  readonly source: number;
  readonly target: number;
  readonly type: RelationshipType;
  count: number;
  from: Date;
  to: Date;
}

interface Evidence {
  readonly edge: number;
  readonly job: Pick<RelatingJob, 'jobId' | 'at'>;
  readonly found: JobIntel['relationships'][number];
}

interface Shown {
  readonly id: number;
  readonly job: number;
  readonly count: number;
}

/** What is added to a relationship, and the times of the jobs that show it. */
interface Change {
  by: number;
  readonly from: Date | null;
  readonly to: Date | null;
}

/**
 * Puts what jobs show of relationships in the place of what they have shown before. All their ends are locked, so that
 * nobody else changes them.
 */
export async function relate(tx: Database, jobs: readonly RelatingJob[]): Promise<void> {
  const before = await shownBefore(
    tx,
    jobs.map(({ jobId }) => jobId),
  );
  const { edges, evidence } = edgesOf(jobs);
  const { ids, made } = await locate(tx, edges);
  await putEvidence(tx, evidence, ids);
  const now = new Set(evidence.map(({ edge, job }) => `${ids[edge]!} ${job.jobId}`));
  const gone = before.filter(({ id, job }) => !now.has(`${id} ${job}`));
  await takeEvidence(tx, gone);
  const changes = new Map<number, Change>();
  for (const [place, { count, from, to }] of edges.entries()) {
    const id = ids[place]!;
    if (!made.has(id)) changes.set(id, { by: count, from, to });
  }
  for (const { id, count } of before) {
    const change = changes.get(id);
    if (change === undefined) changes.set(id, { by: -count, from: null, to: null });
    else change.by -= count;
  }
  await recount(tx, changes);
  await dropUnshown(
    tx,
    gone.map(({ id }) => id),
  );
}

/** Takes what a job shows of relationships, whose ends are locked, out of them. */
export function unrelate(tx: Database, jobId: number): Promise<void> {
  return relate(tx, [{ jobId, at: new Date(0), ids: [], relationships: [] }]);
}

function shownBefore(tx: Database, jobIds: readonly number[]): Promise<Shown[]> {
  return rowsOf(
    tx,
    sql`select relationship_id as id, job_id as job, occurrence_count as count
        from ${relationshipEvidence} where job_id = any(${anArray('integer', jobIds)})`,
  );
}

function edgesOf(jobs: readonly RelatingJob[]): { edges: readonly Edge[]; evidence: readonly Evidence[] } {
  const places = new Map<string, number>();
  const edges: Edge[] = [];
  const evidence: Evidence[] = [];
  for (const job of jobs) {
    for (const found of job.relationships) {
      const [source, target] = [job.ids[found.source]!, job.ids[found.target]!];
      const { at } = job;
      const { type, count } = found;
      const key = `${type} ${source} ${target}`;
      let place = places.get(key);
      if (place === undefined) {
        place = edges.length;
        places.set(key, place);
        edges.push({ source, target, type, count: 0, from: at, to: at });
      }
      const edge = edges[place]!;
      edge.count += count;
      if (at < edge.from) edge.from = at;
      if (at > edge.to) edge.to = at;
      evidence.push({ edge: place, job, found });
    }
  }
  return { edges, evidence };
}

/** Finds the relationships, or makes them, counted as they are to be; their ids in order. */
async function locate(
  tx: Database,
  edges: readonly Edge[],
): Promise<{ readonly ids: readonly number[]; readonly made: ReadonlySet<number> }> {
  if (edges.length === 0) return { ids: [], made: new Set() };
  const ends = [
    ['integer', edges.map(({ source }) => source)],
    ['integer', edges.map(({ target }) => target)],
    ['text', edges.map(({ type }) => type)],
  ] as const;
  const same = sql`r.source_id = given.source and r.target_id = given.target and r.type = given.type`;
  const made = await rowsOf<{ id: number }>(
    tx,
    sql`
      insert into ${relationships} (source_id, target_id, type, first_seen_at, last_seen_at, occurrence_count)
      select given.source, given.target, given.type, given.since, given.until, given.count
      from ${unnested(
        ...ends,
        ['timestamptz', edges.map(({ from }) => from.toISOString())],
        ['timestamptz', edges.map(({ to }) => to.toISOString())],
        ['bigint', edges.map(({ count }) => count)],
      )} as given(source, target, type, since, until, count)
      where not exists (select from ${relationships} r where ${same})
      returning id`,
  );
  const rows = await rowsOf<{ id: number }>(
    tx,
    sql`select r.id from ${unnested(...ends)} with ordinality as given(source, target, type, place)
        join ${relationships} r on ${same} order by given.place`,
  );
  return { ids: rows.map(({ id }) => id), made: new Set(made.map(({ id }) => id)) };
}

/** What is there already is not written again: most of it is samples. */
async function putEvidence(tx: Database, evidence: readonly Evidence[], ids: readonly number[]): Promise<void> {
  for (let start = 0; start < evidence.length; start += batchSize) {
    const batch = evidence.slice(start, start + batchSize);
    await tx.execute(sql`
      insert into ${relationshipEvidence} as known
        (relationship_id, job_id, occurrence_count, failed_count, observed_from, observed_to, seen_at, sample_events)
      select given.id, given.job, given.count, given.failed, to_timestamp(given.since / 1000),
        to_timestamp(given.until / 1000), given.seen, given.samples::json
      from ${unnested(
        ['integer', batch.map(({ edge }) => ids[edge])],
        ['integer', batch.map(({ job }) => job.jobId)],
        ['integer', batch.map(({ found }) => found.count)],
        ['integer', batch.map(({ found }) => found.failed)],
        ['float8', batch.map(({ found }) => found.observedFrom)],
        ['float8', batch.map(({ found }) => found.observedTo)],
        ['timestamptz', batch.map(({ job }) => job.at.toISOString())],
        ['text', batch.map(({ found }) => JSON.stringify(storableJson(found.samples)))],
      )} as given(id, job, count, failed, since, until, seen, samples)
      on conflict (relationship_id, job_id) do update set occurrence_count = excluded.occurrence_count,
        failed_count = excluded.failed_count, observed_from = excluded.observed_from,
        observed_to = excluded.observed_to, seen_at = excluded.seen_at, sample_events = excluded.sample_events
      where (known.occurrence_count, known.failed_count, known.observed_from, known.observed_to, known.seen_at,
          known.sample_events::text)
        is distinct from (excluded.occurrence_count, excluded.failed_count, excluded.observed_from,
          excluded.observed_to, excluded.seen_at, excluded.sample_events::text)`);
  }
}

async function takeEvidence(tx: Database, shown: readonly Shown[]): Promise<void> {
  if (shown.length === 0) return;
  const given = unnested(['integer', shown.map(({ id }) => id)], ['integer', shown.map(({ job }) => job)]);
  await tx.execute(sql`
    delete from ${relationshipEvidence} e using ${given} as given(id, job)
    where e.relationship_id = given.id and e.job_id = given.job`);
}

async function recount(tx: Database, changes: ReadonlyMap<number, Change>): Promise<void> {
  if (changes.size === 0) return;
  const rows = [...changes];
  const given = unnested(
    ['integer', rows.map(([id]) => id)],
    ['bigint', rows.map(([, { by }]) => by)],
    ['timestamptz', rows.map(([, { from }]) => from?.toISOString() ?? null)],
    ['timestamptz', rows.map(([, { to }]) => to?.toISOString() ?? null)],
  );
  await tx.execute(sql`
    update ${relationships} r set occurrence_count = r.occurrence_count + given.by,
      first_seen_at = least(r.first_seen_at, given.since), last_seen_at = greatest(r.last_seen_at, given.until)
    from ${given} as given(id, by, since, until)
    where r.id = given.id and (given.by <> 0 or given.since < r.first_seen_at or given.until > r.last_seen_at)`);
}

/** A relationship that nothing shows any more goes. */
async function dropUnshown(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    delete from ${relationships} r where r.id = any(${anArray('integer', ids)})
      and not exists (select from ${relationshipEvidence} e where e.relationship_id = r.id)`);
}
