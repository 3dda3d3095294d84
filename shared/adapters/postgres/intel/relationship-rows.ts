import type { JobIntel } from '@svc/application/intel/intel-repository.ts';
import { sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { relationshipEvidence, relationships } from '../schema/index.ts';
import { storableJson } from '../text.ts';

/** Rows of evidence a statement: their samples are the bulk of it. */
const batchSize = 2000;

interface Shown {
  readonly id: number;
  readonly count: number;
}

/**
 * Puts what a job shows of relationships in the place of what it has shown before. All their ends are locked, so that
 * nobody else changes them.
 * @param ids - of the entities, by their places
 */
export async function relate(
  tx: Database,
  jobId: number,
  found: JobIntel['relationships'],
  { ids, at }: { readonly ids: readonly number[]; readonly at: Date },
): Promise<void> {
  const before = await takeEvidence(tx, jobId);
  const edges = await locate(tx, found, { ids, at });
  await addEvidence(tx, jobId, { found, edges, at });
  const when = sql`${at.toISOString()}::timestamptz`;
  const shown = found.map(({ count }, place) => ({ id: edges[place]!, count }));
  const seen = sql`, first_seen_at = least(first_seen_at, ${when}), last_seen_at = greatest(last_seen_at, ${when})`;
  await add(tx, shown, seen);
  await takeOff(tx, before);
}

/** Takes what a job shows of relationships, whose ends are locked, out of them. */
export async function unrelate(tx: Database, jobId: number): Promise<void> {
  await takeOff(tx, await takeEvidence(tx, jobId));
}

async function takeEvidence(tx: Database, jobId: number): Promise<Shown[]> {
  return rowsOf(
    tx,
    sql`delete from ${relationshipEvidence} where job_id = ${jobId}
        returning relationship_id as id, occurrence_count as count`,
  );
}

/** Finds the relationships, or makes them; their ids in order. */
async function locate(
  tx: Database,
  found: JobIntel['relationships'],
  { ids, at }: { readonly ids: readonly number[]; readonly at: Date },
): Promise<number[]> {
  const given = unnested(
    ['integer', found.map(({ source }) => ids[source])],
    ['integer', found.map(({ target }) => ids[target])],
    ['text', found.map(({ type }) => type)],
  );
  const same = sql`r.source_id = given.source and r.target_id = given.target and r.type = given.type`;
  const when = sql`${at.toISOString()}::timestamptz`;
  await tx.execute(sql`
    insert into ${relationships} (source_id, target_id, type, first_seen_at, last_seen_at, occurrence_count)
    select given.source, given.target, given.type, ${when}, ${when}, 0 from ${given} as given(source, target, type)
    where not exists (select from ${relationships} r where ${same})`);
  const rows = await rowsOf<{ id: number }>(
    tx,
    sql`select r.id from ${given} with ordinality as given(source, target, type, place)
        join ${relationships} r on ${same} order by given.place`,
  );
  return rows.map(({ id }) => id);
}

async function addEvidence(
  tx: Database,
  jobId: number,
  { found, edges, at }: { found: JobIntel['relationships']; edges: readonly number[]; at: Date },
): Promise<void> {
  for (let start = 0; start < found.length; start += batchSize) {
    const batch = found.slice(start, start + batchSize);
    await tx.execute(sql`
      insert into ${relationshipEvidence}
        (relationship_id, job_id, occurrence_count, failed_count, observed_from, observed_to, seen_at, sample_events)
      select given.id, ${jobId}::integer, given.count, given.failed, to_timestamp(given.since / 1000),
        to_timestamp(given.until / 1000), ${at.toISOString()}::timestamptz, given.samples::json
      from ${unnested(
        ['integer', edges.slice(start, start + batchSize)],
        ['integer', batch.map(({ count }) => count)],
        ['integer', batch.map(({ failed }) => failed)],
        ['float8', batch.map(({ observedFrom }) => observedFrom)],
        ['float8', batch.map(({ observedTo }) => observedTo)],
        ['text', batch.map(({ samples }) => JSON.stringify(storableJson(samples)))],
      )} as given(id, count, failed, since, until, samples)`);
  }
}

/** Takes events off that showed relationships; one that nothing shows any more goes. */
async function takeOff(tx: Database, shown: readonly Shown[]): Promise<void> {
  const ids = shown.map(({ id }) => id);
  await add(
    tx,
    shown.map(({ id, count }) => ({ id, count: -count })),
  );
  await tx.execute(sql`
    delete from ${relationships} r where r.id = any(${anArray('integer', ids)})
      and not exists (select from ${relationshipEvidence} e where e.relationship_id = r.id)`);
}

async function add(tx: Database, shown: readonly Shown[], also: SQL = sql``): Promise<void> {
  const given = unnested(['integer', shown.map(({ id }) => id)], ['bigint', shown.map(({ count }) => count)]);
  await tx.execute(sql`
    update ${relationships} r set occurrence_count = r.occurrence_count + given.count ${also}
    from ${given} as given(id, count) where r.id = given.id`);
}
