import type { LaneDepth, QueueDepths } from '@svc/application/ports/queue-depths.ts';
import { lanes } from '@svc/contracts/tasks.ts';
import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { queuedTasks } from '../schema/index.ts';

export class PgQueueDepths implements QueueDepths {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async lanes(): Promise<readonly LaneDepth[]> {
    const { lane, lease, dueAt, enqueuedAt } = queuedTasks;
    const isHeld = sql`${lease} is not null and ${dueAt} > statement_timestamp()`;
    const isDelayed = sql`${lease} is null and ${dueAt} > statement_timestamp()`;
    const isWaiting = sql`${dueAt} <= statement_timestamp()`;
    const count = (which: typeof isHeld) => sql<number>`(count(*) filter (where ${which}))::int`;
    const found = await this.#db
      .select({
        lane,
        waiting: count(isWaiting),
        delayed: count(isDelayed),
        underWay: count(isHeld),
        oldestSeconds: sql<
          number | null
        >`extract(epoch from statement_timestamp() - min(${enqueuedAt}) filter (where ${isWaiting}))::float8`,
      })
      .from(queuedTasks)
      .groupBy(lane);
    const none = { waiting: 0, delayed: 0, underWay: 0, oldestSeconds: null };
    return lanes.map((one) => found.find((row) => row.lane === one) ?? { lane: one, ...none });
  }
}
