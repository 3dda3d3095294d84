import type { FoundThreat, NamedByThreat } from '@svc/application/intel/named-by-threats.ts';
import type {
  Describe,
  EndedJob,
  IntelRepository,
  StoredIntel,
  StoringJob,
} from '@svc/application/intel/intel-repository.ts';
import { taskIntelOfAnalytics, type TaskIntel } from '@svc/application/intel/task-intel.ts';
import type { JobAnalytics } from '@svc/application/report/derivation-repository.ts';
import { isTerminal, type EntityType } from '@svc/domain';
import { and, asc, eq, gt, isNull, ne, sql, type Column, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { packed, unpacked } from '../packed-json.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityJobLinks, entityThreats, jobs, taskDerivations } from '../schema/index.ts';
import { linkEntities, locate, unlinkEntities } from './entity-rows.ts';
import { linkFindings, type LinkingJob } from './finding-links.ts';
import { markEntities } from './mark-entities.ts';
import { relate, unrelate } from './relationship-rows.ts';

/** Of the code that stores intel; a change of it has that of all jobs stored anew. */
export const intelVersion = 2;

/** Packed: ten times that in memory, and what a transaction writes in seconds. */
const bytesAtOnce = 200_000;

export class PgIntelRepository implements IntelRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async holdEnded(jobIds: readonly number[]): Promise<EndedJob[]> {
    const { id, isPrivate, finishedAt, createdAt, status } = jobs;
    const held = await this.#db
      .select({ id, isPrivate, finishedAt, createdAt, status })
      .from(jobs)
      .where(isOneOf(id, jobIds))
      .orderBy(asc(id))
      .for('no key update');
    return held
      .filter((job) => isTerminal(job.status))
      .map((job) => ({ id: job.id, isPrivate: job.isPrivate, at: job.finishedAt ?? job.createdAt }));
  }

  async derivedOf(jobIds: readonly number[]): Promise<Map<number, TaskIntel[]>> {
    const { analytics, intel, jobId, taskResultId } = taskDerivations;
    const rows = await this.#db
      // The analytics only where they are needed.
      .select({ jobId, intel, analytics: sql<JobAnalytics | null>`case when ${intel} is null then ${analytics} end` })
      .from(taskDerivations)
      .where(isOneOf(jobId, jobIds))
      .orderBy(asc(taskResultId));
    const read = await Promise.all(
      rows.map(async (row) => ({
        jobId: row.jobId,
        task: row.intel === null ? taskIntelOfAnalytics(row.analytics!) : await unpacked<TaskIntel>(row.intel),
      })),
    );
    return byJob(read, ({ task }) => task);
  }

  async threatsOf(jobIds: readonly number[]): Promise<Map<number, FoundThreat[]>> {
    const rows = await rowsOf<FoundThreat & { jobId: number }>(
      this.#db,
      sql`select distinct d.job_id as "jobId", c.key as category, i->>'severity' as severity, i->>'value' as value
          from ${taskDerivations} d
          cross join lateral jsonb_each(d.analytics->'threats'->'categories') c(key, found)
          cross join lateral jsonb_array_elements(c.found->'indicators') i
          where d.job_id = any(${anArray('integer', jobIds)})`,
    );
    return byJob(rows, ({ jobId: _jobId, ...threat }) => threat);
  }

  async unread(jobIds: readonly number[]): Promise<number[]> {
    // What is in a log is shown of the first task.
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`select job_id as id from ${taskDerivations} where job_id = any(${anArray('integer', jobIds)})
          group by job_id
          having bool_or(intel is null) or (array_agg(census is null order by task_result_id))[1]
          order by job_id`,
    );
    return rows.map(({ id }) => id);
  }

  async keepDerived(taskId: number, intel: TaskIntel): Promise<void> {
    await this.#db
      .update(taskDerivations)
      .set({ intel: await packed(intel), intelVersion: 0 })
      .where(and(eq(taskDerivations.taskResultId, taskId), isNull(taskDerivations.intel)));
  }

  async replace(storing: readonly StoringJob[], describe: Describe): Promise<StoredIntel[]> {
    if (storing.length === 0) return [];
    const located = await locate(this.#db, storing, describe);
    const linking = storing.map(({ jobId, intel, at, isLocal }, nth) => ({
      jobId,
      at,
      ids: located.ids[nth]!,
      findings: intel.findings,
      // That what is known is related is not told.
      relationships: isLocal ? [] : intel.relationships,
      threats: intel.threats ?? [],
    }));
    await linkFindings(this.#db, linking);
    await relate(this.#db, linking);
    // Last, since what is not named any more is removed then.
    await linkEntities(this.#db, storing, located);
    await this.#nameThreats(linking);
    const jobIds = linking.map(({ jobId }) => jobId);
    await this.#db
      .update(taskDerivations)
      .set({ intelVersion })
      .where(and(isOneOf(taskDerivations.jobId, jobIds), ne(taskDerivations.intelVersion, intelVersion)));
    return linking.map(({ ids, relationships }) => ({
      entities: ids.filter((id) => id !== null).length,
      relationships: relationships.length,
    }));
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
    return this.#atOnce(
      sql`d.intel_version < ${intelVersion} and d.job_id < coalesce(${under}::integer, 2147483647)`,
      sql`desc`,
      limit,
    );
  }

  async jobsAfter(id: number, limit: number): Promise<number[]> {
    return this.#atOnce(sql`d.job_id > ${id}`, sql`asc`, limit);
  }

  /** Jobs that have ended, up to what is large when it is unpacked; one at least. */
  async #atOnce(which: SQL, order: SQL, limit: number): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`
      select id from (
        select id, sum(bytes) over (order by id ${order}) - bytes as before from (
          select d.job_id as id, sum(coalesce(octet_length(d.intel), pg_column_size(d.analytics))) as bytes
          from ${taskDerivations} d join ${jobs} j on j.id = d.job_id
          where j.status not in ('pending', 'running') and ${which}
          group by d.job_id order by d.job_id ${order} limit ${limit}) as sized) as summed
      where before < ${bytesAtOnce} order by id ${order}`,
    );
    return rows.map(({ id }) => id);
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

  async #nameThreats(linking: readonly (LinkingJob & { readonly threats: readonly NamedByThreat[] })[]): Promise<void> {
    const jobIds = linking.map(({ jobId }) => jobId);
    await this.#db.delete(entityThreats).where(isOneOf(entityThreats.jobId, jobIds));
    const named = linking.flatMap(({ jobId, ids, threats }) =>
      threats.flatMap(({ entity, ...threat }) => {
        const id = ids[entity]!;
        return id === null ? [] : [{ jobId, id, ...threat }];
      }),
    );
    if (named.length === 0) return;
    const given = unnested(
      ['integer', named.map(({ id }) => id)],
      ['integer', named.map(({ jobId }) => jobId)],
      ['text', named.map(({ category }) => category)],
      ['integer', named.map(({ severityRank }) => severityRank)],
    );
    await this.#db.execute(sql`
      insert into ${entityThreats} (entity_id, job_id, category, severity_rank)
      select entity, job, category, rank from ${given} as given(entity, job, category, rank)`);
  }
}

function isOneOf(column: Column, ids: readonly number[]): SQL {
  return sql`${column} = any(${anArray('integer', ids)})`;
}

function byJob<T extends { readonly jobId: number }, V>(rows: readonly T[], valueOf: (row: T) => V): Map<number, V[]> {
  const found = new Map<number, V[]>();
  for (const row of rows) {
    const ofJob = found.get(row.jobId);
    if (ofJob === undefined) found.set(row.jobId, [valueOf(row)]);
    else ofJob.push(valueOf(row));
  }
  return found;
}
