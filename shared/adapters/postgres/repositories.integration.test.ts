import { Client, type QueryConfig } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres-server.ts';
import { describeWith } from '../../../test/support/programs.ts';
import { postgresPortsContract } from '../contract/postgres-ports.ts';
import { openServerDatabase } from '../testing/test-database.ts';
import type { ServerDatabase } from './server-database.ts';

/**
 * For what RDS Proxy gives a session a connection of its own until it ends, as far as it is told in text: Amazon RDS User
 * Guide, "Avoiding pinning an RDS Proxy". Advisory locks of transactions are none of it.
 */
const pinning =
  /^\s*(set|reset|prepare|execute|deallocate|discard|declare|listen|load|create\s+(local\s+|global\s+)?temp)\b|\b(set_config|nextval|setval|pg_(try_)?advisory_(un)?lock(_shared)?)\s*\(/i;
const mostBytes = 16_384;

describeWith('postgres', 'on a PostgreSQL server, as a role that may not change the schema', () => {
  let server: PostgresServer;
  /** What connections of the service were asked that keeps them from others, and the longest of all that they were asked. */
  const pinned: string[] = [];
  let longest = '';
  beforeAll(() => {
    const query = Reflect.get(Client.prototype, 'query') as (this: Client, ...args: unknown[]) => unknown;
    vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
      const asked = args[0] as string | QueryConfig;
      const text = typeof asked === 'string' ? asked : asked.text;
      // Not what tests do to begin anew.
      if (this.user === 'svc_service' && !text.includes('session_replication_role')) {
        if (pinning.test(text) || Buffer.byteLength(text) > mostBytes) pinned.push(text.slice(0, 200));
        if (text.length > longest.length) longest = text;
      }
      return query.apply(this, args);
    });
  });
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
  afterAll(() => {
    vi.restoreAllMocks();
    return server.remove();
  });

  // Stands last: it tells of all that the contracts did, a job with thousands of findings among it.
  it('asks for nothing that RDS Proxy keeps a connection for', () => {
    expect(longest.length).toBeGreaterThan(500);
    expect(pinned).toEqual([]);
  });
});
