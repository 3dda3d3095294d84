import { analysisOf } from '@svc/contracts/tasks.ts';
import type { AppError } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres-server.ts';
import { describeWith } from '../../../test/support/programs.ts';
import { pinoLog } from '../local/pino-log.ts';
import { silentLog } from '../testing/silent-log.ts';
import { openServerDatabase } from '../testing/test-database.ts';
import { postgresPorts } from './ports.ts';
import { ServerDatabase, type ServerOptions } from './server-database.ts';

/** As infra/constructs/database.ts sets them, but that every statement is slow; and where a test can read it. */
const logging = [
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
  'log_min_messages=log',
  'log_min_duration_statement=0',
  'logging_collector=on',
].flatMap((setting) => ['-c', setting]);

describeWith('postgres', 'a PostgreSQL server', () => {
  let server: PostgresServer;
  let admin: Client;
  const open: ServerDatabase[] = [];
  beforeAll(async () => {
    server = await startPostgres(logging);
    admin = new Client(server.url);
    admin.on('error', () => undefined);
    await admin.connect();
  });
  afterAll(async () => {
    await Promise.all(open.map((database) => database.close()));
    await admin.end().catch(() => undefined);
    await server.remove();
  });

  let serial = 0;
  /** URL of another, empty database. */
  async function emptyDatabase(): Promise<string> {
    serial += 1;
    await admin.query(`create database empty_${serial}`);
    return server.url.replace(/postgres$/, `empty_${serial}`);
  }
  function unopened(url: string, over: Partial<ServerOptions> = {}): ServerDatabase {
    const pool = { url, directUrl: url, size: 1, overflow: 2, recycleSeconds: 300 };
    const database = new ServerDatabase({ ...pool, autoMigrate: true, ...over }, silentLog);
    open.push(database);
    return database;
  }
  async function opened(over: Partial<ServerOptions> = {}): Promise<ServerDatabase> {
    const database = await openServerDatabase(server.url, { size: 1, overflow: 2, ...over });
    open.push(database);
    return database;
  }
  /** Seconds a transaction of its own sleeps, on a connection of its own. */
  const sleeping = ({ orm }: ServerDatabase, seconds: number): Promise<unknown> =>
    orm.transaction((tx) => tx.execute(sql`select pg_sleep(${seconds})`));

  it('is migrated once by processes that start together', async () => {
    const url = await emptyDatabase();
    const processes = Array.from({ length: 4 }, () => unopened(url));
    expect(await processes[0]?.migrations()).toBe('pending');
    expect(await processes[0]?.exists()).toBe(false);
    await Promise.all(processes.map((database) => database.open()));
    expect(await Promise.all(processes.map((database) => database.migrations()))).toEqual(
      processes.map(() => 'at_head'),
    );
    expect(await processes[0]?.exists()).toBe(true);
  });

  it('says which process is at fault when another never ends its migration', async () => {
    const url = await emptyDatabase();
    const holder = new Client(url);
    await holder.connect();
    await holder.query('select pg_advisory_lock(7346189502)');
    await expect(unopened(url, { migrationLockSeconds: 1 }).open()).rejects.toThrow(
      'Another process has been migrating this database for 1 s',
    );
    await holder.end();
  });

  it('waits for migrations that it may not apply', async () => {
    const url = await emptyDatabase();
    const waiting = unopened(url, { autoMigrate: false });
    let isOpen = false;
    const opening = waiting.open().then(() => (isOpen = true));
    await sleep(1500);
    expect(isOpen).toBe(false);
    expect(await waiting.migrations()).toBe('pending');
    await unopened(url).migrate();
    await opening;
    expect(await waiting.migrations()).toBe('at_head');
  });

  it('does not start on the schema of a later version, which goes on for those that run', async () => {
    const url = await emptyDatabase();
    const running = unopened(url);
    await running.open();
    await running.orm.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    );
    expect(await running.migrations()).toBe('at_head');
    for (const autoMigrate of [true, false]) {
      await expect(unopened(url, { autoMigrate }).open()).rejects.toThrow('has the schema of a later version');
    }
    // As a release is taken back whose migrations only added; what migrates in a deployment finds nothing to do.
    const back = unopened(url, { autoMigrate: false, servesLater: true });
    await back.migrate();
    await back.open();
    expect(await back.migrations()).toBe('at_head');
  });

  describe('with a role that migrates and one that serves', () => {
    const serving = async (over: Partial<ServerOptions> = {}): Promise<ServerDatabase> => {
      const directUrl = await emptyDatabase();
      const url = directUrl.replace('//svc@', '//serving@');
      return unopened(url, { directUrl, serviceRole: { name: 'serving', byToken: false }, ...over });
    };
    const code = (expected: string): object => ({ cause: expect.objectContaining({ code: expected }) as unknown });

    it('says how to make the role that serves, and stops without it', async () => {
      const database = await serving({ serviceRole: { name: 'nobody yet', byToken: false } });
      await expect(database.migrate()).rejects.toThrow(/no role "nobody yet".*create role "nobody yet" login/);
    });

    it('lets it read and write rows, of later tables as well, and change nothing else', async () => {
      await admin.query('create role serving login');
      const database = await serving();
      // Before the migration it sees nothing of it, and waits.
      expect([await database.exists(), await database.migrations()]).toEqual([false, 'pending']);
      await Promise.all([database.open(), database.migrate()]);
      expect([await database.exists(), await database.migrations()]).toEqual([true, 'at_head']);
      const { accounts } = postgresPorts(database, { leaseSeconds: 60 });
      const account = { email: 'a@example.org', passwordHash: 'x', role: 'user', displayName: null } as const;
      const { id } = await accounts.create(account);
      await accounts.delete(id);
      for (const statement of [
        'create table mine (id int)',
        'create schema mine',
        'drop table jobs',
        'alter table jobs add column mine int',
        'create index mine on jobs (id)',
        'truncate jobs',
        'create role mine',
        "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 1)",
        'alter role serving superuser',
        'set role svc',
      ]) {
        await expect(database.orm.execute(sql.raw(statement))).rejects.toMatchObject(code('42501'));
      }
      const owner = new Client(server.url.replace(/postgres$/, `empty_${serial}`));
      await owner.connect();
      await owner.query('create table later (id int generated always as identity, note text)');
      await database.orm.execute(sql`insert into later (note) values ('by the service')`);
      await owner.end();
    });

    it('makes the role that serves where it signs in by tokens', async () => {
      // What RDS brings.
      await admin.query('create role rds_iam nologin');
      const database = await serving({ serviceRole: { name: 'by_token', byToken: true } });
      await database.migrate();
      await database.migrate();
      const { rows } = await admin.query(
        `select rolcanlogin, rolsuper, pg_has_role('by_token', 'rds_iam', 'member') as token from pg_roles where rolname = 'by_token'`,
      );
      expect(rows).toEqual([{ rolcanlogin: true, rolsuper: false, token: true }]);
    });
  });

  it('refuses in a sentence that does not go away by waiting', async () => {
    const missing = unopened(server.url.replace(/postgres$/, 'nowhere'));
    await expect(missing.open()).rejects.toThrow(
      'The database refuses the connection: database "nowhere" does not exist; correct DATABASE_URL',
    );
  });

  it('repeats no value of a statement in a log, neither its own nor the database’s', async () => {
    const database = await opened();
    const { accounts } = postgresPorts(database, { leaseSeconds: 60 });
    const value = 's3cret-of-a-user';
    const account = { email: `${value}@example.org`, passwordHash: value, role: 'user', displayName: null } as const;
    const { id } = await accounts.create(account);
    const failing = [
      database.orm.execute(sql`select ${value}::int`),
      database.orm.execute(sql`select ${value}::timestamptz`),
      database.orm.execute(sql`select ${`{"a": ${value}`}::json`),
      database.orm.execute(sql`select * from json_populate_recordset(null::jobs, ${`[{"id": "${value}"}]`}::json)`),
      database.orm.execute(sql`insert into accounts select * from accounts where email = ${account.email}`),
      accounts.create(account),
    ];
    const written: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((line) => written.push(String(line)) > 0);
    for (const { reason } of (await Promise.allSettled(failing)) as PromiseRejectedResult[]) {
      for (const LOG_FORMAT of ['json', 'text'] as const) {
        pinoLog({ LOG_LEVEL: 'ERROR', LOG_FORMAT }).error('it broke', { error: reason });
      }
    }
    stderr.mockRestore();
    await accounts.delete(id);
    expect(written.join('')).toMatch(/invalid input syntax for type integer.*duplicate key/s);
    expect(written).toHaveLength(2 * failing.length);
    expect(written.filter((line) => line.includes(value))).toEqual([]);
    const told = async (): Promise<string> => {
      const { rows } = await admin.query<{ log: string }>('select pg_read_file(pg_current_logfile()) as log');
      return rows[0]?.log ?? '';
    };
    // It is written by a process of its own.
    await expect.poll(told).toMatch(/execute <unnamed>: delete from "accounts"/);
    expect(await told()).not.toContain(value);
  });

  it('has no more connections than it may', async () => {
    const database = await opened();
    let isBusy = true;
    const busy = Promise.all(Array.from({ length: 7 }, () => sleeping(database, 0.5))).then(() => (isBusy = false));
    let most = 0;
    while (isBusy) {
      const { rows } = await admin.query<{ count: string }>(
        `select count(*) from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`,
      );
      most = Math.max(most, Number(rows[0]?.count));
    }
    await busy;
    expect(most).toBe(3);
  });

  it('lives on when its connections are ended, idle or in use', async () => {
    const database = await opened();
    await database.check();
    const [dying] = await Promise.allSettled([
      database.orm.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        // The connection is lost while nobody asks anything of it.
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
        );
        await sleep(200);
        await tx.execute(sql`select 1`);
      }),
    ]);
    expect(dying).toMatchObject({ status: 'rejected', reason: expect.anything() as unknown });
    const { accounts } = postgresPorts(database, { leaseSeconds: 60 });
    expect(await accounts.hasActiveAdmin()).toBe(false);
  });

  it('is unavailable while it is stopped, keeps no connection of that time, and is there again', async () => {
    const database = await opened();
    const { accounts, jobs, tasks } = postgresPorts(database, { leaseSeconds: 60 });
    await tasks.receive({ worker: 'w', waitMs: 10 });
    const busy = Promise.allSettled([sleeping(database, 20), sleeping(database, 20)]);
    await sleep(300);
    await server.stop();
    const codes = (await busy).map((end) => end.status === 'rejected' && (end.reason as { cause?: AppError }).cause);
    expect(codes).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
    for (let more = 0; more < 10; more += 1) {
      // A query, a transaction, and a read of two tables.
      await expect(accounts.list()).rejects.toMatchObject({ code: 'unavailable' });
      await expect(accounts.delete('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
        code: 'unavailable',
      });
      await expect(jobs.get(1)).rejects.toMatchObject({ code: 'unavailable' });
    }
    await server.start();
    expect(await Promise.all(Array.from({ length: 10 }, () => accounts.list()))).toEqual(
      Array.from({ length: 10 }, () => []),
    );
    await admin.end().catch(() => undefined);
    admin = new Client(server.url);
    admin.on('error', () => undefined);
    await admin.connect();
  });

  it('carries word of new tasks from one process to the next, also after it was away', async () => {
    const [one, two] = [await opened(), await opened()].map((database) =>
      postgresPorts(database, { leaseSeconds: 60 }),
    );
    /** By looking every five seconds alone, this would take most of a minute. */
    async function tenTasks(): Promise<number> {
      const from = performance.now();
      for (const jobId of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        const waiting = two!.tasks.receive({ worker: 'w', waitMs: 5000 });
        await sleep(50);
        await one!.tasks.enqueue(analysisOf(jobId));
        const lease = await waiting;
        expect(lease).toMatchObject({ task: { jobId } });
        await two!.tasks.acknowledge(lease!);
      }
      return performance.now() - from;
    }
    await two!.tasks.receive({ worker: 'w', waitMs: 500 });
    expect(await tenTasks()).toBeLessThan(7000);
    await server.stop();
    await server.start();
    await sleep(4000);
    await expect.poll(tenTasks, { timeout: 60_000 }).toBeLessThan(7000);
  });
});
