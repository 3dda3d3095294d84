import type { Describe, StoringJob } from '@svc/application/intel/intel-repository.ts';
import { addressBytes, entityKey, type EntityType } from '@svc/domain';
import { sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityJobLinks, jobEntityCounts } from '../schema/index.ts';
import { changeTotals } from './entity-totals.ts';
import { markEntities } from './mark-entities.ts';

/** How often entities are made that others make anew at the same time. */
const mostAttempts = 4;

interface Link {
  readonly job: number;
  readonly id: number;
  readonly count: number;
  /** Whether `entities.job_count` has it. */
  readonly isCounted: boolean;
}

interface Named {
  readonly type: EntityType;
  readonly value: string;
  readonly key: string;
  /** How many of the jobs name it that are counted, and when the first and the last of them was analysed. */
  jobs: number;
  from: Date | null;
  to: Date | null;
}

export interface Located {
  /** Of each job by the places of its entities; null for one that the job is not linked to. */
  readonly ids: readonly (readonly (number | null)[])[];
  /** Types of those that were not there before, by id; counted as they are to be. */
  readonly made: ReadonlyMap<number, EntityType>;
  /** What the jobs had named. */
  readonly before: readonly Link[];
}

/**
 * Finds the entities of jobs, or makes them, and locks them with those that the jobs have named before. Whoever changes
 * a count has the entity locked, and with it what hangs on it; all are locked by one statement in the order of their
 * values, so that nobody waits for somebody who waits for him. A job that is local makes none, and gets those that jobs
 * name which are counted.
 */
export async function locate(tx: Database, jobs: readonly StoringJob[], describe: Describe): Promise<Located> {
  const before = await linkedBefore(
    tx,
    jobs.map(({ jobId }) => jobId),
  );
  const named = namedBy(jobs);
  for (const { type, value, key } of before) {
    const name = nameOf(type, key);
    if (!named.has(name)) named.set(name, { type, value, key, jobs: 0, from: null, to: null });
  }
  const all = [...named.values()];
  const made = await madeOrLocked(tx, all, describe);
  const found = await rowsOf<{ id: number | null; count: number }>(
    tx,
    sql`
      select e.id, e.job_count as count
      from ${unnested(['text', all.map(({ type }) => type)], ['text', all.map(({ key }) => key)])}
        with ordinality as given(type, key, place)
      left join ${entities} e on e.value_key = given.key and e.type = given.type
      order by given.place`,
  );
  const counted = tally(before.flatMap(({ id, isCounted }) => (isCounted ? id : [])));
  const places = new Map<string, { readonly id: number | null; readonly isLeft: boolean }>();
  for (const [place, [name, { type, value, jobs: naming }]] of [...named].entries()) {
    const { id, count } = found[place]!;
    if (id === null && naming > 0) throw new Error(`the ${type} ${value} was not found`);
    const left = id === null ? 0 : made.has(id) ? naming : count - (counted.get(id) ?? 0) + naming;
    places.set(name, { id, isLeft: left > 0 });
  }
  const ids = jobs.map(({ intel, isLocal }) =>
    intel.entities.map(({ type, value }) => {
      const { id, isLeft } = places.get(nameOf(type, entityKey(value)))!;
      return isLeft || !isLocal ? id : null;
    }),
  );
  return { ids, made, before };
}

const nameOf = (type: EntityType, key: string): string => `${type} ${key}`;

/** Each once, as the first job spells it. */
function namedBy(jobs: readonly StoringJob[]): Map<string, Named> {
  const named = new Map<string, Named>();
  for (const { intel, at, isLocal } of jobs) {
    for (const { type, value } of intel.entities) {
      const key = entityKey(value);
      const name = nameOf(type, key);
      let one = named.get(name);
      if (one === undefined) named.set(name, (one = { type, value, key, jobs: 0, from: null, to: null }));
      if (isLocal) continue;
      one.jobs += 1;
      if (one.from === null || at < one.from) one.from = at;
      if (one.to === null || at > one.to) one.to = at;
    }
  }
  return named;
}

function tally(ids: readonly number[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

/**
 * Runs the statement that makes or locks entities; again where another transaction has meanwhile made one anew under the
 * number that it had, which is then seen. Types of those that it has made, by id.
 */
async function madeOrLocked(tx: Database, all: readonly Named[], describe: Describe): Promise<Map<number, EntityType>> {
  const statement = makingOrLocking(all, describe);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const made = await tx.transaction((inner) => rowsOf<{ id: number; type: EntityType }>(inner, statement));
      return new Map(made.map(({ id, type }) => [id, type]));
    } catch (error) {
      if (attempt === mostAttempts || !isUniqueViolation(error)) throw error;
    }
  }
}

