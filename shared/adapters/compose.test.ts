import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { MemoryRateLimiter } from './local/memory-rate-limiter.ts';
import { RedisRateLimiter } from './redis/rate-limiter.ts';
import { closePorts, compose, usePorts, wrongSettings } from './compose.ts';
import { projectRoot } from './machine/project-root.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-compose-'));
const dataDir = join(root, 'data');
afterEach(async () => {
  await closePorts();
  vi.unstubAllEnvs();
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('builds the named ports and touches nothing for the others', () => {
  vi.stubEnv('DATA_DIR', dataDir);
  const ports = compose('clock', 'deployment', 'jobs', 'engines', 'shipped');
  expect(Object.keys(ports).sort()).toEqual(['clock', 'deployment', 'engines', 'jobs', 'shipped']);
  expect(existsSync(dataDir)).toBe(false);
});

it('builds each port once, and anew after they were closed', async () => {
  vi.stubEnv('DATA_DIR', dataDir);
  const first = compose('objects', 'tasks', 'ledger');
  expect(compose('objects').objects).toBe(first.objects);
  expect(first.tasks).toBe(first.ledger);
  await closePorts();
  expect(compose('objects').objects).not.toBe(first.objects);
});

it('reads the environment', () => {
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('MAX_UPLOAD_SIZE_MB', '3');
  vi.stubEnv('ADMIN_EMAIL', 'a@example.org');
  vi.stubEnv('PORT', '9001');
  const { deployment } = compose('deployment');
  expect(deployment).toMatchObject({ maxUploadBytes: 3_145_728, firstAdmin: null, embedded: true });
  expect(deployment.http).toEqual({
    host: '127.0.0.1',
    port: 9001,
    servedHosts: [],
    secureCookies: true,
    logRequests: false,
    trustedProxies: null,
    hstsSeconds: null,
    contentSecurityPolicy: true,
    uploadOrigin: null,
    siteUrl: null,
    edgeKey: null,
  });
  expect(deployment.version).toMatch(/^\d+\.\d+\.\d+/);
});

it('keeps stored secrets readable when they get a key of their own, and when that is changed', async () => {
  const sealed = async (environment: Readonly<Record<string, string>>) => {
    await closePorts();
    vi.unstubAllEnvs();
    vi.stubEnv('DATA_DIR', dataDir);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    return compose('secretBox').secretBox;
  };
  const byFile = await (await sealed({})).seal('kept', 'here');
  const first = await sealed({ ENRICHMENT_ENCRYPTION_KEY: 'the first key' });
  expect(await first.open(byFile, 'here')).toBe('kept');
  const byFirst = await first.seal('kept', 'here');
  const rotation = { ENRICHMENT_ENCRYPTION_KEY: 'the second key', ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: 'the first key' };
  expect(await (await sealed(rotation)).open(byFirst, 'here')).toBe('kept');
  const bySecret = await (await sealed({ SECRET_KEY: 'an old secret key' })).seal('kept', 'here');
  const changed = { SECRET_KEY: 'a new secret key', ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: 'an old secret key' };
  expect(await (await sealed(changed)).open(bySecret, 'here')).toBe('kept');
});

it('coordinates in memory, or by Redis where there is one', async () => {
  vi.stubEnv('DATA_DIR', dataDir);
  expect(compose('rateLimiter').rateLimiter).toBeInstanceOf(MemoryRateLimiter);
  await closePorts();
  vi.stubEnv('KV_HOST', '127.0.0.1');
  vi.stubEnv('KV_PORT', '1');
  vi.stubEnv('LOG_LEVEL', 'ERROR');
  const ports = compose('rateLimiter', 'uploadAdmission', 'keyValue');
  expect(ports.rateLimiter).toBeInstanceOf(RedisRateLimiter);
  await expect(ports.keyValue.check()).rejects.toThrow('writeable');
});

it('keeps uploads where it is told to', async () => {
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('UPLOAD_DIR', join(root, 'uploads'));
  await compose('objects').objects.check();
  expect(existsSync(join(root, 'uploads'))).toBe(true);
  expect(existsSync(join(dataDir, 'objects'))).toBe(false);
});

it('refuses an environment that makes no sense', () => {
  vi.stubEnv('PORT', 'eighty');
  expect(() => compose('clock')).toThrow('Wrong settings in the environment: PORT');
  vi.stubEnv('PORT', '');
  vi.stubEnv('S3_ACCESS_KEY', 'key');
  expect(() => compose('clock')).toThrow('S3_ACCESS_KEY and S3_SECRET_KEY must be set together');
});

it('refuses a file of fields that is not there', () => {
  vi.stubEnv('ANALYTICS_FIELDS_PATH', join(root, 'none.yaml'));
  const sentence = `ANALYTICS_FIELDS_PATH: there is no file ${join(root, 'none.yaml')}`;
  expect(() => compose('clock')).toThrow(sentence);
  expect(wrongSettings()).toEqual([sentence]);
  vi.stubEnv('ANALYTICS_FIELDS_PATH', root);
  expect(wrongSettings()).toEqual([`ANALYTICS_FIELDS_PATH: there is no file ${root}`]);
  vi.stubEnv('ANALYTICS_FIELDS_PATH', join(projectRoot(), 'config/analytics_fields.yaml'));
  expect(wrongSettings()).toEqual([]);
});

it('warns of a file of heuristics that is not there', async () => {
  const warningsWith = async (path: string): Promise<readonly string[]> => {
    await closePorts();
    vi.stubEnv('THREAT_DETECTION_CONFIG_PATH', path);
    return compose('deployment').deployment.warnings.filter((line) => line.includes('THREAT'));
  };
  const missing = join(root, 'none.yaml');
  expect(await warningsWith(missing)).toEqual([
    `THREAT_DETECTION_CONFIG_PATH: there is no file ${missing}; no log is looked through for threats (Heuristics)`,
  ]);
  expect(await warningsWith(join(projectRoot(), 'config/threat_detection.yaml'))).toEqual([]);
});

it('takes a PostgreSQL server where the environment names one, and then no folder for a database', async () => {
  const unused = join(root, 'unused');
  vi.stubEnv('DATA_DIR', unused);
  vi.stubEnv('DATABASE_URL', 'postgresql+asyncpg://svc:hunter2@127.0.0.1:1/svc');
  expect(() => compose('deployment')).toThrow('DATABASE_URL needs SECRET_KEY');
  vi.stubEnv('SECRET_KEY', '0123456789abcdef'.repeat(4));
  const { database, deployment, sessions } = compose('database', 'deployment', 'sessions');
  expect(deployment.embedded).toBe(false);
  await expect(database.check()).rejects.toMatchObject({ code: 'unavailable' });
  await sessions.issue({ accountId: 'a', passwordVersion: '1', secret: 's' });
  expect(existsSync(unused)).toBe(false);
});

it('has the built-in engine and no other', async () => {
  vi.stubEnv('DATA_DIR', dataDir);
  const { database, engines: catalog } = compose('database', 'engines');
  await database.open();
  const engines = await catalog.current();
  expect(engines.get({ tool: 'sigma-native', program: null })?.supportedTypes?.has('evtx')).toBe(true);
  expect(engines.get({ tool: 'evtx-hunt', program: null })).toBeNull();
});

it('hands out what a test gives it', () => {
  const clock = { now: () => new Date(0) };
  usePorts({ clock });
  expect(compose('clock').clock).toBe(clock);
});
