import type { EntityPart } from '@svc/application/intel/entity-links.ts';
import type { AskedJob, SeenBefore, SeenEntity } from '@svc/application/intel/seen-before.ts';
import { entityKey, entityValue, type Actor, type EntityType } from '@svc/domain';
import { sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityFindings, entityJobLinks, jobs } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';
import { listedEntities } from './listed-entities.ts';

export class PgSeenBefore implements SeenBefore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async counts(viewer: Actor, job: AskedJob): ReturnType<SeenBefore['counts']> {
    return rowsOf(
      this.#db,
      sql`select e.type, count(*)::integer as total, (count(*) filter (where ${wasSeen(viewer, job)}))::integer as seen
          from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id
          where l.job_id = ${job.id} group by e.type order by e.type`,
    );
  }

  async list(
    viewer: Actor,
    job: AskedJob,
    { isSeen, page, per }: { readonly isSeen: boolean } & EntityPart,
  ): Promise<readonly SeenEntity[]> {
    const isFound = sql`exists (select from ${entityFindings} f where f.entity_id = e.id and f.job_id = ${job.id})`;
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`select e.id from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id
          where l.job_id = ${job.id} and ${wasSeen(viewer, job)} = ${isSeen}
          order by ${isFound} desc, e.job_count, e.id limit ${per} offset ${(page - 1) * per}`,
    );
    const found = await this.#seen(
      viewer,
      job,
      rows.map(({ id }) => id),
    );
    return rows.flatMap(({ id }) => found.get(id) ?? []);
  }

  async known(
    viewer: Actor,
    job: AskedJob,
    values: readonly { readonly type: EntityType; readonly value: string }[],
  ): Promise<readonly (SeenEntity | null)[]> {
    const given = unnested(
      ['text', values.map(({ value }) => entityKey(entityValue(value)))],
      ['text', values.map(({ type }) => type)],
    );
    const rows = await rowsOf<{ id: number; place: string | number }>(
      this.#db,
      sql`select e.id, given.place from ${given} with ordinality as given(key, type, place)
          join ${entities} e on e.value_key = given.key and e.type = given.type`,
    );
    const byPlace = new Map(rows.map(({ id, place }) => [Number(place) - 1, id]));
    const found = await this.#seen(viewer, job, [...new Set(byPlace.values())]);
    return values.map((_, place) => found.get(byPlace.get(place) ?? 0) ?? null);
  }

  async #seen(viewer: Actor, job: AskedJob, ids: readonly number[]): Promise<Map<number, SeenEntity>> {
    const counted = await rowsOf<{ id: number; jobs: number; before: number }>(
      this.#db,
      sql`select l.entity_id as id, count(*)::integer as jobs,
            (count(*) filter (where l.job_id < ${job.id}))::integer as before
          from ${entityJobLinks} l join ${jobs} on ${jobs.id} = l.job_id
          where l.entity_id = any(${anArray('integer', ids)}) and ${isElsewhere(viewer, job)} group by l.entity_id`,
    );
    const counts = new Map(counted.map((row) => [row.id, row]));
    const listed = await listedEntities(this.#db, ids);
    return new Map(
      listed.map((entity) => {
        const { jobs: all = 0, before = 0 } = counts.get(entity.id) ?? {};
        return [entity.id, { entity, jobs: all, before }];
      }),
    );
  }
}

/** A job of another file that the viewer sees. */
function isElsewhere(viewer: Actor, { fileId }: AskedJob): SQL {
  return sql`${jobs.fileId} <> ${fileId} and ${visibleTo(viewer) ?? sql`true`}`;
}

/** Whether such a job that came before names the entity `e`. */
function wasSeen(viewer: Actor, job: AskedJob): SQL {
  return sql`exists (
    select from ${entityJobLinks} o join ${jobs} on ${jobs.id} = o.job_id
    where o.entity_id = e.id and o.job_id < ${job.id} and ${isElsewhere(viewer, job)})`;
}
