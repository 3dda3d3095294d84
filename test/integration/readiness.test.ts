import { JoseSecretBox } from '@svc/adapters/local/jose-secret-box.ts';
import { Argon2Hasher } from '@svc/adapters/local/argon2-hasher.ts';
import { applyMigrations, knownMigrations } from '@svc/adapters/postgres/migration-files.ts';
import { postgresPorts } from '@svc/adapters/postgres/ports.ts';
import * as schema from '@svc/adapters/postgres/schema/index.ts';
import type { ServerDatabase } from '@svc/adapters/postgres/server-database.ts';
import { addAlertRule } from '@svc/adapters/testing/add-alert-rule.ts';
import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { makeServerDatabase, openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { secretPlace } from '@svc/application/alerts/alert-rule-repository.ts';
import type { Readiness } from '@svc/contracts';
import { ran } from '@svc/cli/testing/svc.ts';
import { runDoctor } from '@svc/cli/doctor/run-doctor.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { describeWith, freePort } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { signIn } from '../support/sessions.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../support/small-disk.ts';

const secretKey = '0123456789abcdef'.repeat(4);
let folder: string;
let port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-doctor-'));
  port = await freePort();
});
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What `svc doctor` finds with these settings, by the name of the check. */
async function doctor(settings: Readonly<Record<string, string>>) {
  vi.unstubAllEnvs();
  const env = { PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'ERROR', ...settings };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { code, out } = await ran({}, (terminal) => runDoctor(['--json'], terminal));
  const readiness = JSON.parse(out) as Readiness;
  const of = (name: string) => readiness.checks.filter((check) => check.name === name);
  return { code, ...readiness, of, level: (name: string) => of(name)[0]?.level };
}

