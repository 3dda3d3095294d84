import { sql } from 'drizzle-orm';
import { EmbeddedDatabase } from '../postgres/database.ts';

// Commits rows and prints the number of each, until it is killed.
const database = new EmbeddedDatabase(process.argv[2] ?? null);
await database.open();
for (let id = 1; ; id += 1) {
  await database.orm.execute(sql`insert into queued_tasks (job_id, enqueued_at, due_at) values (${id}, now(), now())`);
  process.stdout.write(`${id}\n`);
}
