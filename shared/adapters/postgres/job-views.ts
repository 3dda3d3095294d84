import type { JobRecord } from '@svc/application/ports/job-repository.ts';
import type { JobPage, JobView, JobViews } from '@svc/application/ports/job-views.ts';
import { hasRole, type Actor, type Job, type TaskResult } from '@svc/domain';
import { and, asc, count, desc, eq, getTableColumns, inArray } from 'drizzle-orm';
import { casesOf } from './case-repository.ts';
import type { Database } from './database.ts';
import { toFile, toJob, toTaskResult } from './rows.ts';
import { accounts, jobs, taskResults, uploadedFiles, workflows } from './schema/index.ts';
import { tagsOf } from './tag-repository.ts';
import { visibleTo } from './visible.ts';

const live = inArray(jobs.status, ['pending', 'running']);

export class PgJobViews implements JobViews {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(viewer: Actor, page: number, per: number): Promise<JobPage> {
    const visible = visibleTo(viewer);
    const [counted] = await this.#db.select({ total: count() }).from(jobs).where(visible);
    const total = counted?.total ?? 0;
    const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
    const rows = await this.#views()
      .where(visible)
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(per)
      .offset((shown - 1) * per);
    const running = await this.#db.select({ id: jobs.id }).from(jobs).where(and(live, visible)).limit(1);
    return { jobs: await this.#marked(viewer, rows), page: shown, total, hasRunning: running.length > 0 };
  }

  async get(viewer: Actor, id: number): Promise<JobView | null> {
    const [row] = await this.#views().where(and(eq(jobs.id, id), visibleTo(viewer)));
    return row ? ((await this.#marked(viewer, [row]))[0] ?? null) : null;
  }

  async some(viewer: Actor, ids: readonly number[]): Promise<JobView[]> {
    const rows = await this.#views().where(and(inArray(jobs.id, [...ids]), visibleTo(viewer)));
    return this.#marked(viewer, rows);
  }

  async among(viewer: Actor, ids: readonly number[]): Promise<readonly Job[]> {
    const rows = await this.#db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.id, [...ids]), visibleTo(viewer)));
    return rows.map(toJob);
  }

  async reported(viewer: Actor, limit: number): Promise<readonly JobRecord[]> {
    const rows = await this.#db
      .select({ job: jobs, file: uploadedFiles })
      .from(jobs)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(and(inArray(jobs.status, ['completed', 'partial']), visibleTo(viewer)))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      // The same file is seldom among the newest more often than this.
      .limit(limit * 4);
    const files = rows.map(({ file }) => file.id);
    return rows
      .filter(({ file }, at) => files.indexOf(file.id) === at)
      .slice(0, limit)
      .map(({ job, file }) => ({ job: toJob(job), file: toFile(file) }));
  }

  async tasks(jobId: number): Promise<readonly TaskResult[]> {
    const { logOutput: _log, ...columns } = getTableColumns(taskResults);
    const rows = await this.#db
      .select(columns)
      .from(taskResults)
      .where(eq(taskResults.jobId, jobId))
      .orderBy(asc(taskResults.position));
    return rows.map(toTaskResult);
  }

  async live(): Promise<readonly Job[]> {
    const rows = await this.#db.select().from(jobs).where(live).orderBy(asc(jobs.createdAt));
    return rows.map(toJob);
  }

  /** Rows with tags and cases, which are for members only. */
  async #marked(viewer: Actor, rows: readonly ViewRow[]): Promise<JobView[]> {
    const ids = hasRole(viewer, 'member') ? rows.map(({ job }) => job.id) : [];
    const tags = ids.length > 0 ? await tagsOf(this.#db, ids) : null;
    const cases = ids.length > 0 ? await casesOf(this.#db, viewer, ids) : null;
    return rows.map((row) => ({
      ...toView(row),
      tags: tags?.get(row.job.id) ?? [],
      cases: cases?.get(row.job.id) ?? [],
    }));
  }

  #views() {
    return this.#db
      .select({
        job: jobs,
        file: uploadedFiles,
        workflow: { id: workflows.id, name: workflows.name },
        account: { email: accounts.email, displayName: accounts.displayName },
      })
      .from(jobs)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .innerJoin(workflows, eq(workflows.id, jobs.workflowId))
      .leftJoin(accounts, eq(accounts.id, jobs.submittedBy))
      .$dynamic();
  }
}

interface ViewRow {
  readonly job: typeof jobs.$inferSelect;
  readonly file: typeof uploadedFiles.$inferSelect;
  readonly workflow: { id: number; name: string };
  readonly account: { email: string; displayName: string | null } | null;
}

function toView({ job, file, workflow, account }: ViewRow): Omit<JobView, 'tags' | 'cases'> {
  return {
    job: toJob(job),
    file: toFile(file),
    workflow,
    submitter: account?.displayName ?? account?.email ?? null,
    firstEventAt: job.firstEventAt,
    lastEventAt: job.lastEventAt,
  };
}
