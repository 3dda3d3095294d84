import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import type { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { knownMigrations, type Migration } from '../migration-files.ts';
import { PgliteClient } from '../pglite-client.ts';
import * as schema from '../schema/index.ts';
import { PgTaskQueue } from './task-queue.ts';
import { analysisKey, analysisOf } from '@svc/contracts/tasks.ts';

/** The statements of a migration, as a file has them. */
const isOfQueue = (statements: readonly string[]): boolean =>
  statements.some((statement) => statement.includes('"queued_tasks_next_analysis"'));

it('keeps what waits and what is held in the queue of the version before, in its order', async () => {
  const client = new PgliteClient({ dataDir: null, template: null });
  await client.start();
  const db = drizzle({ client: client as unknown as PGlite, schema, casing: 'snake_case' }) as unknown as Database;
  try {
    const apply = async (migrations: readonly Migration[]): Promise<void> => {
      for (const statement of migrations.flatMap(({ statements }) => statements)) await db.execute(sql.raw(statement));
    };
    const all = knownMigrations();
    const place = all.findIndex((migration) => isOfQueue(migration.statements));
    await apply(all.slice(0, place));
    await db.execute(sql`
      insert into queued_tasks (job_id, enqueued_at, due_at, attempts, lease, lane, submitter, turn) values
        (7, now(), now() + interval '60 s', 1, 'held', 'fast', 'a', 1),
        (9, now(), now(), 0, null, 'fast', 'b', 3),
        (8, now(), now(), 2, null, 'heavy', 'b', 2)`);
    await apply(all.slice(place));

    const tasks = new PgTaskQueue(db, 60);
    expect(await tasks.state(analysisKey(7))).toEqual({ attempts: 1, held: true });
    expect(await tasks.enqueue(analysisOf(9))).toBeNull();
    expect(await tasks.extend({ task: analysisOf(7), key: analysisKey(7), attempt: 1, token: 'held' })).toBe(true);
    const receive = () => tasks.receive({ worker: 'w', waitMs: 0, lanes: ['fast', 'heavy'] });
    expect(await receive()).toMatchObject({ task: analysisOf(8), key: analysisKey(8), attempt: 3 });
    expect(await receive()).toMatchObject({ task: analysisOf(9), attempt: 1 });
    expect(await receive()).toBeNull();

    // A process of that version goes on for a while: it queues a job, and ends one that it holds.
    await db.execute(sql`
      insert into queued_tasks (job_id, enqueued_at, due_at, lane, submitter, turn)
      values (10, now(), now(), 'fast', 'c', 1) on conflict do nothing`);
    await db.execute(sql`delete from queued_tasks where job_id = 7 and lease = 'held'`);
    expect(await tasks.state(analysisKey(7))).toBeNull();
    const late = await receive();
    expect(late).toMatchObject({ task: analysisOf(10), attempt: 1 });
    await tasks.acknowledge(late!);
    expect(await tasks.depth()).toBe(2);
  } finally {
    await client.close();
  }
});
