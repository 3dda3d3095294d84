import type {
  CaseContents,
  CaseEntityOrder,
  FoundEntity,
  LinkedEntity,
  LinkedJob,
} from '@svc/application/cases/case-contents.ts';
import type { EntityPart } from '@svc/application/intel/entity-links.ts';
import type { Actor, EntityType } from '@svc/domain';
import { and, asc, count, desc, eq, exists, inArray, like, not, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { literally } from '../text.ts';
import { listedEntities } from '../intel/listed-entities.ts';
import { placed } from '../intel/placed.ts';
import { PgJobViews } from '../jobs/job-views.ts';
import { accounts, caseEntities, caseJobs, entities, entityJobLinks, entitySearch, jobs } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';
import { accountName, nameOf } from './case-columns.ts';

const found = { id: entities.id, value: entities.value, type: entities.type, jobCount: entities.jobCount };

export class PgCaseContents implements CaseContents {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async entities(
    viewer: Actor,
    caseId: number,
    part: EntityPart & { readonly text: string; readonly type: EntityType | null; readonly by: CaseEntityOrder },
  ): ReturnType<CaseContents['entities']> {
    const all = await this.#db.$count(caseEntities, eq(caseEntities.caseId, caseId));
    const where = and(
      eq(caseEntities.caseId, caseId),
      part.type === null ? undefined : eq(entities.type, part.type),
      part.text === '' ? undefined : like(entities.valueKey, `%${literally(part.text.toLowerCase())}%`),
    );
    const isFiltered = part.type !== null || part.text !== '';
    const counted = isFiltered
      ? (
          await this.#db
            .select({ many: count() })
            .from(caseEntities)
            .innerJoin(entities, eq(entities.id, caseEntities.entityId))
            .where(where)
        )[0]?.many
      : all;
    const { page, offset, total } = placed(part, counted);
    const inJobs = sql<number>`(select count(*)::integer from ${entityJobLinks} where ${entityJobLinks.entityId} = ${caseEntities.entityId}
      and ${entityJobLinks.jobId} = any(array(${this.#jobsOf(viewer, caseId)})))`;
    const order: Readonly<Record<CaseEntityOrder, SQL[]>> = {
      added: [desc(caseEntities.addedAt), desc(caseEntities.entityId)],
      jobs: [desc(inJobs), desc(caseEntities.addedAt), desc(caseEntities.entityId)],
      everywhere: [desc(entities.jobCount), asc(entities.valueKey), desc(caseEntities.entityId)],
    };
    const rows = await this.#db
      .select({
        id: caseEntities.entityId,
        note: caseEntities.note,
        addedAt: caseEntities.addedAt,
        addedBy: caseEntities.addedBy,
        adder: accountName,
        caseJobs: inJobs,
      })
      .from(caseEntities)
      .innerJoin(entities, eq(entities.id, caseEntities.entityId))
      .leftJoin(accounts, eq(accounts.id, caseEntities.addedBy))
      .where(where)
      .orderBy(...order[part.by])
      .limit(part.per)
      .offset(offset);
    const shown = new Map(
      (
        await listedEntities(
          this.#db,
          rows.map(({ id }) => id),
        )
      ).map((one) => [one.id, one]),
    );
    const linked = rows.flatMap((row): LinkedEntity[] => {
      const entity = shown.get(row.id);
      if (entity === undefined) return [];
      const { value, type, jobCount, isAllowlisted, tags } = entity;
      return [{ ...row, adder: nameOf(row.adder), value, type, jobCount, isAllowlisted, tags }];
    });
    return { page, total, all, entities: linked };
  }

  async jobs(
    viewer: Actor,
    caseId: number,
    part: EntityPart & { readonly by: 'added' | 'created' },
  ): ReturnType<CaseContents['jobs']> {
    const where = and(eq(caseJobs.caseId, caseId), visibleTo(viewer));
    const [counted] = await this.#db
      .select({ many: count() })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .where(where);
    const { page, offset, total } = placed(part, counted?.many);
    const rows = await this.#db
      .select({
        id: caseJobs.jobId,
        note: caseJobs.note,
        addedAt: caseJobs.addedAt,
        addedBy: caseJobs.addedBy,
        adder: accountName,
        caseEntities: sql<number>`(select count(*)::integer from ${caseEntities} join ${entityJobLinks}
          on ${entityJobLinks.entityId} = ${caseEntities.entityId} and ${entityJobLinks.jobId} = ${caseJobs.jobId}
          where ${caseEntities.caseId} = ${caseJobs.caseId})`,
      })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .leftJoin(accounts, eq(accounts.id, caseJobs.addedBy))
      .where(where)
      .orderBy(...(part.by === 'added' ? [desc(caseJobs.addedAt)] : [desc(jobs.createdAt)]), desc(caseJobs.jobId))
      .limit(part.per)
      .offset(offset);
    const views = await new PgJobViews(this.#db).some(
      viewer,
      rows.map(({ id }) => id),
    );
    const viewOf = new Map(views.map((view) => [view.job.id, view]));
    const linked = rows.flatMap(({ id, adder, ...row }): LinkedJob[] => {
      const view = viewOf.get(id);
      return view === undefined ? [] : [{ ...row, adder: nameOf(adder), view }];
    });
    return { page, total, jobs: linked };
  }

  async find(
    caseId: number,
    { text, types, job, after, limit }: Parameters<CaseContents['find']>[1],
  ): Promise<FoundEntity[]> {
    const many = job === null ? entities.jobCount : entityJobLinks.occurrenceCount;
    const inCase = this.#db
      .select({ id: caseEntities.entityId })
      .from(caseEntities)
      .where(and(eq(caseEntities.caseId, caseId), eq(caseEntities.entityId, entities.id)));
    const last =
      job === null
        ? sql`(select job_count from ${entities} where id = ${after}::integer)`
        : sql`(select occurrence_count from ${entityJobLinks} where entity_id = ${after}::integer and job_id = ${job}::integer)`;
    const joined = this.#db.select(found).from(entities).$dynamic();
    const asked =
      job === null
        ? joined
        : joined.innerJoin(
            entityJobLinks,
            and(eq(entityJobLinks.entityId, entities.id), eq(entityJobLinks.jobId, job)),
          );
    return asked
      .where(
        and(
          exists(inCase),
          text === '' ? undefined : like(entities.valueKey, `%${literally(text.toLowerCase())}%`),
          types.length === 0 ? undefined : inArray(entities.type, [...types]),
          after === null ? undefined : sql`(${many}, -${entities.id}) < (${last}, -${after}::integer)`,
        ),
      )
      .orderBy(desc(many), asc(entities.id))
      .limit(limit);
  }

  async pickEntities(text: string, limit: number): Promise<FoundEntity[]> {
    const isNamed =
      text === ''
        ? undefined
        : inArray(
            entities.id,
            this.#db
              .select({ id: entitySearch.entityId })
              .from(entitySearch)
              .where(like(entitySearch.words, `%${literally(text.toLowerCase())}%`)),
          );
    return this.#db
      .select(found)
      .from(entities)
      .where(and(not(entities.isAllowlisted), isNamed))
      .orderBy(desc(entities.jobCount), desc(entities.id))
      .limit(limit);
  }

  async pickJobs(viewer: Actor, text: string, limit: number): Promise<number[]> {
    const number = /^#?(\d{1,9})$/.exec(text)?.[1];
    const isNumbered = number === undefined ? undefined : eq(jobs.id, Number(number));
    const isMeant = or(like(jobs.searchName, `%${literally(text.toLowerCase())}%`), isNumbered);
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(visibleTo(viewer), text === '' ? undefined : isMeant))
      .orderBy(...(isNumbered ? [desc(isNumbered)] : []), desc(jobs.createdAt), desc(jobs.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  async hasJob(viewer: Actor, caseId: number, jobId: number): Promise<boolean> {
    const rows = await this.#jobsOf(viewer, caseId, eq(caseJobs.jobId, jobId));
    return rows.length > 0;
  }

  #jobsOf(viewer: Actor, caseId: number, further?: SQL) {
    return this.#db
      .select({ id: caseJobs.jobId })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .where(and(eq(caseJobs.caseId, caseId), visibleTo(viewer), further));
  }
}
