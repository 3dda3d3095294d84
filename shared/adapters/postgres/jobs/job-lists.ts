import type { JobLists, JobOrder, JobPage, JobSearch, ListPlace, RerunPlan } from '@svc/application/jobs/job-lists.ts';
import { hasRole, type Actor } from '@svc/domain';
import { and, count, desc, eq, exists, inArray, max, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { viewsOf } from './job-rows.ts';
import { jobs, taskResults } from '../schema/index.ts';
import { isClean, isLive, searchConditions, type SearchConditions } from '../search/condition.ts';
import { orderedPage } from '../search/ordered-page.ts';
import { sortKeys } from '../search/sort-keys.ts';
import { enginesThatRan, vocabularyFor } from '../search/vocabulary.ts';
import { visibleTo } from '../visible.ts';

const newestFirst: JobOrder = { by: 'created', isReversed: false };

export class PgJobLists implements JobLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(viewer: Actor, search: JobSearch, place: ListPlace, order = newestFirst): Promise<JobPage> {
    const conditions = await this.#conditions(viewer, search);
    const { ids, ...found } = await orderedPage(
      this.#db,
      {
        table: jobs,
        id: jobs.id,
        key: sortKeys[order.by],
        isReversed: order.isReversed,
        ...conditions,
        // Without matches, jobs stand together at one end of these orders. Not as equal, or it would be sorted by ids alone.
        end: order.by !== 'created' && isClean(search) ? sql`${sortKeys[order.by].value} <= 0` : undefined,
      },
      place,
    );
    const which = and(inArray(jobs.id, [...ids]), visibleTo(viewer));
    const views = ids.length === 0 ? [] : await viewsOf(this.#db, viewer, which);
    const inOrder = views.sort((a, b) => ids.indexOf(a.job.id) - ids.indexOf(b.job.id));
    return { ...found, jobs: inOrder, hasRunning: await this.#hasRunning(viewer) };
  }

  async planRerun(viewer: Actor, search: JobSearch, limit: number): Promise<RerunPlan> {
    const { during, where, ways } = await this.#conditions(viewer, search);
    const wanted = and(during, ways.seen?.byIndex, where);
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

  async #conditions(viewer: Actor, search: JobSearch): Promise<SearchConditions> {
    const vocabulary = await vocabularyFor(this.#db, search);
    return searchConditions({ db: this.#db, viewer, now: search.now, vocabulary }, search);
  }

  async #hasRunning(viewer: Actor): Promise<boolean> {
    const running = and(isLive, visibleTo(viewer));
    return (await this.#db.select({ id: jobs.id }).from(jobs).where(running).limit(1)).length > 0;
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
