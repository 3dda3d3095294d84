import type { DroppedObjects } from '@svc/application/work/dropped-objects.ts';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { droppedObjects } from '../schema/index.ts';

export class PgDroppedObjects implements DroppedObjects {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list({ by, after, limit }: { by: Date; after: string; limit: number }): Promise<readonly string[]> {
    const rows = await this.#db
      .select({ key: droppedObjects.key })
      .from(droppedObjects)
      .where(and(gt(droppedObjects.key, after), lte(droppedObjects.droppedAt, by)))
      .orderBy(asc(droppedObjects.key))
      .limit(limit);
    return rows.map(({ key }) => key);
  }

  async note(keys: readonly string[], from: Date): Promise<void> {
    if (keys.length === 0) return;
    const rows = keys.map((key) => ({ key, droppedAt: from }));
    await insertRows(this.#db, droppedObjects, rows);
  }

  async forget(key: string): Promise<void> {
    await this.#db.delete(droppedObjects).where(eq(droppedObjects.key, key));
  }
}
