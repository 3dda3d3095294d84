import type { JobRecord } from '@svc/application/jobs/job-repository.ts';
import type { JobView, JobViews, QueueState } from '@svc/application/jobs/job-views.ts';
import { reportedStatuses, type Actor, type Job, type TaskResult } from '@svc/domain';
import {
  and,
  asc,
  avg,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  lte,
  not,
  or,
  lt,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Database } from '../database.ts';
import { partlyReadAmong, viewsOf } from './job-rows.ts';
import { toFile, toJob, toTaskResult } from '../rows.ts';
import { jobs, taskResults, uploadedFiles } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Newest jobs, of all workflows, whose durations tell how long another one takes. */
const recentJobs = 500;

const live = inArray(jobs.status, ['pending', 'running']);

export class PgJobViews implements JobViews {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(viewer: Actor, id: number): Promise<JobView | null> {
    const [view] = await viewsOf(this.#db, viewer, and(eq(jobs.id, id), visibleTo(viewer)));
    return view ?? null;
  }

  async some(viewer: Actor, ids: readonly number[]): Promise<JobView[]> {
    return viewsOf(this.#db, viewer, and(inArray(jobs.id, [...ids]), visibleTo(viewer)));
  }

  async among(viewer: Actor, ids: readonly number[]): Promise<readonly Job[]> {
    const rows = await this.#db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.id, [...ids]), visibleTo(viewer)));
    return rows.map(toJob);
  }

  async partlyRead(ids: readonly number[]): Promise<ReadonlySet<number>> {
    return partlyReadAmong(this.#db, ids);
  }

  async reported(viewer: Actor, limit: number): Promise<readonly JobRecord[]> {
    const rows = await this.#db
      .select({ job: jobs, file: uploadedFiles })
      .from(jobs)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(and(inArray(jobs.status, [...reportedStatuses]), visibleTo(viewer)))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      // The same file is seldom among the newest more often than this.
      .limit(limit * 4);
    const files = rows.map(({ file }) => file.id);
    return rows
      .filter(({ file }, at) => files.indexOf(file.id) === at)
      .slice(0, limit)
      .map(({ job, file }) => ({ job: toJob(job), file: toFile(file) }));
  }

  async active(viewer: Actor, limit: number): Promise<readonly JobView[]> {
    return this.#first(viewer, live, [desc(eq(jobs.status, 'running')), asc(jobs.createdAt), asc(jobs.id)], limit);
  }

  async lastEnded(viewer: Actor, limit: number): Promise<readonly JobView[]> {
    const lastWorked = sql`greatest(${jobs.startedAt}, ${jobs.finishedAt})`;
    return this.#first(viewer, and(isNotNull(jobs.startedAt), not(live)), [desc(lastWorked), desc(jobs.id)], limit);
  }

  async #first(viewer: Actor, which: SQL | undefined, order: SQL[], limit: number): Promise<JobView[]> {
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(which, visibleTo(viewer)))
      .orderBy(...order)
      .limit(limit);
    const places = new Map(rows.map(({ id }, place) => [id, place]));
    const views = await this.some(viewer, [...places.keys()]);
    return views.sort((a, b) => places.get(a.job.id)! - places.get(b.job.id)!);
  }

  async tasks(jobId: number): Promise<readonly TaskResult[]> {
    const { logOutput: _log, held: _held, ...columns } = getTableColumns(taskResults);
    const rows = await this.#db
      .select(columns)
      .from(taskResults)
      .where(eq(taskResults.jobId, jobId))
      .orderBy(asc(taskResults.position));
    return rows.map(toTaskResult);
  }

  async taskLog(taskId: number): Promise<string | null> {
    const [row] = await this.#db
      .select({ log: taskResults.logOutput })
      .from(taskResults)
      .where(eq(taskResults.id, taskId));
    return row ? (row.log ?? '') : null;
  }

  async queue({ id, createdAt, workflowId }: Job): Promise<QueueState> {
    const isBefore = or(lt(jobs.createdAt, createdAt), and(eq(jobs.createdAt, createdAt), lte(jobs.id, id)));
    const [waiting] = await this.#db
      .select({ jobs: count() })
      .from(jobs)
      .where(and(live, eq(jobs.status, 'pending'), isBefore));
    const recent = this.#db
      .select({
        workflowId: jobs.workflowId,
        status: jobs.status,
        seconds: sql<number>`extract(epoch from ${jobs.finishedAt} - ${jobs.startedAt})`.as('seconds'),
      })
      .from(jobs)
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(recentJobs)
      .as('recent');
    const [taken] = await this.#db
      .select({ mean: avg(recent.seconds) })
      .from(recent)
      .where(and(eq(recent.workflowId, workflowId), inArray(recent.status, [...reportedStatuses])));
    const mean = taken?.mean ?? null;
    return { position: waiting?.jobs ?? 0, meanSeconds: mean === null ? null : Number(mean) };
  }

  async live(): Promise<readonly Job[]> {
    const rows = await this.#db.select().from(jobs).where(live).orderBy(asc(jobs.createdAt));
    return rows.map(toJob);
  }
}
