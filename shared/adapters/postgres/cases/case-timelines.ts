import type { MemberJob, CaseTimelines } from '@svc/application/cases/case-timelines.ts';
import type { AlertColumns, AlertIndex, JobAnalytics } from '@svc/application/report/derivation-repository.ts';
import { fallbackName, type Actor } from '@svc/domain';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { unpacked } from '../packed-json.ts';
import { caseJobs, jobs, taskDerivations, uploadedFiles } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Bytes of indexes that are kept after they were read: some three million alerts. */
const mostKept = 67_108_864;
/** Jobs whose indexes are read at a time. */
const atOnce = 8;

/** What is kept of a job’s alerts; null for what cannot be read. */
interface Kept {
  readonly index: AlertColumns | null;
  readonly bytes: number;
}

const unread: Kept = { index: null, bytes: 400 };

/** A job's derivation; `version` is another once it is written anew. */
interface StoredRow {
  readonly jobId: number;
  readonly taskId: number;
  readonly version: string;
}

/** Indexes of alerts are kept once they are read: whoever zooms asks for those of a whole case again and again. */
export class PgCaseTimelines implements CaseTimelines {
  readonly #db: Database;
  /** By their rows' version, the one that was used last at the end. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;
  /** Those that are being read: a page asks for its parts at the same time. */
  readonly #reading = new Map<string, Promise<Kept>>();

  constructor(db: Database) {
    this.#db = db;
  }

  async members(viewer: Actor, caseId: number): Promise<readonly MemberJob[]> {
    const rows = await this.#db
      .select({
        jobId: jobs.id,
        submittedName: jobs.submittedName,
        sha256: uploadedFiles.sha256,
        status: jobs.status,
        clockOffset: caseJobs.clockOffset,
      })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(and(eq(caseJobs.caseId, caseId), visibleTo(viewer)))
      .orderBy(asc(jobs.id));
    return rows.map(({ submittedName, sha256, ...row }) => ({
      ...row,
      fileName: submittedName ?? fallbackName(sha256),
    }));
  }

  async alerts(jobIds: readonly number[]): Promise<ReadonlyMap<number, AlertColumns>> {
    if (jobIds.length === 0) return new Map();
    const found = await this.#db
      .selectDistinctOn([taskDerivations.jobId], {
        jobId: taskDerivations.jobId,
        taskId: taskDerivations.taskResultId,
        // The transaction that wrote the row last: alerts that are derived again keep its key.
        version: sql<string>`concat(${taskDerivations.taskResultId}, ' ', ${taskDerivations}.xmin)`,
      })
      .from(taskDerivations)
      .where(inArray(taskDerivations.jobId, [...jobIds]))
      .orderBy(asc(taskDerivations.jobId), asc(taskDerivations.taskResultId));
    const indexes = new Map<number, AlertColumns>();
    for (let at = 0; at < found.length; at += atOnce) {
      for (const [jobId, { index }] of await this.#readOnce(found.slice(at, at + atOnce))) {
        if (index !== null) indexes.set(jobId, index);
      }
    }
    return indexes;
  }

  async hours(jobIds: readonly number[]): Promise<ReadonlyMap<number, JobAnalytics['hours']>> {
    if (jobIds.length === 0) return new Map();
    const rows = await this.#db
      .selectDistinctOn([taskDerivations.jobId], {
        jobId: taskDerivations.jobId,
        hours: sql<JobAnalytics['hours']>`${taskDerivations.analytics} -> 'hours'`,
      })
      .from(taskDerivations)
      .where(inArray(taskDerivations.jobId, [...jobIds]))
      .orderBy(asc(taskDerivations.jobId), asc(taskDerivations.taskResultId));
    return new Map(rows.map(({ jobId, hours }) => [jobId, hours]));
  }

  /** Kept indexes of these rows; those that are not kept are read, once for all who ask at that moment. */
  async #readOnce(rows: readonly StoredRow[]): Promise<readonly (readonly [jobId: number, kept: Kept])[]> {
    const missing = rows.filter(({ version }) => !this.#kept.has(version) && !this.#reading.has(version));
    if (missing.length > 0) {
      const read = this.#read(missing.map(({ taskId }) => taskId));
      for (const { taskId, version } of missing) {
        const one = read.then((all) => all.get(taskId) ?? unread).finally(() => this.#reading.delete(version));
        this.#reading.set(version, one);
      }
    }
    return Promise.all(
      rows.map(async ({ jobId, version }) => {
        const kept = this.#used(version) ?? (await this.#reading.get(version)) ?? unread;
        this.#keep(version, kept);
        return [jobId, kept] as const;
      }),
    );
  }

  async #read(taskIds: readonly number[]): Promise<ReadonlyMap<number, Kept>> {
    const rows = await this.#db
      .select({ taskId: taskDerivations.taskResultId, packed: taskDerivations.alerts })
      .from(taskDerivations)
      .where(inArray(taskDerivations.taskResultId, [...taskIds]));
    return new Map(await Promise.all(rows.map(async ({ taskId, packed }) => [taskId, await keptOf(packed)] as const)));
  }

  #used(version: string): Kept | undefined {
    const kept = this.#kept.get(version);
    if (kept === undefined) return undefined;
    this.#kept.delete(version);
    this.#kept.set(version, kept);
    return kept;
  }

  #keep(version: string, kept: Kept): void {
    // Another may have read it meanwhile.
    if (this.#kept.has(version)) return;
    this.#kept.set(version, kept);
    this.#keptBytes += kept.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= mostKept) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }
}

async function keptOf(packed: Uint8Array): Promise<Kept> {
  // What cannot be read counts as missing (resolved-platform 8.4).
  const read = await unpacked<AlertIndex>(packed).catch(() => null);
  if (read?.v !== 1) return unread;
  const { ts, k, n, ...rest } = read;
  const columns = { ts: new Float64Array(ts), k: new Uint32Array(k), n: new Float64Array(n) };
  // Keys have an array and some texts each.
  return { index: { ...rest, ...columns }, bytes: 20 * ts.length + 400 * rest.keys.length };
}
