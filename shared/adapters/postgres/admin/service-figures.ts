import { stores, type ServiceFigures, type Store } from '@svc/application/admin/workers/service-figures.ts';
import { jobStatuses, type JobStatus } from '@svc/domain';
import { asc, count, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { eventPacks, jobs, rawOutputs, uploadedFiles } from '../schema/index.ts';

export class PgServiceFigures implements ServiceFigures {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async jobsByStatus(): Promise<ReadonlyMap<JobStatus, number>> {
    const rows = await this.#db.select({ status: jobs.status, jobs: count() }).from(jobs).groupBy(jobs.status);
    return new Map(jobStatuses.map((status) => [status, rows.find((row) => row.status === status)?.jobs ?? 0]));
  }

  async runningJobs(limit: number): Promise<readonly { jobId: number; since: Date }[]> {
    const rows = await this.#db
      .select({ jobId: jobs.id, startedAt: jobs.startedAt, createdAt: jobs.createdAt })
      .from(jobs)
      .where(eq(jobs.status, 'running'))
      .orderBy(asc(jobs.createdAt))
      .limit(limit);
    return rows.map(({ jobId, startedAt, createdAt }) => ({ jobId, since: startedAt ?? createdAt }));
  }

  async storedBytes(): Promise<ReadonlyMap<Store, number>> {
    const [row] = await rowsOf<Record<Store, number>>(
      this.#db,
      sql`select pg_database_size(current_database())::float8 as database,
        ${sumOf(uploadedFiles)} as uploads, ${sumOf(rawOutputs)} as outputs, ${sumOf(eventPacks)} as events`,
    );
    return new Map(stores.map((store) => [store, row?.[store] ?? 0]));
  }
}

function sumOf(table: typeof uploadedFiles | typeof rawOutputs | typeof eventPacks): SQL {
  return sql`(select coalesce(sum(size_bytes), 0) from ${table})::float8`;
}