/** A server that takes connections and says nothing. */
async function silentServer(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

describe('svc doctor', () => {
  it('tells each setting that stops the start, and looks at nothing with them', async () => {
    const found = await doctor({ SECRET_KEY: 'short', KV_EXPOSE: '0.0.0.0:6379' });
    expect([found.code, found.verdict, found.of('Settings')[0]?.message]).toEqual([
      1,
      'not_ready',
      expect.stringContaining('SECRET_KEY: must have at least 8'),
    ]);
    const mended = await doctor({ SECRET_KEY: secretKey, KV_EXPOSE: '0.0.0.0:6379', BASIC_AUTH_USER: 'ops' });
    expect(mended.of('Settings').map(({ message }) => message)).toEqual([
      expect.stringContaining('KV_EXPOSE'),
      expect.stringContaining('BASIC_AUTH_USER'),
    ]);
    expect((await doctor({ SECRET_KEY: secretKey })).code).toBe(0);
  });

  it('leaves no folder where the service has none yet', async () => {
    expect((await doctor({})).of('Migrations')).toMatchObject([{ level: 'INFO', fix: 'The first start makes it' }]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('tells of a port that another program has, until it ends', async () => {
    const other = await silentServer();
    expect(await doctor({ PORT: String(other.port) })).toMatchObject({ code: 1, verdict: 'not_ready' });
    expect((await doctor({ PORT: String(other.port) })).of('Port')[0]?.fix).toContain(`sport = :${other.port}`);
    other.server.close();
    await once(other.server, 'close');
    expect((await doctor({ PORT: String(other.port) })).level('Port')).toBe('PASS');
  });

  it('has no patience with a store that hangs', async () => {
    const store = await silentServer();
    const settings = {
      STORAGE_BACKEND: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
      S3_ACCESS_KEY: 'GK1',
      S3_SECRET_KEY: 'f'.repeat(64),
    };
    const found = await doctor(settings);
    expect(found.code).toBe(1);
    expect(found.of('Bundled services')[0]?.message).toContain('no answer within 5 s');
    store.server.close();
  });

  it('speaks to people as it does to programs', async () => {
    vi.stubEnv('DATA_DIR', join(folder, 'data'));
    vi.stubEnv('PORT', String(port));
    vi.stubEnv('DEBUG', 'true');
    const { code, out } = await ran({}, (terminal) => runDoctor([], terminal));
    expect(code).toBe(0);
    expect(out).toContain('Warning: Production safety (Configuration)\n  DEBUG is on.\n  → Unset DEBUG.\n');
    expect(out).toMatch(/The service is ready, with warnings\.\n$/);
    expect(await ran({}, (terminal) => runDoctor(['--all'], terminal))).toMatchObject({ code: 2 });
    expect((await ran({}, (terminal) => runDoctor(['--help'], terminal))).out).toContain('svc doctor [options]');
  });
});

describeWith('redis', 'the key-value store', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  it('fails while it is away or hangs, and warns while it forgets what it is full of', async () => {
    const found = async () => doctor({ KV_URL: redis.url });
    expect((await found()).of('Key-value eviction')).toMatchObject([{ level: 'PASS' }]);
    const { Redis } = await import('ioredis');
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const forgets = (await found()).of('Key-value eviction')[0]!;
    expect(forgets).toMatchObject({ level: 'WARN', message: expect.stringContaining('allkeys-lru') });
    // As the fix says.
    const [, name, value] = /CONFIG SET (\S+) (\w+)/.exec(forgets.fix ?? '')!;
    await client.config('SET', name!, value!);
    client.disconnect();
    expect((await found()).level('Key-value eviction')).toBe('PASS');
    redis.signal('SIGSTOP');
    expect(await found()).toMatchObject({ code: 1, verdict: 'not_ready' });
    redis.signal('SIGCONT');
    await redis.stop();
    const away = await found();
    expect([away.level('Key-value store'), away.level('Key-value eviction')]).toEqual(['FAIL', 'INFO']);
    await redis.start();
    expect((await found()).level('Key-value store')).toBe('PASS');
  });
});

describeWith('postgres', 'a PostgreSQL server', () => {
  let url: string;
  let database: ServerDatabase;
  beforeAll(async () => {
    url = await makeServerDatabase();
    database = await openServerDatabase(url);
  });
  afterAll(() => database?.close());
  const settings = () => ({ DATABASE_URL: url, SECRET_KEY: secretKey });

  it('fails while it is away', async () => {
    const nowhere = new URL(url);
    nowhere.port = String(await freePort());
    const found = await doctor({ ...settings(), DATABASE_URL: nowhere.href });
    expect([found.code, found.level('Database'), found.level('Migrations')]).toEqual([1, 'FAIL', 'FAIL']);
    expect((await doctor(settings())).level('Database')).toBe('PASS');
  });

  it('fails while migrations are pending, which are applied as the fix says', async () => {
    const behind = await makeServerDatabase({ isEmpty: true });
    expect((await doctor({ ...settings(), DATABASE_URL: behind })).level('Migrations')).toBe('INFO');
    const client = new Client(behind);
    await client.connect();
    await client.query('create table elsewhere ()');
    expect((await doctor({ ...settings(), DATABASE_URL: behind })).level('Migrations')).toBe('WARN');
    await applyMigrations(drizzle({ client, schema, casing: 'snake_case' }), knownMigrations().slice(0, -1));
    await client.end();
    const found = await doctor({ ...settings(), DATABASE_URL: behind });
    expect(found.of('Migrations')).toMatchObject([{ level: 'FAIL', message: '1 migration is not applied' }]);
    expect(found.of('Migrations')[0]?.fix).toContain('npm run migrate');
    await (await openServerDatabase(behind)).close();
    expect((await doctor({ ...settings(), DATABASE_URL: behind })).level('Migrations')).toBe('PASS');
  });

  it('has secrets that no key opens, until the key that sealed them is given', async () => {
    const { accounts, alertRules } = postgresPorts(database, { leaseSeconds: 60 });
    const account = { email: 'ada@example.org', role: 'admin', displayName: null } as const;
    const { id: ownerId } = await accounts.create({ ...account, passwordHash: await new Argon2Hasher().hash('x') });
    const rule = await addAlertRule(database.orm, 'https://hooks.example.org', { ownerId });
    const before = new JoseSecretBox('what it was before', [], silentLog);
    await alertRules.keepSecret(rule, await before.seal('s3cret', secretPlace(rule)));
    const lost = (await doctor(settings())).of('Stored secrets')[0]!;
    expect(lost).toMatchObject({ level: 'WARN', message: expect.stringContaining('“Night watch”') });
    expect(JSON.stringify(lost)).not.toContain('s3cret');
    expect(lost.fix).toContain('ENRICHMENT_ENCRYPTION_KEY_PREVIOUS');
    const mended = await doctor({ ...settings(), ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: 'what it was before' });
    expect(mended.of('Stored secrets')).toMatchObject([{ level: 'PASS', message: 'All 1 open with the present keys' }]);
  });

  it('has an administrator whose password everybody knows, until it is another', async () => {
    const { accounts } = postgresPorts(database, { leaseSeconds: 60 });
    const hasher = new Argon2Hasher();
    const account = { email: 'eve@example.org', role: 'admin', displayName: null } as const;
    const { id } = await accounts.create({ ...account, passwordHash: await hasher.hash('changeme123') });
    const found = (await doctor(settings())).of('Default passwords')[0]!;
    expect(found).toMatchObject({ level: 'WARN', message: expect.stringContaining('eve@example.org') });
    await accounts.update(id, { passwordHash: await hasher.hash('battery staple') });
    expect((await doctor(settings())).level('Default passwords')).toBe('PASS');
  });

  const noDisk = whyNoSmallDisk();
  // oxlint-disable-next-line vitest/no-disabled-tests -- it needs an account that may mount
  it.skipIf(noDisk !== null)('warns of little room, fails without any, and is well with more', async () => {
    const disk = mountSmallDisk();
    try {
      const found = () => doctor({ ...settings(), UPLOAD_DIR: join(disk.folder, 'objects') });
      const small = await found();
      expect([small.level('Disk: uploads'), small.level('Storage')]).toEqual(['WARN', 'PASS']);
      // Of an empty one, no size at all is without a bound.
      await writeFile(join(disk.folder, 'filler'), 'x'.repeat(8192));
      disk.leave(0);
      const full = await found();
      expect([full.verdict, full.level('Storage')]).toEqual(['not_ready', 'FAIL']);
      expect(full.of('Storage')[0]?.fix).toContain('See that there is space');
      disk.leave(3 * 1024 ** 3);
      const roomy = await found();
      expect([roomy.level('Disk: uploads'), roomy.level('Storage')]).toEqual(['PASS', 'PASS']);
    } finally {
      disk.remove();
    }
  });
});

describe('GET /admin/readiness behind a proxy', () => {
  let gateway: OpenGateway;
  beforeAll(async () => {
    gateway = await openGateway({ deployment: { http: { trustedProxies: ['10.9.0.0/16'], secureCookies: true } } });
  });
  afterAll(() => gateway?.close());

  it('shows who sent the request and whom it counts as, and how that is mended', async () => {
    const cookie = await signIn(gateway.ports, 'admin');
    const { bindingOf } = await import('@svc/functions/middleware/bound-session.ts');
    const address = async (url: string) => {
      const headers = {
        accept: 'application/json',
        cookie: `${cookie}; ${bindingOf(cookie)}`,
        'x-forwarded-for': '203.0.113.7',
        'x-forwarded-proto': 'https',
      };
      const response = await fetch(`${url}/admin/readiness`, { headers });
      // No rule pack is in force in tests.
      expect(response.status).toBe(503);
      const { checks } = (await response.json()) as Readiness;
      return checks.filter(({ name }) => name === 'Client address' || name === 'Cookies and HTTP');
    };
    const [cookies, wrong] = await address(gateway.url);
    expect(cookies).toMatchObject({ level: 'PASS' });
    expect(wrong).toMatchObject({
      level: 'WARN',
      message: expect.stringContaining('from 127.0.0.1, X-Forwarded-For 203.0.113.7, counts as 127.0.0.1'),
      fix: 'If 127.0.0.1 is your proxy, add it to TRUSTED_PROXY_CIDRS',
    });
    (gateway.ports.deployment.http.trustedProxies as string[]).push('127.0.0.1');
    const [overTls, right] = await address((await gateway.another()).url);
    expect([overTls?.level, right?.level]).toEqual(['PASS', 'PASS']);
    expect(right?.message).toContain('counts as 203.0.113.7');
  });
});
