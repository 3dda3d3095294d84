import type { Batch, BatchRepository } from '@svc/application/jobs/batch-repository.ts';
import type { JobView } from '@svc/application/jobs/job-views.ts';
import type { Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { batches, batchJobs, jobs } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';
import { viewsOf } from './job-rows.ts';

export class PgBatchRepository implements BatchRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create({ jobIds, by, at }: { jobIds: readonly number[]; by: string | null; at: Date }): Promise<number> {
    const ids = [...new Set(jobIds)].sort((a, b) => a - b);
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([by, ids]))
      .digest('hex');
    return this.#db.transaction(async (tx) => {
      const [made] = await tx
        .insert(batches)
        .values({ submittedBy: by, fingerprint, createdAt: at })
        .onConflictDoNothing()
        .returning({ id: batches.id });
      if (made) {
        const rows = ids.map((jobId) => ({ batchId: made.id, jobId }));
        await insertRows(tx, batchJobs, rows);
        return made.id;
      }
      const [known] = await tx.select({ id: batches.id }).from(batches).where(eq(batches.fingerprint, fingerprint));
      if (!known) throw new Error('the batch was not stored');
      return known.id;
    });
  }

  async get(viewer: Actor, id: number): Promise<{ batch: Batch; jobs: readonly JobView[] } | null> {
    const [row] = await this.#db.select().from(batches).where(eq(batches.id, id));
    if (!row) return null;
    const members = this.#db.select({ id: batchJobs.jobId }).from(batchJobs).where(eq(batchJobs.batchId, id));
    const views = await viewsOf(this.#db, viewer, and(inArray(jobs.id, members), visibleTo(viewer)));
    if (views.length === 0) return null;
    const { fingerprint: _fingerprint, ...batch } = row;
    return { batch, jobs: views.sort((a, b) => a.job.id - b.job.id) };
  }
}
