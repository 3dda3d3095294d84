import type { CaseMember, CaseTimelines } from '@svc/application/cases/case-timelines.ts';
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

/** What is kept of a job's alerts; null for what cannot be read. */
interface Kept {
  readonly index: AlertColumns | null;
  readonly bytes: number;
}

/** Indexes of alerts are kept once they are read: whoever zooms asks for those of a whole case again and again. */
export class PgCaseTimelines implements CaseTimelines {
  readonly #db: Database;
  /** By their rows' version, the one that was used last at the end. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  async members(viewer: Actor, caseId: number): Promise<readonly CaseMember[]> {
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
    const indexes = new Map(found.map((row) => [row, this.#used(row.version)]));
    const missing = found.filter((row) => indexes.get(row) === undefined);
    for (let at = 0; at < missing.length; at += atOnce) {
      const batch = missing.slice(at, at + atOnce);
      const read = await this.#read(batch.map(({ taskId }) => taskId));
      for (const row of batch) {
        const kept = read.get(row.taskId) ?? { index: null, bytes: 0 };
        indexes.set(row, kept);
        this.#keep(row.version, kept);
      }
    }
    return new Map(
      found.flatMap((row) => {
        const index = indexes.get(row)?.index;
        return index ? [[row.jobId, index] as const] : [];
      }),
    );
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

  async #read(taskIds: readonly number[]): Promise<Map<number, Kept>> {
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
  if (read?.v !== 1) return { index: null, bytes: 0 };
  const { ts, k, n, ...rest } = read;
  const columns = { ts: Float64Array.from(ts), k: Uint32Array.from(k), n: Float64Array.from(n) };
  // Keys have an array and some texts each.
  return { index: { ...rest, ...columns }, bytes: 20 * ts.length + 400 * rest.keys.length };
}
