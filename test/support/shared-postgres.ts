import { makeTemplate } from '@svc/adapters/testing/test-database.ts';
import type { TestProject } from 'vitest/node';
import { existsSync } from 'node:fs';
import { postgresPath, startPostgres } from './postgres-server.ts';

/**
 * Before all tests of a run: one PostgreSQL server, whose databases tests have for themselves, copies of one that is
 * migrated here (shared/adapters/testing/test-database.ts). Where there is no PostgreSQL (`POSTGRES_PATH`), and
 * while tests run again and again, those of use cases open one in memory each; others say that they are skipped.
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.config.watch || !existsSync(postgresPath())) return undefined;
  // As many connections as all the services together that tests have open at a time.
  const server = await startPostgres(['-c', 'max_connections=500', '-c', 'synchronous_commit=off']);
  try {
    await makeTemplate(server.url);
  } catch (error) {
    await server.remove();
    throw error;
  }
  process.env['SVC_TEST_POSTGRES'] = server.url;
  return () => server.remove();
}
