import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { expect, it } from 'vitest';
import { knownMigrations, type Migration } from '../migration-files.ts';
import * as schema from '../schema/index.ts';
import { flag, numbered, unmarked } from './facets.ts';
import { writeMarks } from './mark-jobs.ts';

const before = 22;

it('finds jobs that were there before the migration marked as it marks them', async () => {
  const database = await PGlite.create({ extensions: { pg_trgm } });
  const migrations = knownMigrations();
  const apply = async (some: readonly Migration[]): Promise<void> => {
    for (const statement of some.flatMap(({ statements }) => statements)) await database.exec(statement);
  };
  await apply(migrations.slice(0, before));
  await database.exec(`
    insert into workflows (name, description, log_types, definition) values ('w', '', '[]', '');
    insert into uploaded_files (original_name, storage_key, sha256, size_bytes, detected_type, uploaded_at, uploader_ip)
      values ('x', 'x', 'x', 1, 'evtx', now(), '');
    insert into jobs (file_id, workflow_id, submitter_ip, log_type, is_private, status, created_at)
      select 1, 1, '', 'evtx', n = 1, 'completed', now() from generate_series(1, 4) as n;
    insert into tags (name, color, created_at) select 'tag' || n, 'gray', now() from generate_series(1, 2) as n;
    insert into job_tags (job_id, tag_id, created_at) values (1, 1, now()), (1, 2, now()), (2, 2, now());
    insert into task_results (job_id, position, engine, status, findings_count)
      values (1, 0, 'a', 'completed', 0), (1, 1, 'b', 'completed', 0), (1, 2, 'a', 'failed', 0), (3, 0, 'b', 'skipped', 0);`);
  await apply(migrations.slice(before));

  const facets = async (): Promise<number[][]> => {
    const { rows } = await database.query<{ facets: number[] }>('select facets from jobs order by id');
    return rows.map((row) => [...row.facets].sort((a, b) => a - b));
  };
  const migrated = await facets();
  await writeMarks(drizzle({ client: database, schema, casing: 'snake_case' }), sql`true`);
  expect(migrated).toEqual(await facets());
  const [tagged, once, ran, plain] = migrated;
  expect(tagged).toEqual(expect.arrayContaining([numbered('tag', 1), numbered('tag', 2), flag('private')]));
  expect(once).toEqual(expect.arrayContaining([numbered('tag', 2), flag('toolless'), flag('public')]));
  expect(ran).toContain(flag('untagged'));
  expect(ran).not.toContain(flag('toolless'));
  expect(plain).toEqual(expect.arrayContaining(unmarked));
  expect((await database.query(`select from pg_trigger where tgname like '%noted'`)).rows).toEqual([]);
  await database.close();
});
