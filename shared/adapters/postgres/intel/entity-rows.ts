import type { Describe, JobIntel } from '@svc/application/intel/intel-repository.ts';
import { addressBytes, entityKey, type EntityType } from '@svc/domain';
import { sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityJobLinks } from '../schema/index.ts';
import { markEntities } from './mark-entities.ts';

/** How often entities are made that others make anew at the same time. */
const mostAttempts = 4;

interface Linked {
  readonly id: number;
  readonly type: EntityType;
  readonly value: string;
  readonly key: string;
  readonly isCounted: boolean;
}

export interface Located<Id extends number | null = number> {
  /** By their places. */
  readonly ids: readonly Id[];
  /** Those that were not there before. */
  readonly made: ReadonlySet<number>;
  /** Those that the job had named, and whether they counted it. */
  readonly before: ReadonlyMap<number, boolean>;
}

/**
 * Finds the entities of a job, or makes them, and locks them with those that it has named before. Whoever changes a
 * count has the entity locked, and with it what hangs on it; all are locked by one statement in the order of their
 * values, so that nobody waits for somebody who waits for him.
 */
export async function locate(
  tx: Database,
  jobId: number,
  named: JobIntel['entities'],
  { at, describe }: { readonly at: Date; readonly describe: Describe },
): Promise<Located> {
  const rows = named.map(({ type, value }) => {
    const { attributes, keys } = describe.describe({ type, value });
    const address = type === 'ip_address' ? addressBytes(value) : null;
    return { type, value, key: entityKey(value), address, attributes: attributes && JSON.stringify(attributes), keys };
  });
  const before = await linkedBefore(tx, jobId);
  const known = new Set(rows.map(({ type, key }) => `${type} ${key}`));
  const gone = before
    .filter(({ type, key }) => !known.has(`${type} ${key}`))
    .map(({ type, value, key }) => ({ type, value, key, address: null, attributes: null, keys: [] }));
  const all = [...rows, ...gone];
  const when = sql`${at.toISOString()}::timestamptz`;
  // A known one keeps its number, since numbers would run out if each attempt took one. New
  // ones come from a function, since RDS Proxy keeps a connection that is asked for `nextval`.
  const made = await madeOrLocked(
    tx,
    sql`
      insert into ${entities} (id, type, value, value_key, ip_key, first_seen_at, last_seen_at, job_count,
        attributes, attribute_keys, attributes_version)
      overriding system value
      select coalesce(known.id, next_entity_id()), given.type, given.value, given.key,
        decode(given.address, 'hex'), ${when}, ${when}, 1,
        given.attributes::jsonb, coalesce(string_to_array(nullif(given.keys, ''), ','), '{}'), ${describe.version}::smallint
      from ${unnested(
        ['text', all.map(({ type }) => type)],
        ['text', all.map(({ value }) => value)],
        ['text', all.map(({ key }) => key)],
        ['text', all.map(({ address }) => address)],
        ['text', all.map(({ attributes }) => attributes)],
        ['text', all.map(({ keys }) => keys.join(','))],
      )} as given(type, value, key, address, attributes, keys)
      left join ${entities} known on known.value_key = given.key and known.type = given.type
      order by given.key collate "C", given.type
      on conflict (value_key, type) do update set job_count = entities.job_count where false
      returning id`,
  );
  const found = await rowsOf<{ id: number }>(
    tx,
    sql`
      select e.id
      from ${unnested(['text', rows.map(({ type }) => type)], ['text', rows.map(({ key }) => key)])}
        with ordinality as given(type, key, place)
      join ${entities} e on e.value_key = given.key and e.type = given.type
      order by given.place`,
  );
  if (found.length !== rows.length) throw new Error(`${found.length} of ${rows.length} entities were found`);
  return {
    ids: found.map(({ id }) => id),
    made: new Set(made.map(({ id }) => id)),
    before: new Map(before.map(({ id, isCounted }) => [id, isCounted])),
  };
}

/**
 * Runs the statement that makes or locks entities; again where another transaction has meanwhile made one anew under the
 * number that it had, which is then seen.
 */
async function madeOrLocked(tx: Database, statement: SQL): Promise<{ id: number }[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tx.transaction((inner) => rowsOf<{ id: number }>(inner, statement));
    } catch (error) {
      if (attempt === mostAttempts || !isUniqueViolation(error)) throw error;
    }
  }
}

