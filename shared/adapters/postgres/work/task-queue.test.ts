import { analysisOf } from '@svc/contracts/tasks.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { rowsOf } from '../rows-of.ts';
import { PgTaskQueue } from './task-queue.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Rows of the queue that were looked at so far, through an index or without one. */
async function rowsRead(): Promise<number> {
  await database.orm.execute(sql`select pg_stat_force_next_flush()`);
  const statement = sql`
    select coalesce(t.seq_tup_read, 0) + (
      select coalesce(sum(i.idx_tup_read), 0) from pg_stat_user_indexes i where i.relname = 'queued_tasks'
    ) as rows from pg_stat_user_tables t where t.relname = 'queued_tasks'`;
  const [read] = await rowsOf<{ rows: unknown }>(database.orm, statement);
  return Number(read?.rows);
}

it('looks at few of 100,000 waiting tasks, of one submitter or of many', async () => {
  await database.orm.execute(sql`
    insert into queued_tasks (key, job_id, enqueued_at, due_at, lane, submitter, turn)
    select i, i, now(), now(), case when i % 10 = 0 then 'heavy' else 'fast' end,
      case when i % 2 = 0 then 'many' else 'v' || i % 1000 end, i / 2
    from generate_series(1, 100000) i`);
  // And others whose time is yet to come.
  await database.orm.execute(sql`
    insert into queued_tasks (key, job_id, enqueued_at, due_at, lane, submitter, turn)
    select i, i, now(), now() + interval '1 h', 'fast', 'many', null from generate_series(300001, 350000) i`);
  await database.orm.execute(sql`analyze queued_tasks`);
  const tasks = new PgTaskQueue(database.orm, 60);
  const before = await rowsRead();
  for (let jobId = 200_001; jobId <= 200_020; jobId += 1) {
    const [lane, submitter] = [jobId % 2 === 0 ? 'fast' : 'heavy', jobId % 3 === 0 ? 'many' : 'one'] as const;
    await tasks.enqueue(analysisOf(jobId), { lane, submitter, delaySeconds: jobId % 5 === 0 ? 60 : 0 });
    const lanes = jobId % 4 === 0 ? (['fast'] as const) : (['fast', 'heavy'] as const);
    const lease = await tasks.receive({ worker: 'w', waitMs: 0, lanes });
    await tasks.isWaitedFor(lease!);
    await tasks.release(lease!, { delaySeconds: 60, countAttempt: false, lane: 'heavy' });
  }
  const looked = (await rowsRead()) - before;
  expect(looked).toBeGreaterThan(0);
  expect(looked).toBeLessThan(5000);
});
