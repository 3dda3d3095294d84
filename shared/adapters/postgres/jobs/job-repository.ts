import type { JobRecord, JobRepository, NewJob, StatusChange } from '@svc/application/jobs/job-repository.ts';
import type { ResultTotals } from '@svc/application/report/result-repository.ts';
import { fallbackName, statesBefore, type Actor, type Job, type RerunReason } from '@svc/domain';
import { and, asc, desc, eq, inArray, isNotNull, not, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { toFile, toJob } from '../rows.ts';
import { jobs, uploadedFiles } from '../schema/index.ts';
import { markJobs } from '../search/mark-jobs.ts';
import { visibleTo } from '../visible.ts';

const interrupted: RerunReason = 'interrupted';
const live = inArray(jobs.status, ['pending', 'running']);

export class PgJobRepository implements JobRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(job: NewJob): Promise<Job> {
    const { sha256, at, ...values } = job;
    const searchName = (job.submittedName ?? fallbackName(sha256)).toLowerCase();
    const [row] = await this.#db
      .insert(jobs)
      .values({ ...values, searchName, status: 'pending', createdAt: at })
      .returning();
    if (!row) throw new Error('the job was not stored');
    return toJob(row);
  }

  async newestSeen(viewer: Actor, on: { fileId: number; workflowId: number }): Promise<Job | null> {
    const [row] = await this.#db
      .select()
      .from(jobs)
      .where(and(eq(jobs.fileId, on.fileId), eq(jobs.workflowId, on.workflowId), visibleTo(viewer)))
      .orderBy(desc(jobs.id))
      .limit(1);
    return row ? toJob(row) : null;
  }

  async hold(ids: readonly number[]): Promise<readonly { id: number; fileId: number }[]> {
    return (
      this.#db
        .select({ id: jobs.id, fileId: jobs.fileId })
        .from(jobs)
        .where(inArray(jobs.id, [...ids]))
        .orderBy(asc(jobs.id))
        // No stronger: a worker that writes findings, which refer to the job, is not waited for.
        .for('no key update')
    );
  }

  async mark(ids: readonly number[]): Promise<void> {
    await markJobs(this.#db, ids);
  }

  async holdUnder(id: number, claim: string): Promise<boolean> {
    const held = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.id, id), eq(jobs.status, 'running'), eq(jobs.claim, claim)))
      .for('no key update');
    return held.length > 0;
  }

  async get(id: number): Promise<JobRecord | null> {
    const [row] = await this.#records().where(eq(jobs.id, id));
    return row ? { job: toJob(row.job), file: toFile(row.file) } : null;
  }

  async newestOf(userId: string, fileId: number): Promise<JobRecord | null> {
    const [row] = await this.#records()
      .where(and(eq(jobs.submittedBy, userId), eq(jobs.fileId, fileId)))
      .orderBy(desc(jobs.id))
      .limit(1);
    return row ? { job: toJob(row.job), file: toFile(row.file) } : null;
  }

  async addressOf(id: number): Promise<string | null> {
    const [row] = await this.#db.select({ ip: jobs.submitterIp }).from(jobs).where(eq(jobs.id, id));
    return row?.ip ?? null;
  }

  async lastWorkedAt(): Promise<Date | null> {
    const [row] = await this.#db
      .select({ started: jobs.startedAt, finished: jobs.finishedAt })
      .from(jobs)
      .where(isNotNull(jobs.startedAt))
      .orderBy(desc(sql`greatest(${jobs.startedAt}, ${jobs.finishedAt})`))
      .limit(1);
    return row?.finished ?? row?.started ?? null;
  }

  async hasPublic(fileId: number): Promise<boolean> {
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.fileId, fileId), not(jobs.isPrivate)))
      .limit(1);
    return rows.length > 0;
  }

  async claim(id: number, claim: string, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(jobs)
      .set({
        status: 'running',
        claim,
        startedAt: sql`coalesce(${jobs.startedAt}, ${at.toISOString()})`,
        rerunReason: sql`coalesce(${jobs.rerunReason}, case when ${jobs.status} = 'running' then ${interrupted} end)`,
      })
      .where(and(eq(jobs.id, id), live))
      .returning({ id: jobs.id });
    return rows.length > 0;
  }

  async noteRerun(id: number, why: RerunReason): Promise<void> {
    await this.#db
      .update(jobs)
      .set({ rerunReason: why })
      .where(and(eq(jobs.id, id), live));
  }

  async changeStatus(id: number, change: StatusChange): Promise<boolean> {
    if (!statesBefore(change.to).includes(change.from)) {
      throw new Error(`a job cannot go from ${change.from} to ${change.to}`);
    }
    const expected = [eq(jobs.id, id), eq(jobs.status, change.from)];
    if (change.claim !== undefined) expected.push(eq(jobs.claim, change.claim));
    const changed = await this.#db
      .update(jobs)
      .set({ status: change.to, errorCode: change.error?.code ?? null, errorMessage: change.error?.message ?? null })
      .where(and(...expected))
      .returning({ id: jobs.id });
    return changed.length > 0;
  }

  async conclude(id: number, totals: ResultTotals, at: Date): Promise<void> {
    await this.#db
      .update(jobs)
      .set({ ...totals, finishedAt: at })
      .where(eq(jobs.id, id));
  }

  async recount(id: number, totals: ResultTotals): Promise<void> {
    await this.#db.update(jobs).set(totals).where(eq(jobs.id, id));
  }

  async requestCancel(id: number, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(jobs)
      .set({ cancelRequestedAt: sql`coalesce(${jobs.cancelRequestedAt}, ${at.toISOString()})` })
      .where(and(eq(jobs.id, id), live))
      .returning({ id: jobs.id });
    return rows.length > 0;
  }

  async remove(id: number): Promise<void> {
    await this.#db.delete(jobs).where(eq(jobs.id, id));
  }

  #records() {
    return this.#db
      .select({ job: jobs, file: uploadedFiles })
      .from(jobs)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .$dynamic();
  }
}
