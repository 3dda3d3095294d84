import type { ActivityDay, ActivityFilter, ActivityLog } from '@svc/application/admin/activity/activity-log.ts';
import { chained } from '@svc/application/admin/activity/chain.ts';
import type { Activity, NewActivity } from '@svc/domain';
import { and, asc, desc, eq, getTableColumns, gte, ilike, lt, ne, or, type Column, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { activity, activityDays } from '../schema/index.ts';
import { literally, storableText } from '../text.ts';

/** Before all days: whoever writes locks it, so that each row follows the one before. */
const origin = '1970-01-01';

const { day: _day, place: _place, hash: _hash, ...shown } = getTableColumns(activity);

export class PgActivityLog implements ActivityLog {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async write(rows: readonly NewActivity[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#db.transaction(async (tx) => {
      const none = { rows: 0, previous: '', head: '' };
      const lock = () => tx.select().from(activityDays).where(eq(activityDays.day, origin)).for('update');
      if ((await lock()).length === 0) {
        await tx
          .insert(activityDays)
          .values({ day: origin, ...none })
          .onConflictDoNothing();
        await lock();
      }
      const [last = { day: origin, ...none }] = await tx
        .select()
        .from(activityDays)
        .orderBy(desc(activityDays.day))
        .limit(1);
      // A process whose clock is behind at midnight goes on with the day that another has begun.
      const today = new Date(Math.max(...rows.map(({ at }) => at.getTime()))).toISOString().slice(0, 10);
      const isNew = today > last.day;
      const day = isNew ? today : last.day;
      const first = isNew ? 0 : last.rows;
      let { head } = last;
      const linked = rows.map((row, index) => {
        head = chained(head, row);
        return { ...row, day, place: first + index, hash: head };
      });
      await insertRows(tx, activity, linked);
      const ends = { rows: first + rows.length, head };
      if (isNew) await tx.insert(activityDays).values({ day, previous: last.head, ...ends });
      else await tx.update(activityDays).set(ends).where(eq(activityDays.day, day));
    });
  }

  async list(
    filter: ActivityFilter,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: Activity[]; total: number }> {
    const where = conditionOf(filter);
    const rows = await this.#db
      .select(shown)
      .from(activity)
      .where(where)
      .orderBy(desc(activity.at), desc(activity.id))
      .limit(limit)
      .offset(offset);
    return { rows, total: await this.#db.$count(activity, where) };
  }

  count(since: Date): Promise<number> {
    return this.#db.$count(activity, gte(activity.at, since));
  }

  async prune(before: string): Promise<number> {
    const gone = and(lt(activityDays.day, before), ne(activityDays.day, origin), eq(activityDays.isPruned, false));
    const days = await this.#db.select().from(activityDays).where(gone).orderBy(asc(activityDays.day));
    let removed = 0;
    // A day at a time: one that is interrupted goes on where it was.
    for (const { day } of days) {
      await this.#db.transaction(async (tx) => {
        await tx.update(activityDays).set({ isPruned: true }).where(eq(activityDays.day, day));
        removed += await tx.$count(activity, eq(activity.day, day));
        await tx.delete(activity).where(eq(activity.day, day));
      });
    }
    return removed;
  }

  days(): Promise<ActivityDay[]> {
    return this.#db.select().from(activityDays).where(ne(activityDays.day, origin)).orderBy(asc(activityDays.day));
  }

  ofDay(
    day: string,
    { from, most }: { readonly from: number; readonly most: number },
  ): Promise<(NewActivity & { place: number; hash: string })[]> {
    return this.#db
      .select()
      .from(activity)
      .where(and(eq(activity.day, day), gte(activity.place, from)))
      .orderBy(asc(activity.place))
      .limit(most);
  }
}

function conditionOf({ category, action, actor, target, outcome, q, since }: ActivityFilter): SQL | undefined {
  return and(
    category === undefined ? undefined : eq(activity.category, category),
    action === undefined ? undefined : eq(activity.action, storableText(action)),
    actor === undefined ? undefined : has(activity.actorLabel, actor),
    target === undefined ? undefined : eq(activity.targetId, storableText(target)),
    outcome === undefined ? undefined : eq(activity.outcome, outcome),
    q === undefined ? undefined : or(has(activity.summary, q), has(activity.actorIp, q), has(activity.requestId, q)),
    since === undefined ? undefined : gte(activity.at, since),
  );
}

function has(column: Column, text: string): SQL {
  return ilike(column, `%${literally(storableText(text))}%`);
}
