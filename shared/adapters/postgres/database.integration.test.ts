import { sql } from 'drizzle-orm';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { copyDatabase } from '../testing/database-template.ts';
import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { EmbeddedDatabase } from './database.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-database-'));
afterAll(() => rm(root, { recursive: true, force: true }));

it('keeps its rows from one start to the next, and opens quickly', async () => {
  const folder = join(root, 'kept');
  const first = new EmbeddedDatabase(folder);
  const begun = performance.now();
  await first.open();
  const making = performance.now() - begun;
  await first.orm.execute(sql`insert into queued_tasks (job_id, enqueued_at, due_at) values (7, now(), now())`);
  await expect(new EmbeddedDatabase(folder).open()).rejects.toThrow('uses this data directory');
  await first.close();
  expect(existsSync(`${folder}.lock`)).toBe(false);

  const from = performance.now();
  const second = new EmbeddedDatabase(folder);
  await second.open();
  // A fifth of it on a machine that does nothing else.
  expect(performance.now() - from).toBeLessThan(making);
  expect(await second.migrations()).toBe('at_head');
  expect(await second.orm.select({ id: sql`job_id` }).from(sql`queued_tasks`)).toEqual([{ id: 7 }]);
  await second.close();
});

it('makes anew what an interrupted first start left', async () => {
  const folder = join(root, 'half');
  await mkdir(join(`${folder}.making`, 'base'), { recursive: true });
  await writeFile(join(`${folder}.making`, 'PG_VERSION'), '18\n');
  const database = new EmbeddedDatabase(folder);
  await database.open();
  expect(await database.migrations()).toBe('at_head');
  await database.close();
  expect((await readdir(root)).filter((name) => name.startsWith('half'))).toEqual(['half']);
});

it('refuses a database without its mark, which may be one in use, and says how to mend it', async () => {
  const folder = join(root, 'unmarked');
  await copyDatabase(folder);
  await rm(join(folder, 'svc-complete'));
  const before = await readdir(folder);
  const unmarked = new EmbeddedDatabase(folder);
  await expect(unmarked.open()).rejects.toThrow(/unmarked has files in it, but not svc-complete.*put that file back/);
  await unmarked.close();
  expect(await readdir(folder)).toEqual(before);
  await writeFile(join(folder, 'svc-complete'), '');
  const mended = new EmbeddedDatabase(folder);
  await mended.open();
  expect(await mended.migrations()).toBe('at_head');
  await mended.close();
});

it('refuses the schema of a later version', async () => {
  const folder = join(root, 'later');
  await copyDatabase(folder);
  const now = new EmbeddedDatabase(folder);
  await now.open();
  await now.orm.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
  );
  await now.close();
  const earlier = new EmbeddedDatabase(folder);
  await expect(earlier.open()).rejects.toThrow('has the schema of a later version');
  await earlier.close();
});

it('loses nothing that was committed when its process is killed', async () => {
  const folder = join(root, 'killed');
  await bundleThread('database-thread', new URL('./database-thread.ts', import.meta.url));
  const entry = await bundleThread('killed-writer', new URL('../testing/killed-writer.ts', import.meta.url));
  const writer = spawn(process.execPath, [fileURLToPath(entry), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of writer.stdout) {
    printed += String(chunk);
    if (printed.split('\n').length > 40) writer.kill('SIGKILL');
  }
  if (writer.signalCode === null) await once(writer, 'exit');
  expect(writer.signalCode).toBe('SIGKILL');
  const committed = printed.trim().split('\n').filter(Boolean).map(Number);

  const database = new EmbeddedDatabase(folder);
  await database.open();
  const rows = await database.orm
    .select({ id: sql<number>`job_id` })
    .from(sql`queued_tasks`)
    .orderBy(sql`job_id`);
  expect(rows.length).toBeGreaterThanOrEqual(committed.length);
  expect(rows.map(({ id }) => id).slice(0, committed.length)).toEqual(committed);
  await database.close();
});
