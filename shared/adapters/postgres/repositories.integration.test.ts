import { afterAll } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres-server.ts';
import { postgresPortsContract } from '../contract/postgres-ports.ts';
import { openServerDatabase } from '../testing/test-database.ts';

describeWith('postgres', 'on a PostgreSQL server', () => {
  let server: PostgresServer | null = null;
  postgresPortsContract(async () => {
    server = await startPostgres();
    return openServerDatabase(server.url);
  });
  afterAll(() => server?.remove());
});
