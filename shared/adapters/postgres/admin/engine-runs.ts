import type { EngineRunFigures, EngineRuns } from '@svc/application/admin/engines/engine-runs.ts';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { taskResults } from '../schema/index.ts';
import { enginesThatRan } from '../search/vocabulary.ts';

const ended = ['completed', 'failed'] as const;
const bytesPerMb = 1_048_576;

/** Counted over the last runs of each engine, which an index has together: there may be millions. */
export class PgEngineRuns implements EngineRuns {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async figures(most: number): Promise<ReadonlyMap<string, EngineRunFigures>> {
    const engines = await enginesThatRan(this.#db);
    return new Map(
      await Promise.all(engines.map(async (engine) => [engine, figuresOf(await this.#last(engine, most))] as const)),
    );
  }

  async #last(engine: string, most: number): Promise<Run[]> {
    const { bytesTotal, durationMs, errorMessage, finishedAt, id, jobId, status } = taskResults;
    return this.#db
      .select({ bytesTotal, durationMs, errorMessage, finishedAt, jobId, status })
      .from(taskResults)
      .where(and(eq(taskResults.engine, engine), inArray(status, [...ended])))
      .orderBy(desc(jobId), desc(id))
      .limit(most);
  }
}

type Run = Pick<
  typeof taskResults.$inferSelect,
  'bytesTotal' | 'durationMs' | 'errorMessage' | 'finishedAt' | 'jobId' | 'status'
>;

function figuresOf(runs: readonly Run[]): EngineRunFigures {
  const well = runs.filter(({ status, durationMs, bytesTotal }) => status === 'completed' && durationMs && bytesTotal);
  const sum = (of: (run: Run) => number | null): number => well.reduce((total, run) => total + (of(run) ?? 0), 0);
  const [last] = runs;
  return {
    runs: runs.length,
    failures: runs.filter(({ status }) => status === 'failed').length,
    msPerMb:
      well.length === 0 ? null : (sum(({ durationMs }) => durationMs) * bytesPerMb) / sum((one) => one.bytesTotal),
    last: last?.finishedAt
      ? {
          jobId: last.jobId,
          at: last.finishedAt,
          status: last.status === 'failed' ? 'failed' : 'completed',
          error: last.errorMessage,
        }
      : null,
  };
}
