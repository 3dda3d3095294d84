import type { QueuedTask, QueuedTasks } from '@svc/application/ports/queued-tasks.ts';
import { analysisOf, lanes, readTask } from '@svc/contracts/tasks.ts';
import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { queuedTasks } from '../schema/index.ts';

const { key, task, jobId, lane, attempts, enqueuedAt, dueAt, lease, turn } = queuedTasks;
const columns = { key, task, jobId, lane, attempts, enqueuedAt, dueAt, turn };

const now = sql`statement_timestamp()`;
const isDue = lte(dueAt, now);
/** Also of a worker that was not heard of for too long. */
const isFree = or(isNull(lease), isDue)!;
const waits = and(isFree, or(isNotNull(turn), isDue))!;
/** Its time is yet to come. */
const isDelayed = and(isNull(turn), gt(dueAt, now))!;

/** The queue that is a table. */
export class PgQueuedTasks implements QueuedTasks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(most: number): ReturnType<QueuedTasks['list']> {
    const first = (which: SQL | undefined, by: SQL): Promise<Row[]> =>
      this.#db.select(columns).from(queuedTasks).where(which).orderBy(by).limit(most);
    const [[sizes], delayed, overdue, ...ofLanes] = await Promise.all([
      this.#db
        .select({
          waiting: sql<number>`(count(*) filter (where ${waits}))::int`,
          delayed: sql<number>`(count(*) filter (where ${isDelayed}))::int`,
        })
        .from(queuedTasks),
      first(isDelayed, asc(dueAt)),
      // Of what has come due but has no place in the order yet, as where no worker runs.
      first(and(isNull(turn), isDue), asc(dueAt)),
      // As they are handed out, so that an index has them.
      ...lanes.map((one) => first(and(eq(lane, one), isNotNull(turn), isFree), asc(turn))),
    ]);
    const waiting = [...overdue, ...ofLanes.flat()].sort((a, b) => a.enqueuedAt.getTime() - b.enqueuedAt.getTime());
    return {
      waiting: { size: sizes!.waiting, isMore: false, entries: waiting.slice(0, most).map(toEntry) },
      delayed: { size: sizes!.delayed, isMore: false, entries: delayed.map(toEntry) },
    };
  }

  async get(wanted: string): Promise<QueuedTask | 'held' | null> {
    const [row] = await this.#db
      .select({ ...columns, isFree: sql<boolean>`${isFree}` })
      .from(queuedTasks)
      .where(eq(key, wanted));
    return row === undefined ? null : row.isFree ? toEntry(row) : 'held';
  }

  async remove(wanted: string): Promise<boolean> {
    const rows = await this.#db
      .delete(queuedTasks)
      .where(and(eq(key, wanted), isFree))
      .returning({ key });
    return rows.length > 0;
  }
}

type Row = Pick<typeof queuedTasks.$inferSelect, keyof typeof columns>;

function toEntry(row: Row): QueuedTask {
  return {
    key: row.key,
    task: row.jobId === null ? readTask(row.task) : analysisOf(row.jobId),
    lane: row.lane,
    attempts: row.attempts,
    queuedAt: row.enqueuedAt,
    dueAt: row.turn === null ? row.dueAt : null,
  };
}
