import type { RawOutput, RawOutputRepository } from '@svc/application/report/raw-output-repository.ts';
import type { NewRawOutput } from '@svc/application/report/result-repository.ts';
import { asc, eq, inArray, lt } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rawOutputs, taskResults } from '../schema/index.ts';

export class PgRawOutputRepository implements RawOutputRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async ofJob(jobId: number): Promise<readonly RawOutput[]> {
    return this.#db
      .select({
        id: rawOutputs.id,
        taskId: rawOutputs.taskResultId,
        engine: taskResults.engine,
        position: taskResults.position,
        name: rawOutputs.name,
        storageKey: rawOutputs.storageKey,
        sizeBytes: rawOutputs.sizeBytes,
        isComplete: rawOutputs.isComplete,
        createdAt: rawOutputs.createdAt,
      })
      .from(rawOutputs)
      .innerJoin(taskResults, eq(taskResults.id, rawOutputs.taskResultId))
      .where(eq(rawOutputs.jobId, jobId))
      .orderBy(asc(taskResults.position), asc(rawOutputs.name));
  }

  async add(taskId: number, output: NewRawOutput, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // What removes the task waits for this, or has removed it.
      const [task] = await tx
        .select({ jobId: taskResults.jobId })
        .from(taskResults)
        .where(eq(taskResults.id, taskId))
        .for('key share');
      if (!task) return false;
      await tx.insert(rawOutputs).values({ ...output, taskResultId: taskId, jobId: task.jobId, createdAt: at });
      return true;
    });
  }

  async removeBefore(before: Date, limit: number): Promise<readonly string[]> {
    const old = this.#db
      .select({ id: rawOutputs.id })
      .from(rawOutputs)
      .where(lt(rawOutputs.createdAt, before))
      .orderBy(asc(rawOutputs.createdAt))
      .limit(limit)
      // What another sweep or a removal has is not waited for.
      .for('update', { skipLocked: true });
    const rows = await this.#db
      .delete(rawOutputs)
      .where(inArray(rawOutputs.id, old))
      .returning({ key: rawOutputs.storageKey });
    return rows.map(({ key }) => key);
  }
}
