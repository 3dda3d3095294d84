import type { Watch, WatchRepository } from '@svc/application/discussions/watch-repository.ts';
import { watchLimits, type Actor } from '@svc/domain';
import { and, count, desc, eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, jobs, jobWatches, watchEvents } from '../schema/index.ts';
import { visibleTo, watchEventVisibleTo } from '../visible.ts';

export class PgWatchRepository implements WatchRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async has(userId: string, jobId: number): Promise<boolean> {
    const rows = await this.#db.select({ id: jobWatches.id }).from(jobWatches).where(isOf(userId, jobId));
    return rows.length > 0;
  }

  async begin(userId: string, jobId: number, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Two that begin at once take turns, so that neither passes the limit.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, userId)).for('no key update');
      const present = await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, jobId)).for('key share');
      if (present.length === 0) return false;
      const [kept] = await tx.select({ watches: count() }).from(jobWatches).where(eq(jobWatches.userId, userId));
      const known = await tx.select({ id: jobWatches.id }).from(jobWatches).where(isOf(userId, jobId));
      if (known.length > 0) return true;
      if ((kept?.watches ?? 0) >= watchLimits.perPerson) return false;
      await tx.insert(jobWatches).values({ userId, jobId, createdAt: at });
      return true;
    });
  }

  async end(userId: string, jobId: number): Promise<boolean> {
    const ended = await this.#db.delete(jobWatches).where(isOf(userId, jobId)).returning({ id: jobWatches.id });
    return ended.length > 0;
  }

  async list(viewer: Actor): Promise<Watch[]> {
    if (viewer.kind === 'anonymous') return [];
    const unread = count(watchEvents.id);
    return this.#db
      .select({ jobId: jobWatches.jobId, since: jobWatches.createdAt, unread })
      .from(jobWatches)
      .innerJoin(jobs, eq(jobs.id, jobWatches.jobId))
      .leftJoin(watchEvents, and(eq(watchEvents.watchId, jobWatches.id), watchEventVisibleTo(viewer)))
      .where(and(eq(jobWatches.userId, viewer.userId), visibleTo(viewer)))
      .groupBy(jobWatches.id)
      .orderBy(desc(unread), desc(jobWatches.id));
  }
}

function isOf(userId: string, jobId: number) {
  return and(eq(jobWatches.userId, userId), eq(jobWatches.jobId, jobId));
}
