import type { JobLists, JobPage, JobSearch, RerunPlan } from '@svc/application/ports/job-lists.ts';
import { hasRole, type Actor } from '@svc/domain';
import { and, count, desc, eq, exists, inArray, max, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';
import { viewsOf } from './job-rows.ts';
import { jobs, taskResults } from './schema/index.ts';
import { searchCondition } from './search/condition.ts';
import { findJobs } from './search/find-jobs.ts';
import { idsOfPage } from './search/ids-of-page.ts';
import { JobNames } from './search/job-names.ts';
import { sizeOf } from './search/job-set.ts';
import { settleFacets } from './search/settle-facets.ts';
import { enginesThatRan, vocabularyFor } from './search/vocabulary.ts';
import { visibleTo } from './visible.ts';

/** Changes from which on a page brings the facets up to date: each job of a change is looked at one by one till then. */
const changesKept = 256;

export class PgJobLists implements JobLists {
  readonly #db: Database;
  readonly #names: JobNames;

  constructor(db: Database) {
    this.#db = db;
    this.#names = new JobNames(db);
  }

  async page(
    viewer: Actor,
    search: JobSearch,
    { page, per }: { readonly page: number; readonly per: number },
  ): Promise<JobPage> {
    const found = await findJobs({ db: this.#db, names: this.#names }, viewer, search);
    const total = sizeOf(found.jobs);
    const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
    const ids = await idsOfPage(this.#db, found, { from: (shown - 1) * per, count: per });
    const which = and(inArray(jobs.id, ids), visibleTo(viewer));
    const views = ids.length === 0 ? [] : await viewsOf(this.#db, viewer, which);
    if (found.changes >= changesKept) await settleFacets(this.#db);
    const inOrder = views.sort((a, b) => ids.indexOf(a.job.id) - ids.indexOf(b.job.id));
    return { jobs: inOrder, page: shown, total, hasRunning: found.hasLive };
  }

  async planRerun(viewer: Actor, search: JobSearch, limit: number): Promise<RerunPlan> {
    const vocabulary = await vocabularyFor(this.#db, search);
    const context = { db: this.#db, viewer, now: search.now, vocabulary };
    const wanted = and(visibleTo(viewer), searchCondition(context, search));
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

  async settle(): Promise<number> {
    for (let changes = 0; ;) {
      const some = await settleFacets(this.#db);
      if (some === 0) return changes;
      changes += some;
    }
  }

  async engines(viewer: Actor): Promise<readonly string[]> {
    const seen: string[] = [];
    for (const engine of await enginesThatRan(this.#db)) {
      const rows = await this.#db
        .select({ id: jobs.id })
        .from(taskResults)
        .innerJoin(jobs, eq(jobs.id, taskResults.jobId))
        .where(and(eq(taskResults.engine, engine), visibleTo(viewer)))
        .limit(1);
      if (rows.length > 0) seen.push(engine);
    }
    return seen;
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
