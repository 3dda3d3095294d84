import type { CaseIndicators, CaseSighting } from '@svc/application/feeds/case-indicators.ts';
import type { Actor } from '@svc/domain';
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { caseEntities, caseJobs, entityJobLinks, jobs } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

export class PgCaseIndicators implements CaseIndicators {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async entities(caseId: number, most: number): Promise<{ ids: number[]; total: number }> {
    const ofCase = eq(caseEntities.caseId, caseId);
    const rows = await this.#db
      .select({ id: caseEntities.entityId })
      .from(caseEntities)
      .where(ofCase)
      .orderBy(asc(caseEntities.addedAt), asc(caseEntities.entityId))
      .limit(most);
    const total = rows.length < most ? rows.length : await this.#db.$count(caseEntities, ofCase);
    return { ids: rows.map(({ id }) => id), total };
  }

  sightings(
    viewer: Actor,
    caseId: number,
    { ids, most }: { readonly ids: readonly number[]; readonly most: number },
  ): Promise<CaseSighting[]> {
    return this.#db
      .select({
        entityId: entityJobLinks.entityId,
        jobId: entityJobLinks.jobId,
        at: jobs.createdAt,
        events: entityJobLinks.occurrenceCount,
      })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .innerJoin(entityJobLinks, eq(entityJobLinks.jobId, jobs.id))
      .where(inJobsOf(viewer, caseId, ids))
      .orderBy(asc(entityJobLinks.jobId), asc(entityJobLinks.entityId))
      .limit(most);
  }

  async jobCounts(viewer: Actor, caseId: number, ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.#db
      .select({ id: entityJobLinks.entityId, jobs: count() })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .innerJoin(entityJobLinks, eq(entityJobLinks.jobId, jobs.id))
      .where(inJobsOf(viewer, caseId, ids))
      .groupBy(entityJobLinks.entityId);
    return new Map(rows.map((row) => [row.id, row.jobs]));
  }
}

/** Links of these entities in jobs of the case that the viewer sees. */
function inJobsOf(viewer: Actor, caseId: number, ids: readonly number[]): SQL | undefined {
  const named = sql`${entityJobLinks.entityId} = any(${anArray('integer', ids)})`;
  return and(eq(caseJobs.caseId, caseId), visibleTo(viewer), named);
}
