import type { CaseStory, CaseJob } from '@svc/application/cases/case-story.ts';
import { fallbackName, type Actor, type EntityType } from '@svc/domain';
import { and, asc, eq, sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import {
  caseEntities,
  caseJobs,
  entities,
  entityFindings,
  entityJobLinks,
  findings,
  jobs,
  uploadedFiles,
} from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

export class PgCaseStory implements CaseStory {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async jobs(viewer: Actor, caseId: number): Promise<CaseJob[]> {
    const rows = await this.#db
      .select({
        id: jobs.id,
        submittedName: jobs.submittedName,
        sha256: uploadedFiles.sha256,
        clockOffset: caseJobs.clockOffset,
      })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(and(eq(caseJobs.caseId, caseId), visibleTo(viewer)))
      .orderBy(asc(jobs.id));
    return rows.map(({ submittedName, sha256, ...job }) => ({
      ...job,
      fileName: submittedName ?? fallbackName(sha256),
    }));
  }

  async members(
    caseId: number,
    { job, hidesAllowlisted, most }: Parameters<CaseStory['members']>[1],
  ): ReturnType<CaseStory['members']> {
    const named =
      job === null
        ? sql``
        : sql`and exists (select from ${entityJobLinks} l where l.job_id = ${job} and l.entity_id = e.id)`;
    const rows = await rowsOf<{ id: number; type: EntityType; total: string }>(
      this.#db,
      sql`
      with member as (
        select e.id, e.type, e.job_count from ${caseEntities} c join ${entities} e on e.id = c.entity_id
        where c.case_id = ${caseId} ${hidesAllowlisted ? sql`and not e.is_allowlisted` : sql``} ${named})
      select id, type, (select count(*) from member) as total
      from (select * from member order by id limit ${most}) lowest order by job_count desc, id`,
    );
    return { members: rows.map(({ id, type }) => ({ id, type })), total: Number(rows[0]?.total ?? 0) };
  }

  async member(caseId: number, entityId: number): ReturnType<CaseStory['member']> {
    const [row] = await this.#db
      .select({ type: entities.type, value: entities.value })
      .from(caseEntities)
      .innerJoin(entities, eq(entities.id, caseEntities.entityId))
      .where(and(eq(caseEntities.caseId, caseId), eq(caseEntities.entityId, entityId)));
    return row ?? null;
  }

  findings(ids: readonly number[]): ReturnType<CaseStory['findings']> {
    const { id, jobId, ruleName, severity } = findings;
    return this.#db
      .select({ id, jobId, ruleName, severity })
      .from(findings)
      .where(sql`${id} = any(${anArray('integer', ids)})`)
      .orderBy(asc(id))
      .execute();
  }

  async membersNamedBy(caseId: number, findingIds: readonly number[]): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`select c.entity_id as id from ${caseEntities} c
          where c.case_id = ${caseId} and exists (
            select from ${entityFindings} f
            where f.entity_id = c.entity_id and f.finding_id = any(${anArray('integer', findingIds)}))
          order by c.entity_id`,
    );
    return rows.map(({ id }) => id);
  }
}