function makingOrLocking(all: readonly Named[], describe: Describe): SQL {
  const rows = all.map(({ type, value, key, jobs, from, to }) => {
    const { attributes, keys } = jobs === 0 ? { attributes: null, keys: [] } : describe.describe({ type, value });
    const address = type === 'ip_address' ? addressBytes(value) : null;
    const said = { attributes: attributes && JSON.stringify(attributes), keys: keys.join(',') };
    return { type, value, key, address, ...said, jobs, from: from?.toISOString(), to: to?.toISOString() };
  });
  // A known one keeps its number, since numbers would run out if each attempt took one. New
  // ones come from a function, since RDS Proxy keeps a connection that is asked for `nextval`.
  return sql`
    insert into ${entities} (id, type, value, value_key, ip_key, first_seen_at, last_seen_at, job_count,
      attributes, attribute_keys, attributes_version)
    overriding system value
    select coalesce(known.id, next_entity_id()), given.type, given.value, given.key, decode(given.address, 'hex'),
      coalesce(given.since, known.first_seen_at), coalesce(given.until, known.last_seen_at), given.jobs,
      given.attributes::jsonb, coalesce(string_to_array(nullif(given.keys, ''), ','), '{}'), ${describe.version}::smallint
    from ${unnested(
      ['text', rows.map(({ type }) => type)],
      ['text', rows.map(({ value }) => value)],
      ['text', rows.map(({ key }) => key)],
      ['text', rows.map(({ address }) => address)],
      ['text', rows.map(({ attributes }) => attributes)],
      ['text', rows.map(({ keys }) => keys)],
      ['integer', rows.map(({ jobs }) => jobs)],
      ['timestamptz', rows.map(({ from }) => from ?? null)],
      ['timestamptz', rows.map(({ to }) => to ?? null)],
    )} as given(type, value, key, address, attributes, keys, jobs, since, until)
    left join ${entities} known on known.value_key = given.key and known.type = given.type
    where given.jobs > 0 or known.id is not null
    order by given.key collate "C", given.type
    on conflict (value_key, type) do update set job_count = entities.job_count where false
    returning id, type`;
}

function linkedBefore(
  tx: Database,
  jobIds: readonly number[],
): Promise<(Link & { readonly type: EntityType; readonly value: string; readonly key: string })[]> {
  return rowsOf(
    tx,
    sql`select l.job_id as job, e.id, e.type, e.value, e.value_key as key, l.occurrence_count as count,
          l.is_counted as "isCounted"
        from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id
        where l.job_id = any(${anArray('integer', jobIds)})`,
  );
}

/** Links jobs to what they name, and counts them there or not; what they do not name any more loses the link. */
export async function linkEntities(
  tx: Database,
  jobs: readonly StoringJob[],
  { ids, made, before }: Located,
): Promise<void> {
  const known = new Map(before.map((link) => [`${link.job} ${link.id}`, link]));
  const changed: Link[] = [];
  const changes = new Map<number, Change>();
  const gone = new Map(known);
  for (const [nth, { jobId: job, intel, at, isLocal }] of jobs.entries()) {
    for (const [place, { count }] of intel.entities.entries()) {
      const id = ids[nth]![place]!;
      if (id === null) continue;
      const link = { job, id, count, isCounted: !isLocal };
      const was = known.get(`${job} ${id}`);
      gone.delete(`${job} ${id}`);
      if (was?.count !== count || was.isCounted !== link.isCounted) changed.push(link);
      if (!made.has(id)) noteChange(changes, { id, by: Number(link.isCounted) - Number(was?.isCounted ?? false), at });
    }
  }
  for (const { id, isCounted } of gone.values()) if (isCounted) noteChange(changes, { id, by: -1, at: null });
  await putLinks(tx, changed);
  await takeLinks(tx, [...gone.values()]);
  await recount(tx, changes);
  await countNamed(tx, jobs, ids);
  const linked = new Set(ids.flat());
  // One made in the place of one that others have removed meanwhile is counted by nobody.
  const stray = [...made.keys()].filter((id) => !linked.has(id));
  const dropped = await dropUncounted(tx, [...stray, ...[...changes].flatMap(([id, { by }]) => (by < 0 ? id : []))]);
  await changeTotals(tx, { made: [...made.values()], gone: dropped });
  await markEntities(tx, [...made.keys()]);
}

/** How a count changes; the times of the jobs that are added. */
interface Change {
  by: number;
  from: Date | null;
  to: Date | null;
}

