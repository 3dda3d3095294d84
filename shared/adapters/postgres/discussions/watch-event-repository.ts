import type { Notification } from '@svc/application/discussions/notification-source.ts';
import type { NewWatchEvent, WatchEventRepository } from '@svc/application/discussions/watch-event-repository.ts';
import { watchLimits, type Actor, type WatchEventKind } from '@svc/domain';
import { and, count, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { accounts, jobs, jobWatches, uploadedFiles, watchEvents } from '../schema/index.ts';
import { fitting } from '../text.ts';
import { visibleTo, watchEventVisibleTo } from '../visible.ts';

const waiting = isNull(watchEvents.acknowledgedAt);

export class PgWatchEventRepository implements WatchEventRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async unread(viewer: Actor): Promise<number> {
    const [row] = await this.#db
      .select({ total: count() })
      .from(watchEvents)
      .innerJoin(jobWatches, eq(jobWatches.id, watchEvents.watchId))
      .innerJoin(jobs, eq(jobs.id, jobWatches.jobId))
      .where(waitingFor(viewer));
    return row?.total ?? 0;
  }

  async newest(viewer: Actor, limit: number): Promise<Notification[]> {
    const rows = await this.#db
      .select({
        id: watchEvents.id,
        at: watchEvents.createdAt,
        jobId: jobs.id,
        fileName: jobs.submittedName,
        sha256: uploadedFiles.sha256,
        event: { kind: watchEvents.kind, refId: watchEvents.refId, summary: watchEvents.summary },
      })
      .from(watchEvents)
      .innerJoin(jobWatches, eq(jobWatches.id, watchEvents.watchId))
      .innerJoin(jobs, eq(jobs.id, jobWatches.jobId))
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(waitingFor(viewer))
      .orderBy(desc(watchEvents.createdAt), desc(watchEvents.id))
      .limit(limit);
    return rows.map((row) => ({ stream: 'job', ...row }));
  }

  acknowledge(userId: string, id: number | null, at: Date): Promise<number> {
    return this.#acknowledge(userId, id === null ? waiting : eq(watchEvents.id, id), at);
  }

  acknowledgeJob(userId: string, jobId: number, at: Date): Promise<number> {
    return this.#acknowledge(userId, and(waiting, eq(jobWatches.jobId, jobId)), at);
  }

  async restore(userId: string, acknowledgedAt: Date): Promise<void> {
    await this.#db
      .update(watchEvents)
      .set({ acknowledgedAt: null })
      .where(inArray(watchEvents.id, this.#own(userId, eq(watchEvents.acknowledgedAt, acknowledgedAt))));
  }

  async raise({ jobId, kind, refId, summary, by, at }: NewWatchEvent): Promise<readonly string[]> {
    const members = kind === 'tag' ? sql`and ${accounts.role} in ('member', 'admin')` : sql``;
    // Locked, so that who ends a watch meanwhile does not leave the event without it.
    const told = await rowsOf<{ user_id: string }>(
      this.#db,
      sql`
      with told as (
      insert into ${watchEvents} (watch_id, kind, ref_id, summary, created_at)
      select watcher.id, ${kind}, ${refId}::integer, ${fitting(summary, watchLimits.summary)}, ${at.toISOString()}::timestamptz
      from (
        select ${jobWatches.id} from ${jobWatches}
        join ${accounts} on ${accounts.id} = ${jobWatches.userId}
        join ${jobs} on ${jobs.id} = ${jobWatches.jobId}
        where ${jobWatches.jobId} = ${jobId}::integer
          and ${jobWatches.createdAt} <= ${at.toISOString()}::timestamptz
          and ${accounts.isActive} ${members}
          and ${accounts.id} is distinct from ${by}::uuid
          and (not ${jobs.isPrivate} or ${accounts.role} = 'admin' or ${jobs.submittedBy} = ${accounts.id})
        order by ${jobWatches.id}
        limit ${watchLimits.perEvent}
        for key share of ${jobWatches}
      ) watcher
      on conflict do nothing
      returning watch_id)
      select ${jobWatches.userId} as user_id from told join ${jobWatches} on ${jobWatches.id} = told.watch_id`,
    );
    return told.map((row) => row.user_id);
  }

  async reword(kind: WatchEventKind, refId: number, summary: string): Promise<void> {
    await this.#db
      .update(watchEvents)
      .set({ summary: fitting(summary, watchLimits.summary) })
      .where(and(eq(watchEvents.kind, kind), eq(watchEvents.refId, refId)));
  }

  async withdraw(kind: WatchEventKind, refId: number): Promise<void> {
    await this.#db.delete(watchEvents).where(and(eq(watchEvents.kind, kind), eq(watchEvents.refId, refId)));
  }

  #own(userId: string, which: SQL | undefined) {
    return this.#db
      .select({ id: watchEvents.id })
      .from(watchEvents)
      .innerJoin(jobWatches, eq(jobWatches.id, watchEvents.watchId))
      .where(and(eq(jobWatches.userId, userId), which));
  }

  async #acknowledge(userId: string, which: SQL | undefined, at: Date): Promise<number> {
    const acknowledged = await this.#db
      .update(watchEvents)
      .set({ acknowledgedAt: sql`coalesce(${watchEvents.acknowledgedAt}, ${at.toISOString()})` })
      .where(inArray(watchEvents.id, this.#own(userId, which)))
      .returning({ id: watchEvents.id });
    return acknowledged.length;
  }
}

function waitingFor(viewer: Actor): SQL | undefined {
  if (viewer.kind === 'anonymous') return sql`false`;
  return and(eq(jobWatches.userId, viewer.userId), visibleTo(viewer), watchEventVisibleTo(viewer));
}
