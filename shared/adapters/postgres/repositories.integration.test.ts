import { Client } from 'pg';
import { afterAll } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres-server.ts';
import { describeWith } from '../../../test/support/programs.ts';
import { postgresPortsContract } from '../contract/postgres-ports.ts';
import { openServerDatabase } from '../testing/test-database.ts';
import type { ServerDatabase } from './server-database.ts';

describeWith('postgres', 'on a PostgreSQL server, as a role that may not change the schema', () => {
  let server: PostgresServer;
  const asService = (): Promise<ServerDatabase> => {
    const url = server.url.replace('//svc@', '//svc_service@');
    return openServerDatabase(url, { directUrl: server.url, serviceRole: { name: 'svc_service', byToken: false } });
  };
  postgresPortsContract(async () => {
    server = await startPostgres();
    const admin = new Client(server.url);
    await admin.connect();
    await admin.query('create role svc_service login');
    const database = await asService();
    // What tests do to begin anew, and the service never.
    await admin.query('grant set on parameter session_replication_role to svc_service');
    await admin.end();
    return database;
  }, asService);
  afterAll(() => server.remove());
});
