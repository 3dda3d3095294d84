import type { FoundThreat } from '@svc/application/intel/named-by-threats.ts';
import type { Describe, IntelRepository, JobIntel, StoredIntel } from '@svc/application/intel/intel-repository.ts';
import { taskIntelOfAnalytics, type TaskIntel } from '@svc/application/intel/task-intel.ts';
import type { JobAnalytics } from '@svc/application/report/derivation-repository.ts';
import type { EntityType } from '@svc/domain';
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { packed, unpacked } from '../packed-json.ts';
import { rowsOf } from '../rows-of.ts';
import {
  entities,
  entityFindings,
  entityJobLinks,
  entityThreats,
  findings,
  jobs,
  taskDerivations,
} from '../schema/index.ts';
import { noteFound } from './found-entities.ts';
import { linkEntities, locate, locateKnown, unlinkEntities } from './entity-rows.ts';
import { markEntities } from './mark-entities.ts';
import { relate, unrelate } from './relationship-rows.ts';

/** Of the code that stores intel; a change of it has that of all jobs stored anew. */
export const intelVersion = 2;

export class PgIntelRepository implements IntelRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async derivedOf(jobId: number): Promise<TaskIntel[]> {
    const { analytics, intel, taskResultId } = taskDerivations;
    const rows = await this.#db
      // The analytics only where they are needed.
      .select({ intel, analytics: sql<JobAnalytics | null>`case when ${intel} is null then ${analytics} end` })
      .from(taskDerivations)
      .where(eq(taskDerivations.jobId, jobId))
      .orderBy(asc(taskResultId));
    const tasks = [];
    for (const row of rows) {
      if (row.intel !== null) tasks.push(await unpacked<TaskIntel>(row.intel));
      else if (row.analytics !== null) tasks.push(taskIntelOfAnalytics(row.analytics));
    }
    return tasks;
  }

  threatsOf(jobId: number): Promise<FoundThreat[]> {
    return rowsOf<FoundThreat>(
      this.#db,
      sql`select distinct c.key as category, i->>'severity' as severity, i->>'value' as value
          from ${taskDerivations} d
          cross join lateral jsonb_each(d.analytics->'threats'->'categories') c(key, found)
          cross join lateral jsonb_array_elements(c.found->'indicators') i where d.job_id = ${jobId}`,
    );
  }

  async keepDerived(taskId: number, intel: TaskIntel): Promise<void> {
    await this.#db
      .update(taskDerivations)
      .set({ intel: await packed(intel), intelVersion: 0 })
      .where(and(eq(taskDerivations.taskResultId, taskId), isNull(taskDerivations.intel)));
  }

  async replace(
    jobId: number,
    intel: JobIntel,
    { at, describe, isLocal }: Parameters<IntelRepository['replace']>[2],
  ): Promise<StoredIntel> {
    const all = isLocal
      ? await locateKnown(this.#db, jobId, intel.entities)
      : await locate(this.#db, jobId, intel.entities, { at, describe });
    const { entities: named, findings: found, relationships, threats = [] } = isLocal ? ofKnown(intel, all.ids) : intel;
    const located = { ...all, ids: all.ids.filter((id) => id !== null) };
    const { ids } = located;
    await this.#linkFindings(jobId, found, ids);
    await relate(this.#db, jobId, relationships, { ids, at });
    // Last, since what is not named any more is removed then.
    await linkEntities(this.#db, jobId, located, { counts: named.map(({ count }) => count), at, isLocal });
    await this.#nameThreats(jobId, threats, ids);
    await this.#db.update(taskDerivations).set({ intelVersion }).where(eq(taskDerivations.jobId, jobId));
    return { entities: ids.length, relationships: relationships.length };
  }

  async remove(jobId: number): Promise<void> {
    const linked = await rowsOf<{ id: number }>(
      this.#db,
      sql`select e.id from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id where l.job_id = ${jobId}
          order by e.value_key, e.type for no key update of e`,
    );
    await unrelate(this.#db, jobId);
    await unlinkEntities(
      this.#db,
      jobId,
      linked.map(({ id }) => id),
    );
  }

  async waiting({ under, limit }: { readonly under: number | null; readonly limit: number }): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`select distinct d.job_id as id from ${taskDerivations} d join ${jobs} j on j.id = d.job_id
          where d.intel_version < ${intelVersion} and j.status not in ('pending', 'running')
            and d.job_id < coalesce(${under}::integer, 2147483647)
          order by d.job_id desc limit ${limit}`,
    );
    return rows.map(({ id }) => id);
  }

  async jobsAfter(id: number, limit: number): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`select distinct d.job_id as id from ${taskDerivations} d join ${jobs} j on j.id = d.job_id
          where d.job_id > ${id} and j.status not in ('pending', 'running') order by d.job_id limit ${limit}`,
    );
    return rows.map((row) => row.id);
  }

  async describeAfter(after: number, limit: number, describe: Describe): Promise<number | null> {
    return this.#db.transaction(async (tx) => {
      const found = await tx
        .select({ id: entities.id })
        .from(entities)
        .where(gt(entities.id, after))
        .orderBy(asc(entities.id))
        .limit(limit);
      const ids = found.map(({ id }) => id);
      // In the order in which all lock them.
      const held = await rowsOf<{ id: number; type: EntityType; value: string }>(
        tx,
        sql`select id, type, value from ${entities} where id = any(${anArray('integer', ids)})
            order by value_key, type for no key update`,
      );
      const described = held.map(({ id, ...entity }) => ({ id, ...describe.describe(entity) }));
      const given = unnested(
        ['integer', described.map(({ id }) => id)],
        ['text', described.map(({ attributes }) => attributes && JSON.stringify(attributes))],
        ['text', described.map(({ keys }) => keys.join(','))],
      );
      const changed = await rowsOf<{ id: number }>(
        tx,
        sql`
          update ${entities} e set attributes = given.attributes::jsonb, attributes_version = ${describe.version},
            attribute_keys = coalesce(string_to_array(nullif(given.keys, ''), ','), '{}')
          from ${given} as given(id, attributes, keys)
          where e.id = given.id
            and (e.attributes is distinct from given.attributes::jsonb or e.attributes_version <> ${describe.version})
          returning e.id`,
      );
      await markEntities(
        tx,
        changed.map(({ id }) => id),
      );
      return ids.at(-1) ?? null;
    });
  }

  async #nameThreats(jobId: number, threats: NonNullable<JobIntel['threats']>, ids: readonly number[]): Promise<void> {
    await this.#db.delete(entityThreats).where(eq(entityThreats.jobId, jobId));
    if (threats.length === 0) return;
    const given = unnested(
      ['integer', threats.map(({ entity }) => ids[entity])],
      ['text', threats.map(({ category }) => category)],
      ['integer', threats.map((threat) => threat.severityRank)],
    );
    await this.#db.execute(sql`
      insert into ${entityThreats} (entity_id, job_id, category, severity_rank)
      select entity, ${jobId}, category, rank from ${given} as given(entity, category, rank)`);
  }

  async #linkFindings(jobId: number, found: JobIntel['findings'], ids: readonly number[]): Promise<void> {
    const before = await rowsOf<{ id: number }>(
      this.#db,
      sql`delete from ${entityFindings} where finding_id in (select id from ${findings} where job_id = ${jobId})
          returning entity_id as id`,
    );
    const links = found.flatMap(({ finding, entities: named }) => named.map((place) => ({ finding, id: ids[place] })));
    const given = unnested(['integer', links.map(({ finding }) => finding)], ['integer', links.map(({ id }) => id)]);
    const now = await rowsOf<{ id: number }>(
      this.#db,
      sql`
      insert into ${entityFindings} (finding_id, entity_id, job_id)
      select distinct coalesce(f.merged_into, f.id), given.entity, f.job_id from ${given} as given(finding, entity)
      join ${findings} f on f.id = given.finding and f.job_id = ${jobId}
      returning entity_id as id`,
    );
    await noteFound(this.#db, [...new Set([...before, ...now].map(({ id }) => id))]);
  }
}

/** Of what a job names that which is known; that it is related is not told. */
function ofKnown(
  { entities: named, findings: found, threats = [] }: JobIntel,
  ids: readonly (number | null)[],
): JobIntel {
  const places = new Map<number, number>();
  for (const [place, id] of ids.entries()) if (id !== null) places.set(place, places.size);
  return {
    entities: named.filter((_, place) => places.has(place)),
    findings: found.map(({ finding, entities: of }) => ({
      finding,
      entities: of.flatMap((place) => places.get(place) ?? []),
    })),
    relationships: [],
    threats: threats.flatMap((threat) => {
      const entity = places.get(threat.entity);
      return entity === undefined ? [] : [{ ...threat, entity }];
    }),
  };
}
