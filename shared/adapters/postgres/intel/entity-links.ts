import type { EntityLinks, EntityPart, EntityRelation, RelationsWanted } from '@svc/application/intel/entity-links.ts';
import type { Actor } from '@svc/domain';
import { relationshipTypes, type RelationshipType } from '@svc/engine';
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  lte,
  ne,
  not,
  sql,
  sum,
  type SQL,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import {
  entities,
  entityFindings,
  entityJobLinks,
  findings,
  jobs,
  relationshipEvidence,
  relationships,
  taskResults,
} from '../schema/index.ts';
import { counting, isSuppressedWhole } from '../report/finding-columns.ts';
import { visibleTo } from '../visible.ts';
import { associatedWith } from './associated.ts';
import { sightingsOf } from './entity-sightings.ts';
import { threatsBeside } from './entity-threats.ts';
import { findingsOfJob, shownColumns } from './job-findings.ts';
import { placed } from './placed.ts';

/** Newest jobs of an entity that what is named together is counted in. */
const mostJobs = 100;

export class PgEntityLinks implements EntityLinks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async jobs(
    viewer: Actor,
    entityIds: readonly number[],
    part: EntityPart & { readonly among: readonly number[] | null },
  ): ReturnType<EntityLinks['jobs']> {
    const ofThese =
      part.among === null ? undefined : sql`${entityJobLinks.jobId} = any(${anArray('integer', part.among)})`;
    const ofEntity = and(isNamedOnce(entityIds), ofThese, visibleTo(viewer));
    const { page, offset, total } = placed(part, await this.#countJobs(ofEntity));
    const occurrences =
      entityIds.length === 1
        ? entityJobLinks.occurrenceCount
        : sql<number>`(select max(occurrence_count) from ${entityJobLinks} other
            where other.job_id = ${entityJobLinks.jobId} and other.entity_id = any(${anArray('integer', entityIds)}))`;
    const rows = await this.#db
      .select({ jobId: entityJobLinks.jobId, occurrences })
      .from(entityJobLinks)
      .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
      .where(ofEntity)
      .orderBy(desc(entityJobLinks.jobId))
      .limit(part.per)
      .offset(offset);
    return { page, total, jobs: rows };
  }

  async sightings(viewer: Actor, entityId: number): ReturnType<EntityLinks['sightings']> {
    return sightingsOf(this.#db, viewer, entityId);
  }

  async findings(
    viewer: Actor,
    entityIds: readonly number[],
    part: EntityPart & { readonly job: number | null; readonly areSuppressed: boolean },
  ): ReturnType<EntityLinks['findings']> {
    const ofEntity = isFoundWith(viewer, entityIds, part.job);
    const counted = await this.#countFindings(ofEntity);
    const { page, offset, total } = placed(part, part.areSuppressed ? counted.suppressed : counted.counting);
    const rows = await this.#db
      .select(shownColumns)
      .from(entityFindings)
      .innerJoin(jobs, eq(jobs.id, entityFindings.jobId))
      .innerJoin(findings, eq(findings.id, entityFindings.findingId))
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .where(and(ofEntity, part.areSuppressed ? not(counting) : counting))
      .orderBy(desc(findings.jobId), asc(findings.severityRank), asc(findings.ruleName), asc(findings.id))
      .limit(part.per)
      .offset(offset);
    const shown = rows.map(({ eventsKept, ...row }) => ({ ...row, hasDetails: eventsKept > 0 }));
    return { page, total, totalSuppressed: counted.suppressed, findings: shown };
  }

  async ofJob(...asked: Parameters<EntityLinks['ofJob']>): ReturnType<EntityLinks['ofJob']> {
    return findingsOfJob(this.#db, ...asked);
  }

  async relations(viewer: Actor, entityId: number, wanted: RelationsWanted): ReturnType<EntityLinks['relations']> {
    const { job, kinds, most } = wanted;
    const during = this.#isShownDuring(viewer, wanted);
    const ofKinds = kinds === null ? undefined : inArray(relationships.type, [...kinds]);
    const [out, into] = await Promise.all(
      [true, false].map(async (isOut) => {
        const [own, far] = isOut
          ? [relationships.sourceId, relationships.targetId]
          : [relationships.targetId, relationships.sourceId];
        const where = and(eq(own, entityId), job === null ? undefined : this.#isNamedIn(sql`${far}`, job));
        const counted = await this.#db
          .select({ type: relationships.type, many: sql<number>`(count(*) filter (where ${during ?? true}))::integer` })
          .from(relationships)
          .where(where)
          .groupBy(relationships.type);
        const shown = and(where, ofKinds, during);
        const weakest = this.#db
          .select({ occurrences: relationships.occurrenceCount })
          .from(relationships)
          .where(shown)
          .orderBy(desc(relationships.occurrenceCount))
          .offset(most - 1)
          .limit(1);
        const rows = await this.#db
          .select({
            id: relationships.id,
            type: relationships.type,
            other: { id: entities.id, value: entities.value, type: entities.type },
            occurrences: relationships.occurrenceCount,
            lastSeenAt: relationships.lastSeenAt,
          })
          .from(relationships)
          .innerJoin(entities, eq(entities.id, far))
          // Other ends are looked up of the strongest only, and of what equals the last of them.
          .where(and(shown, sql`${relationships.occurrenceCount} >= coalesce((${weakest}), 0)`))
          .orderBy(desc(relationships.occurrenceCount), asc(entities.valueKey), asc(relationships.id))
          .limit(most);
        return { counted, rows: rows.map((row): EntityRelation => ({ ...row, isOut })) };
      }),
    );
    const all = [...(out?.rows ?? []), ...(into?.rows ?? [])];
    const found = new Map<RelationshipType, number>();
    for (const { type, many } of [...(out?.counted ?? []), ...(into?.counted ?? [])]) {
      found.set(type, (found.get(type) ?? 0) + many);
    }
    const total = [...found].reduce((before, [type, many]) => before + (kinds?.includes(type) === false ? 0 : many), 0);
    const relations = all.sort((a, b) => place(a) - place(b));
    return { total, isCapped: total > all.length, relations, kinds: found };
  }

  async associated(...asked: Parameters<EntityLinks['associated']>): ReturnType<EntityLinks['associated']> {
    return associatedWith(this.#db, ...asked);
  }

  async threats(viewer: Actor, entity: Parameters<EntityLinks['threats']>[1]): ReturnType<EntityLinks['threats']> {
    return threatsBeside(this.#db, viewer, entity);
  }

  async together(viewer: Actor, entityId: number, limit: number): ReturnType<EntityLinks['together']> {
    const newest = this.#db
      .select({ jobId: entityJobLinks.jobId })
      .from(entityJobLinks)
      .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
      .where(and(eq(entityJobLinks.entityId, entityId), visibleTo(viewer)))
      .orderBy(desc(entityJobLinks.jobId))
      .limit(mostJobs)
      .as('newest');
    const counted = this.#db
      .select({ entityId: entityJobLinks.entityId, jobs: count().as('shared') })
      .from(entityJobLinks)
      .innerJoin(newest, eq(newest.jobId, entityJobLinks.jobId))
      .where(ne(entityJobLinks.entityId, entityId))
      .groupBy(entityJobLinks.entityId)
      .orderBy(desc(sql`shared`), asc(entityJobLinks.entityId))
      .limit(limit)
      .as('counted');
    return this.#db
      .select({
        id: entities.id,
        value: entities.value,
        type: entities.type,
        isAllowlisted: entities.isAllowlisted,
        jobs: counted.jobs,
      })
      .from(counted)
      .innerJoin(entities, eq(entities.id, counted.entityId))
      .orderBy(desc(counted.jobs), asc(entities.id));
  }

  async tagCounts(viewer: Actor, entityId: number, job: number | null): ReturnType<EntityLinks['tagCounts']> {
    return this.#db
      .select({
        tags: findings.tags,
        count: sum(sql`${findings.count} - ${findings.suppressed}`).mapWith(Number),
      })
      .from(entityFindings)
      .innerJoin(jobs, eq(jobs.id, entityFindings.jobId))
      .innerJoin(findings, eq(findings.id, entityFindings.findingId))
      .where(and(isFoundWith(viewer, [entityId], job), counting))
      .groupBy(findings.tags);
  }

  async allTagCounts(viewer: Actor): ReturnType<EntityLinks['allTagCounts']> {
    return this.#db
      .select({
        tags: findings.tags,
        count: sum(sql`${findings.count} - ${findings.suppressed}`).mapWith(Number),
      })
      .from(findings)
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(and(visibleTo(viewer), inArray(jobs.status, ['completed', 'partial', 'cancelled']), counting))
      .groupBy(findings.tags);
  }

  async counts(
    viewer: Actor,
    entityId: number,
    { entityIds, job }: Parameters<EntityLinks['counts']>[2],
  ): ReturnType<EntityLinks['counts']> {
    const related = [relationships.sourceId, relationships.targetId].map(async (own) => {
      const far = own === relationships.sourceId ? relationships.targetId : relationships.sourceId;
      const ofJob = job === null ? undefined : this.#isNamedIn(sql`${far}`, job);
      const where = and(eq(own, entityId), ofJob);
      return (await this.#db.select({ many: count() }).from(relationships).where(where))[0]?.many ?? 0;
    });
    const [jobCount, findingCount, out = 0, into = 0] = await Promise.all([
      this.#countJobs(and(isNamedOnce(entityIds), visibleTo(viewer))),
      this.#countFindings(isFoundWith(viewer, entityIds, job)),
      ...related,
    ]);
    return { jobs: jobCount, findings: findingCount.counting, relations: out + into };
  }

  async onlyJob(viewer: Actor, entityId: number): Promise<number | null> {
    const [first, second] = await this.#db
      .select({ id: entityJobLinks.jobId })
      .from(entityJobLinks)
      .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
      .where(and(eq(entityJobLinks.entityId, entityId), visibleTo(viewer)))
      .limit(2);
    return first === undefined || second !== undefined ? null : first.id;
  }

  async isOf(entityId: number, jobId: number): Promise<boolean> {
    const link = and(eq(entityJobLinks.entityId, entityId), eq(entityJobLinks.jobId, jobId));
    return (await this.#db.select({ id: entityJobLinks.jobId }).from(entityJobLinks).where(link)).length > 0;
  }

  async #countJobs(where: SQL | undefined): Promise<number> {
    const [row] = await this.#db
      .select({ many: count() })
      .from(entityJobLinks)
      .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
      .where(where);
    return row?.many ?? 0;
  }

  /** How many count, and how many are suppressed. */
  async #countFindings(where: SQL | undefined): Promise<{ readonly counting: number; readonly suppressed: number }> {
    const counted = (of: SQL | undefined) =>
      this.#db
        .select({ many: count() })
        .from(entityFindings)
        .innerJoin(jobs, eq(jobs.id, entityFindings.jobId))
        .where(and(where, of));
    const [[all], [suppressed]] = await Promise.all([
      counted(undefined),
      counted(isSuppressedWhole(entityFindings.findingId)),
    ]);
    return { counting: (all?.many ?? 0) - (suppressed?.many ?? 0), suppressed: suppressed?.many ?? 0 };
  }

  /** Whether an event of a job that the viewer sees shows it then; nothing where no time is asked for. */
  #isShownDuring(viewer: Actor, { from, to }: Pick<RelationsWanted, 'from' | 'to'>): SQL | undefined {
    if (from === null && to === null) return undefined;
    const { relationshipId, jobId, observedFrom, observedTo } = relationshipEvidence;
    const shown = and(
      eq(relationshipId, relationships.id),
      from === null ? isNotNull(observedTo) : gte(observedTo, from),
      to === null ? isNotNull(observedFrom) : lte(observedFrom, to),
      visibleTo(viewer),
    );
    return exists(
      this.#db.select({ jobId }).from(relationshipEvidence).innerJoin(jobs, eq(jobs.id, jobId)).where(shown),
    );
  }

  #isNamedIn(entityId: SQL, jobId: number): SQL {
    const link = and(eq(entityJobLinks.jobId, jobId), sql`${entityJobLinks.entityId} = ${entityId}`);
    return exists(this.#db.select({ id: entityJobLinks.jobId }).from(entityJobLinks).where(link));
  }
}

/** Jobs that name any of the entities, by the first of them that each names. */
function isNamedOnce(entityIds: readonly number[]): SQL | undefined {
  const { entityId, jobId } = entityJobLinks;
  return isFirstOf(entityIds, entityId, sql`select from ${entityJobLinks} other where other.job_id = ${jobId}`);
}

/** One of the entities, and of several that there are of what is asked for, the first. */
function isFirstOf(entityIds: readonly number[], entityId: PgColumn, others: SQL): SQL | undefined {
  const [only, ...further] = entityIds;
  if (only !== undefined && further.length === 0) return eq(entityId, only);
  const any = sql`any(${anArray('integer', entityIds)})`;
  return and(
    sql`${entityId} = ${any}`,
    sql`not exists (${others} and other.entity_id = ${any} and other.entity_id < ${entityId})`,
  );
}

/** Findings of jobs that the viewer sees, or of one of them, that name any of the entities, each once. */
function isFoundWith(viewer: Actor, entityIds: readonly number[], job: number | null): SQL | undefined {
  const { entityId, findingId } = entityFindings;
  return and(
    isFirstOf(entityIds, entityId, sql`select from ${entityFindings} other where other.finding_id = ${findingId}`),
    job === null ? undefined : eq(entityFindings.jobId, job),
    visibleTo(viewer),
  );
}

/** In canonical order, out before in. */
function place({ type, isOut }: EntityRelation): number {
  return 2 * relationshipTypes.indexOf(type) + (isOut ? 0 : 1);
}
