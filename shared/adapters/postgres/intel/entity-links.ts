import type { EntityLinks, EntityPart, EntityRelation } from '@svc/application/intel/entity-links.ts';
import type { Actor } from '@svc/domain';
import { relationshipTypes } from '@svc/engine';
import { and, asc, count, desc, eq, exists, ne, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import {
  entities,
  entityFindings,
  entityJobLinks,
  findings,
  jobs,
  relationships,
  taskResults,
} from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Newest jobs of an entity that what is named together is counted in. */
const mostJobs = 500;

export class PgEntityLinks implements EntityLinks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async jobs(viewer: Actor, entityId: number, part: EntityPart): ReturnType<EntityLinks['jobs']> {
    const ofEntity = and(eq(entityJobLinks.entityId, entityId), visibleTo(viewer));
    const links = () =>
      this.#db.select({ total: count() }).from(entityJobLinks).innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId));
    const [counted] = await links().where(ofEntity);
    const { page, offset, total } = placed(part, counted?.total);
    const rows = await this.#db
      .select({ jobId: entityJobLinks.jobId, occurrences: entityJobLinks.occurrenceCount })
      .from(entityJobLinks)
      .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
      .where(ofEntity)
      .orderBy(desc(entityJobLinks.jobId))
      .limit(part.per)
      .offset(offset);
    return { page, total, jobs: rows };
  }

  async findings(
    viewer: Actor,
    entityId: number,
    part: EntityPart & { readonly job: number | null },
  ): ReturnType<EntityLinks['findings']> {
    const ofEntity = and(
      eq(entityFindings.entityId, entityId),
      part.job === null ? undefined : eq(entityFindings.jobId, part.job),
      visibleTo(viewer),
    );
    const [counted] = await this.#db
      .select({ total: count() })
      .from(entityFindings)
      .innerJoin(jobs, eq(jobs.id, entityFindings.jobId))
      .where(ofEntity);
    const { page, offset, total } = placed(part, counted?.total);
    const rows = await this.#db
      .select({
        id: findings.id,
        jobId: findings.jobId,
        ruleId: findings.ruleId,
        ruleName: findings.ruleName,
        severity: findings.severity,
        count: findings.count,
        tool: taskResults.engine,
        eventsKept: findings.eventsKept,
      })
      .from(entityFindings)
      .innerJoin(jobs, eq(jobs.id, entityFindings.jobId))
      .innerJoin(findings, eq(findings.id, entityFindings.findingId))
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .where(ofEntity)
      .orderBy(desc(findings.jobId), asc(findings.severityRank), asc(findings.ruleName), asc(findings.id))
      .limit(part.per)
      .offset(offset);
    const shown = rows.map(({ eventsKept, ...row }) => ({ ...row, hasDetails: eventsKept > 0 }));
    return { page, total, findings: shown };
  }

  async relations(
    entityId: number,
    { job, most }: { readonly job: number | null; readonly most: number },
  ): ReturnType<EntityLinks['relations']> {
    const [out, into] = await Promise.all(
      [true, false].map(async (isOut) => {
        const [own, far] = isOut
          ? [relationships.sourceId, relationships.targetId]
          : [relationships.targetId, relationships.sourceId];
        const where = and(eq(own, entityId), job === null ? undefined : this.#isNamedIn(sql`${far}`, job));
        const [counted] = await this.#db.select({ total: count() }).from(relationships).where(where);
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
          .where(where)
          .orderBy(desc(relationships.occurrenceCount), asc(entities.valueKey), asc(relationships.id))
          .limit(most);
        return { total: counted?.total ?? 0, rows: rows.map((row): EntityRelation => ({ ...row, isOut })) };
      }),
    );
    const all = [...(out?.rows ?? []), ...(into?.rows ?? [])];
    const total = (out?.total ?? 0) + (into?.total ?? 0);
    return { total, isCapped: total > all.length, relations: all.sort((a, b) => place(a) - place(b)) };
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

  async isOf(entityId: number, jobId: number): Promise<boolean> {
    const link = and(eq(entityJobLinks.entityId, entityId), eq(entityJobLinks.jobId, jobId));
    return (await this.#db.select({ id: entityJobLinks.jobId }).from(entityJobLinks).where(link)).length > 0;
  }

  #isNamedIn(entityId: SQL, jobId: number): SQL {
    const link = and(eq(entityJobLinks.jobId, jobId), sql`${entityJobLinks.entityId} = ${entityId}`);
    return exists(this.#db.select({ id: entityJobLinks.jobId }).from(entityJobLinks).where(link));
  }
}

/** In canonical order, out before in. */
function place({ type, isOut }: EntityRelation): number {
  return 2 * relationshipTypes.indexOf(type) + (isOut ? 0 : 1);
}

function placed({ page, per }: EntityPart, counted: number | undefined) {
  const total = counted ?? 0;
  const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
  return { page: shown, offset: (shown - 1) * per, total };
}