/** Finds those of the entities that other jobs count, and locks them as `locate` does; makes none. */
export async function locateKnown(
  tx: Database,
  jobId: number,
  named: JobIntel['entities'],
): Promise<Located<number | null>> {
  const before = await linkedBefore(tx, jobId);
  const types = ['text', named.map(({ type }) => type)] as const;
  const keys = ['text', named.map(({ value }) => entityKey(value))] as const;
  await tx.execute(sql`
    select from ${entities} e
    where e.id = any(${anArray(
      'integer',
      before.map(({ id }) => id),
    )}) or (e.value_key, e.type) in (select key, type from ${unnested(types, keys)} as given(type, key))
    order by e.value_key, e.type for no key update`);
  const counted = before.flatMap(({ id, isCounted }) => (isCounted ? id : []));
  const found = await rowsOf<{ id: number | null }>(
    tx,
    sql`
      select e.id from ${unnested(types, keys)} with ordinality as given(type, key, place)
      left join ${entities} e on e.value_key = given.key and e.type = given.type
        and e.job_count > case when e.id = any(${anArray('integer', counted)}) then 1 else 0 end
      order by given.place`,
  );
  return {
    ids: found.map(({ id }) => id),
    made: new Set(),
    before: new Map(before.map(({ id, isCounted }) => [id, isCounted])),
  };
}

function linkedBefore(tx: Database, jobId: number): Promise<Linked[]> {
  return rowsOf<Linked>(
    tx,
    sql`select e.id, e.type, e.value, e.value_key as key, l.is_counted as "isCounted"
        from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id where l.job_id = ${jobId}`,
  );
}

/** Links the job to what it names, and counts it there or not; what it does not name any more loses the link. */
export async function linkEntities(
  tx: Database,
  jobId: number,
  { ids, made, before }: Located,
  { counts, at, isLocal }: { readonly counts: readonly number[]; readonly at: Date; readonly isLocal: boolean },
): Promise<void> {
  await tx.execute(sql`
    insert into ${entityJobLinks} (entity_id, job_id, occurrence_count, is_counted)
    select given.id, ${jobId}::integer, given.count, ${!isLocal}
    from ${unnested(['integer', ids], ['integer', counts])} as given(id, count)
    order by given.id
    on conflict (entity_id, job_id) do update
      set occurrence_count = excluded.occurrence_count, is_counted = excluded.is_counted
    where (${entityJobLinks}.occurrence_count, ${entityJobLinks}.is_counted) <>
      (excluded.occurrence_count, excluded.is_counted)`);
  const joined = isLocal ? [] : ids.filter((id) => !made.has(id) && before.get(id) !== true).sort((a, b) => a - b);
  const when = sql`${at.toISOString()}::timestamptz`;
  await tx.execute(sql`
    update ${entities} set job_count = job_count + 1, first_seen_at = least(first_seen_at, ${when}),
      last_seen_at = greatest(last_seen_at, ${when}), told_at = null
    where id = any(${anArray('integer', joined)})`);
  await markEntities(tx, [...made]);
  const named = new Set(ids);
  await unlinkEntities(
    tx,
    jobId,
    [...before.keys()].filter((id) => !named.has(id)),
  );
  if (isLocal)
    await uncount(
      tx,
      ids.filter((id) => before.get(id) === true),
    );
}

/** Takes the job off entities, which are locked; what no job that is counted names then goes. */
export async function unlinkEntities(tx: Database, jobId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const counted = await rowsOf<{ id: number; isCounted: boolean }>(
    tx,
    sql`delete from ${entityJobLinks} where job_id = ${jobId} and entity_id = any(${anArray('integer', ids)})
        returning entity_id as id, is_counted as "isCounted"`,
  );
  await uncount(
    tx,
    counted.flatMap(({ id, isCounted }) => (isCounted ? id : [])),
  );
}

/** Counts one job less of each; what none is left of goes, with links that were not counted. */
async function uncount(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const those = anArray('integer', ids);
  await tx.execute(sql`update ${entities} set job_count = job_count - 1 where id = any(${those})`);
  await tx.execute(sql`delete from ${entities} where id = any(${those}) and job_count = 0`);
}
