import { sql } from 'drizzle-orm';
import { LocalDatabase } from '../postgres/local-database.ts';
import { silentLog } from './silent-log.ts';

// Serves the database of a data folder, commits rows and prints the number of each, until it is killed.
const database = new LocalDatabase(process.argv[2] ?? '', silentLog);
await database.open();
for (let id = 1; ; id += 1) {
  await database.orm.execute(sql`insert into queued_tasks (job_id, enqueued_at, due_at) values (${id}, now(), now())`);
  process.stdout.write(`${id}\n`);
}
