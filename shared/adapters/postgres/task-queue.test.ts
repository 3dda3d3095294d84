import { afterAll, beforeAll } from 'vitest';
import { taskQueueContract } from '../contract/task-queue.ts';
import { emptyTables, openTestDatabase } from '../testing/test-database.ts';
import type { EmbeddedDatabase } from './database.ts';
import { PgTaskQueue } from './task-queue.ts';

let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

taskQueueContract(async () => {
  await emptyTables(database);
  const queue = new PgTaskQueue(database.orm, 1);
  return { tasks: queue, ledger: queue };
});
