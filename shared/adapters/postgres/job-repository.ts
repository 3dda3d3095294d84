import type {
  JobRecord,
  JobRepository,
  NewFile,
  NewSubmission,
  StatusChange,
  SubmissionMarks,
} from '@svc/application/ports/job-repository.ts';
import { fallbackName, isTerminal, notFound, statesBefore, type Actor, type Job, type RerunReason } from '@svc/domain';
import { and, desc, eq, inArray, isNotNull, not, sql, type SQL } from 'drizzle-orm';
import type { Database } from './database.ts';
import { removeJob } from './job-removal.ts';
import { totalsOf } from './job-totals.ts';
import { linkJob } from './case-repository.ts';
import { insertReceipt } from './receipt-repository.ts';
import { toFile, toJob } from './rows.ts';
import { jobs, taskResults, uploadedFiles } from './schema/index.ts';
import { linkTags, vocabularyOf } from './tag-repository.ts';
import { useUpload } from './upload-repository.ts';
import { visibleTo } from './visible.ts';
import { tellOfTags } from './watch-event-repository.ts';

const interrupted: RerunReason = 'interrupted';
const live = inArray(jobs.status, ['pending', 'running']);

export class PgJobRepository implements JobRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async submit({ file, job, reuse, marks }: NewSubmission): Promise<JobRecord & { reused: boolean }> {
    return this.#db.transaction(async (tx) => {
      // Holds the row until the end: whoever comes with the same bytes meanwhile sees the job made here.
      const fileRow = 'id' in file ? await presentFile(tx, file.id) : await storedFile(tx, file, marks.at);
      const on = and(eq(jobs.fileId, fileRow.id), eq(jobs.workflowId, job.workflowId));
      const newest = reuse && (await newestSeen(tx, reuse.by, on));
      const earlier = newest && reuse.answers(newest) ? newest : null;
      const recorded =
        earlier ??
        (await insertJob(tx, fileRow.sha256, { ...job, fileId: fileRow.id, status: 'pending', createdAt: marks.at }));
      const reused = earlier !== null;
      await leave(tx, { jobId: recorded.id, reused }, marks);
      return { job: recorded, file: toFile(fileRow), reused };
    });
  }

  async mark(id: number, marks: SubmissionMarks): Promise<void> {
    await this.#db.transaction((tx) => leave(tx, { jobId: id, reused: true }, marks));
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
    return this.#db.transaction(async (tx) => {
      const expected = [eq(jobs.id, id), eq(jobs.status, change.from)];
      if (change.claim !== undefined) expected.push(eq(jobs.claim, change.claim));
      const changed = await tx
        .update(jobs)
        .set({ status: change.to, errorCode: change.error?.code ?? null, errorMessage: change.error?.message ?? null })
        .where(and(...expected))
        .returning({ id: jobs.id });
      if (changed.length === 0) return false;
      if (isTerminal(change.to)) await finish(tx, id, change);
      return true;
    });
  }

  async requestCancel(id: number, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(jobs)
      .set({ cancelRequestedAt: sql`coalesce(${jobs.cancelRequestedAt}, ${at.toISOString()})` })
      .where(and(eq(jobs.id, id), live))
      .returning({ id: jobs.id });
    return rows.length > 0;
  }

  async remove(id: number, at: Date): Promise<readonly string[] | null> {
    return this.#db.transaction((tx) => removeJob(tx, id, at));
  }

  #records() {
    return this.#db
      .select({ job: jobs, file: uploadedFiles })
      .from(jobs)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .$dynamic();
  }
}

type FileRow = typeof uploadedFiles.$inferSelect;

async function presentFile(tx: Database, id: number): Promise<FileRow> {
  const [row] = await tx.select().from(uploadedFiles).where(eq(uploadedFiles.id, id)).for('no key update');
  if (!row) throw notFound('file');
  return row;
}

async function storedFile(tx: Database, file: NewFile, at: Date): Promise<FileRow> {
  // An upload that is submitted many times at once conflicts in its digest and in its place; `on conflict do update`
  // waits for one of the two only, and fails in the other. Another pass is for a file that is removed in between.
  for (let pass = 0; pass < 3; pass += 1) {
    const [made] = await tx
      .insert(uploadedFiles)
      .values({ ...file, uploadedAt: at })
      .onConflictDoNothing()
      .returning();
    if (made) return made;
    const [known] = await tx
      .update(uploadedFiles)
      .set({ detectedType: file.detectedType })
      .where(eq(uploadedFiles.sha256, file.sha256))
      .returning();
    if (known) return known;
  }
  throw new Error('the file was not stored');
}

async function newestSeen(tx: Database, viewer: Actor, which: SQL | undefined): Promise<Job | null> {
  const [row] = await tx
    .select()
    .from(jobs)
    .where(and(which, visibleTo(viewer)))
    .orderBy(desc(jobs.id))
    .limit(1);
  return row ? toJob(row) : null;
}

async function insertJob(tx: Database, sha256: string, values: typeof jobs.$inferInsert): Promise<Job> {
  const searchName = (values.submittedName ?? fallbackName(sha256)).toLowerCase();
  const [row] = await tx
    .insert(jobs)
    .values({ ...values, searchName })
    .returning();
  if (!row) throw new Error('the job was not stored');
  return toJob(row);
}

/** Writes receipt, use of the upload, case link and tags of a submission. */
async function leave(
  tx: Database,
  { jobId, reused }: { jobId: number; reused: boolean },
  { receipt, upload, caseId, tags, by, at }: SubmissionMarks,
): Promise<void> {
  if (receipt) await insertReceipt(tx, 'job', { ...receipt, jobId, caseId, reused });
  if (upload) await useUpload(tx, { ...upload, jobId, reused });
  if (caseId !== null) await linkJob(tx, caseId, { jobId, by, at });
  if (tags.length > 0) {
    const links = await linkTags(tx, await vocabularyOf(tx, tags, { by, at }), { jobIds: [jobId], by, at });
    // Somebody may watch the job that answers a submission.
    if (reused) await tellOfTags(tx, links, { by, at });
  }
}

/** Closes the tasks that are still open and writes the totals over what was committed. */
async function finish(tx: Database, id: number, { to, at, error }: StatusChange): Promise<void> {
  const closed = to === 'cancelled' ? ('cancelled' as const) : ('failed' as const);
  await tx
    .update(taskResults)
    .set({ status: closed, errorMessage: error?.message ?? null, finishedAt: at })
    .where(and(eq(taskResults.jobId, id), inArray(taskResults.status, ['pending', 'running'])));
  await tx
    .update(jobs)
    .set({ ...(await totalsOf(tx, id)), finishedAt: at })
    .where(eq(jobs.id, id));
}
