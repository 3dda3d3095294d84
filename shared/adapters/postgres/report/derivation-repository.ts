import type {
  AlertIndex,
  DerivationRepository,
  DerivedAnew,
  JobAnalytics,
} from '@svc/application/report/derivation-repository.ts';
import type { ProcessTree } from '@svc/engine';
import { asc, eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { unpacked } from '../packed-json.ts';
import { taskDerivations } from '../schema/index.ts';
import { toDerivationRow } from './task-derivation.ts';

/** Of several tasks that derived something the first one's is shown. */
export class PgDerivationRepository implements DerivationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async analytics(jobId: number): Promise<JobAnalytics | null> {
    const [row] = await this.#db
      .select({ analytics: taskDerivations.analytics })
      .from(taskDerivations)
      .where(eq(taskDerivations.jobId, jobId))
      .orderBy(asc(taskDerivations.taskResultId))
      .limit(1);
    return row?.analytics ?? null;
  }

  async alerts(jobId: number): Promise<AlertIndex | null> {
    const bytes = await this.#packed(jobId, 'alerts');
    // What cannot be read counts as missing (resolved-platform 8.4).
    const index = bytes && (await unpacked<AlertIndex>(bytes).catch(() => null));
    return index?.v === 1 ? index : null;
  }

  async processes(jobId: number): Promise<ProcessTree | null> {
    const bytes = await this.#packed(jobId, 'processes');
    return bytes && unpacked<ProcessTree>(bytes);
  }

  async replace(
    task: { readonly id: number; readonly jobId: number },
    { derived, engine, findings }: DerivedAnew,
  ): Promise<boolean> {
    const ids = findings.map(({ id }) => id);
    const row = await toDerivationRow(derived, { task: { ...task, engine }, findings, ids });
    const replaced = await this.#db
      .update(taskDerivations)
      .set({ analytics: row.analytics, alerts: row.alerts, processes: row.processes })
      .where(eq(taskDerivations.taskResultId, task.id))
      .returning({ id: taskDerivations.taskResultId });
    return replaced.length > 0;
  }

  async #packed(jobId: number, column: 'alerts' | 'processes'): Promise<Uint8Array | null> {
    const [row] = await this.#db
      .select({ packed: taskDerivations[column] })
      .from(taskDerivations)
      .where(eq(taskDerivations.jobId, jobId))
      .orderBy(asc(taskDerivations.taskResultId))
      .limit(1);
    return row?.packed ?? null;
  }
}
