import type { PeriodicRun, PeriodicRuns } from '@svc/application/work/periodic-runs.ts';
import { lte, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { periodicRuns } from '../schema/index.ts';
import { storableText } from '../text.ts';

export class PgPeriodicRuns implements PeriodicRuns {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async note({ kind, ...run }: PeriodicRun): Promise<void> {
    const set = { ...run, detail: storableText(run.detail) };
    await this.#db
      .insert(periodicRuns)
      .values({ kind, ...set })
      // One that ends late does not hide a later one.
      .onConflictDoUpdate({ target: periodicRuns.kind, set, setWhere: lte(periodicRuns.at, sql`excluded.at`) });
  }

  async latest(): Promise<readonly PeriodicRun[]> {
    return this.#db.select().from(periodicRuns);
  }
}