function noteChange(
  changes: Map<number, Change>,
  { id, by, at }: { readonly id: number; readonly by: number; readonly at: Date | null },
): void {
  if (by === 0) return;
  let change = changes.get(id);
  if (change === undefined) changes.set(id, (change = { by: 0, from: null, to: null }));
  change.by += by;
  if (by < 0 || at === null) return;
  if (change.from === null || at < change.from) change.from = at;
  if (change.to === null || at > change.to) change.to = at;
}

async function putLinks(tx: Database, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const given = unnested(
    ['integer', links.map(({ id }) => id)],
    ['integer', links.map(({ job }) => job)],
    ['integer', links.map(({ count }) => count)],
    ['boolean', links.map(({ isCounted }) => isCounted)],
  );
  await tx.execute(sql`
    insert into ${entityJobLinks} (entity_id, job_id, occurrence_count, is_counted)
    select given.id, given.job, given.count, given.counted from ${given} as given(id, job, count, counted)
    order by given.id, given.job
    on conflict (entity_id, job_id) do update
      set occurrence_count = excluded.occurrence_count, is_counted = excluded.is_counted`);
}

async function takeLinks(tx: Database, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const given = unnested(['integer', links.map(({ id }) => id)], ['integer', links.map(({ job }) => job)]);
  await tx.execute(sql`
    delete from ${entityJobLinks} l using ${given} as given(id, job)
    where l.entity_id = given.id and l.job_id = given.job`);
}

/** Keeps how many entities each job names; nothing of jobs whose links are not counted. */
async function countNamed(tx: Database, jobs: readonly StoringJob[], ids: Located['ids']): Promise<void> {
  const counted = jobs.flatMap(({ jobId, isLocal }, nth) =>
    isLocal ? [] : [{ jobId, named: new Set(ids[nth]).size }],
  );
  await uncount(
    tx,
    jobs.flatMap(({ jobId, isLocal }) => (isLocal ? jobId : [])),
  );
  if (counted.length === 0) return;
  const given = unnested(
    ['integer', counted.map(({ jobId }) => jobId)],
    ['integer', counted.map(({ named }) => named)],
  );
  await tx.execute(sql`
    insert into ${jobEntityCounts} (job_id, entities) select given.job, given.named from ${given} as given(job, named)
    on conflict (job_id) do update set entities = excluded.entities where ${jobEntityCounts.entities} <> excluded.entities`);
}

async function uncount(tx: Database, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return;
  await tx.delete(jobEntityCounts).where(sql`${jobEntityCounts.jobId} = any(${anArray('integer', jobIds)})`);
}

async function recount(tx: Database, changes: ReadonlyMap<number, Change>): Promise<void> {
  if (changes.size === 0) return;
  const rows = [...changes];
  const given = unnested(
    ['integer', rows.map(([id]) => id)],
    ['integer', rows.map(([, { by }]) => by)],
    ['timestamptz', rows.map(([, { from }]) => from?.toISOString() ?? null)],
    ['timestamptz', rows.map(([, { to }]) => to?.toISOString() ?? null)],
  );
  await tx.execute(sql`
    update ${entities} e set job_count = e.job_count + given.by,
      first_seen_at = least(e.first_seen_at, given.since), last_seen_at = greatest(e.last_seen_at, given.until),
      told_at = case when given.since is null then e.told_at end
    from ${given} as given(id, by, since, until) where e.id = given.id`);
}

/** Takes a job off entities, which are locked; what no job that is counted names then goes. */
export async function unlinkEntities(tx: Database, jobId: number, ids: readonly number[]): Promise<void> {
  await uncount(tx, [jobId]);
  if (ids.length === 0) return;
  const those = anArray('integer', ids);
  const links = await rowsOf<{ id: number; isCounted: boolean }>(
    tx,
    sql`delete from ${entityJobLinks} where job_id = ${jobId} and entity_id = any(${those})
        returning entity_id as id, is_counted as "isCounted"`,
  );
  const counted = links.flatMap(({ id, isCounted }) => (isCounted ? id : []));
  await tx.execute(
    sql`update ${entities} set job_count = job_count - 1 where id = any(${anArray('integer', counted)})`,
  );
  await changeTotals(tx, { made: [], gone: await dropUncounted(tx, counted) });
}

/** What no job that is counted names goes, with links that were not counted; the types of what has gone. */
async function dropUncounted(tx: Database, ids: readonly number[]): Promise<EntityType[]> {
  if (ids.length === 0) return [];
  const gone = await tx
    .delete(entities)
    .where(sql`${entities.id} = any(${anArray('integer', ids)}) and ${entities.jobCount} = 0`)
    .returning({ type: entities.type });
  return gone.map(({ type }) => type);
}
