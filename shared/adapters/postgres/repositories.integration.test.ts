import { afterAll } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres-server.ts';
import { describeWith } from '../../../test/support/programs.ts';
import { postgresPortsContract } from '../contract/postgres-ports.ts';
import { openServerDatabase } from '../testing/test-database.ts';

describeWith('postgres', 'on a PostgreSQL server', () => {
  let server: PostgresServer;
  postgresPortsContract(
    async () => {
      server = await startPostgres();
      return openServerDatabase(server.url);
    },
    () => openServerDatabase(server.url),
  );
  afterAll(() => server.remove());
});
