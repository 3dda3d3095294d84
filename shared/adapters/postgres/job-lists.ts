import type { JobLists, JobPage, JobSearch, RerunPlan } from '@svc/application/ports/job-lists.ts';
import { hasRole, type Actor } from '@svc/domain';
import { and, count, desc, eq, exists, inArray, max, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';
import { viewsOf } from './job-rows.ts';
import { searchCondition } from './job-search.ts';
import { jobs, taskResults } from './schema/index.ts';
import { visibleTo } from './visible.ts';

const live = inArray(jobs.status, ['pending', 'running']);

export class PgJobLists implements JobLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(
    viewer: Actor,
    search: JobSearch,
    { page, per }: { readonly page: number; readonly per: number },
  ): Promise<JobPage> {
    const visible = visibleTo(viewer);
    const wanted = and(visible, searchCondition(this.#db, viewer, search));
    const [counted] = await this.#db.select({ total: count() }).from(jobs).where(wanted);
    const total = counted?.total ?? 0;
    const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(wanted)
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(per)
      .offset((shown - 1) * per);
    const running = await this.#db.select({ id: jobs.id }).from(jobs).where(and(live, visible)).limit(1);
    const ids = rows.map(({ id }) => id);
    const views = ids.length === 0 ? [] : await viewsOf(this.#db, viewer, and(inArray(jobs.id, ids), visible));
    const inOrder = views.sort((a, b) => ids.indexOf(a.job.id) - ids.indexOf(b.job.id));
    return { jobs: inOrder, page: shown, total, hasRunning: running.length > 0 };
  }

  async planRerun(viewer: Actor, search: JobSearch, limit: number): Promise<RerunPlan> {
    const wanted = and(visibleTo(viewer), searchCondition(this.#db, viewer, search));
    const [counted] = await this.#db.select({ matched: count() }).from(jobs).where(wanted);
    const rows = await this.#db
      .select({ id: max(jobs.id), analyses: sql<number>`count(*) over ()`.mapWith(Number) })
      .from(jobs)
      .where(and(wanted, this.#onOwnFiles(viewer)))
      .groupBy(jobs.fileId, jobs.workflowId)
      .orderBy(desc(max(jobs.id)))
      .limit(limit);
    const jobIds = rows.flatMap(({ id }) => (id === null ? [] : [id]));
    return { matched: counted?.matched ?? 0, analyses: rows[0]?.analyses ?? 0, jobIds };
  }

  async engines(viewer: Actor): Promise<readonly string[]> {
    const ran = this.#db
      .select({ id: jobs.id })
      .from(taskResults)
      .innerJoin(jobs, eq(jobs.id, taskResults.jobId))
      .where(and(sql`${taskResults.engine} = engines.name`, visibleTo(viewer)));
    // From each name to the next one along the index: there are few, on any number of tasks.
    const rows = await this.#db
      .select({ name: sql<string>`engines.name` })
      .from(
        sql`(with recursive names(name) as (
          select min(${taskResults.engine}) from ${taskResults}
          union all
          select (select min(${taskResults.engine}) from ${taskResults} where ${taskResults.engine} > names.name)
          from names where names.name is not null
        ) select name from names where name is not null) as engines`,
      )
      .where(exists(ran))
      .orderBy(sql`engines.name`);
    return rows.map(({ name }) => name);
  }

  /** What {@link planRerun} may offer: as analysing again is allowed (resolved-platform 3.6). */
  #onOwnFiles(viewer: Actor): SQL | undefined {
    if (hasRole(viewer, 'admin')) return undefined;
    if (viewer.kind === 'anonymous') return sql`false`;
    const own = alias(jobs, 'own');
    const mine = and(eq(own.submittedBy, viewer.userId), eq(own.fileId, jobs.fileId));
    return exists(this.#db.select({ id: own.id }).from(own).where(mine));
  }
}
