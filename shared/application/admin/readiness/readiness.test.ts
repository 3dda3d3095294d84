import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { AppError, verdictOf, type ReadinessCheck } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../ports/deployment.ts';
import type { Machine } from '../../ports/machine.ts';
import type { Ports } from '../../ports/ports.ts';
import { createApiToken } from '../create-api-token.ts';
import { checkBundledServices, checkSafety, checkServers } from './check-configuration.ts';
import { checkEngines } from './check-engines.ts';
import { checkDisks, checkSystem } from './check-resources.ts';
import { checkDefaultPasswords } from './check-secrets.ts';
import { checkEviction, checkMigrations } from './check-services.ts';
import { checkTransport, type SeenRequest } from './check-transport.ts';
import { getDashboard } from './get-dashboard.ts';
import { readinessChecks, sharedReadiness } from './get-readiness.ts';
import { runChecks } from './run-checks.ts';

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ({ ports } = test);
});
beforeEach(() => test.reset());
afterAll(() => test.close());

const levels = (checks: readonly ReadinessCheck[], name: string) =>
  checks.filter((check) => check.name === name).map(({ level }) => level);
const pass: ReadinessCheck = { section: 's', name: 'n', level: 'PASS', message: 'm', fix: null };

describe('checks together', () => {
  it('find nothing that fails in a service that is well', async () => {
    await addAdmin(ports);
    const { checks, verdict } = await sharedReadiness(ports).current(null);
    expect(checks.filter(({ level }) => level === 'FAIL').map(({ name }) => name)).toEqual(['Rule packs']);
    expect(verdict).toBe('not_ready');
    for (const name of [
      'Database',
      'Migrations',
      'Key-value store',
      'Storage',
      'Stored secrets',
      'Workflow Windows Full Analysis',
    ]) {
      expect([name, levels(checks, name)]).toEqual([name, ['PASS']]);
    }
    for (const { level, fix } of checks) if (level === 'FAIL' || level === 'WARN') expect(fix).toBeTruthy();
  });

  it('give the verdict of the worst', () => {
    expect(verdictOf([pass, { ...pass, level: 'INFO' }])).toBe('ready');
    expect(verdictOf([pass, { ...pass, level: 'WARN' }])).toBe('ready_with_warnings');
    expect(
      verdictOf([
        { ...pass, level: 'WARN' },
        { ...pass, level: 'FAIL' },
      ]),
    ).toBe('not_ready');
  });

  it('fail for a store that hangs, and go on with the others', async () => {
    const hangs = () => new Promise<never>(() => undefined);
    const checks = await runChecks(
      null,
      [
        { section: 'Services', name: 'Storage', vital: 'Start it', run: hangs },
        { section: 'Configuration', name: 'Other', run: hangs },
        { section: 's', name: 'n', run: () => pass },
      ],
      20,
    );
    expect(checks).toEqual([
      {
        section: 'Services',
        name: 'Storage',
        level: 'FAIL',
        message: 'There was no answer within 0.02 s',
        fix: 'Start it',
      },
      expect.objectContaining({ name: 'Other', level: 'INFO' }),
      pass,
    ]);
  });

  it('say once that a database is away, and that the rest is not known', async () => {
    const down = () => Promise.reject(new AppError('unavailable', 'The database cannot be reached'));
    const away = {
      ...ports,
      database: overriding(ports.database, { check: down, schema: down }),
      siteOverview: overriding(ports.siteOverview, { admins: down, secrets: down }),
      workflows: overriding(ports.workflows, { list: down }),
      rulePacks: overriding(ports.rulePacks, { list: down }),
    };
    const checks = await runChecks(away, readinessChecks);
    expect(checks.filter(({ level }) => level === 'FAIL').map(({ name }) => name)).toEqual(['Database', 'Migrations']);
    expect(levels(checks, 'Stored secrets')).toEqual(['INFO']);
    const broken = { section: 's', name: 'n', run: () => Promise.reject(new Error('a fault')) };
    expect(await runChecks(null, [broken])).toMatchObject([
      { level: 'WARN', message: expect.stringContaining('a fault') },
    ]);
  });

  it('stand for five minutes, or until somebody has them run anew', async () => {
    let runs = 0;
    const shared = sharedReadiness(ports, [
      { section: 's', name: 'n', run: () => ({ ...pass, message: `${++runs}` }) },
    ]);
    const said = async (found: ReturnType<typeof shared.current>) => (await found).checks[0]?.message;
    expect(await Promise.all([said(shared.current(null)), said(shared.current(null))])).toEqual(['1', '1']);
    test.advance(299);
    expect(await said(shared.current(null))).toBe('1');
    test.advance(2);
    expect(await said(shared.current(null))).toBe('2');
    expect(await said(shared.anew(null))).toBe('3');
    expect(await said(shared.current(null))).toBe('3');
  });
});

describe('what is between browsers and the service', () => {
  const request: SeenRequest = {
    client: '192.0.2.9',
    peer: '192.0.2.9',
    forwarded: null,
    origin: 'http://svc.example.org',
  };
  const found = (http: Partial<Deployment['http']>, seen: Partial<SeenRequest> | null) => {
    const base: Deployment['http'] = { ...ports.deployment.http, secureCookies: true, host: '0.0.0.0' };
    const deployment: Deployment = { ...ports.deployment, http: { ...base, ...http } };
    const checks = checkTransport({ deployment }, seen && { ...request, ...seen });
    return Object.fromEntries(checks.map(({ name, level }) => [name, level]));
  };
  const tls = { origin: 'https://svc.example.org' };

  it.each<[Partial<Deployment['http']>, Partial<SeenRequest> | null, string, string]>([
    [{}, {}, 'WARN', 'PASS'],
    [{}, tls, 'PASS', 'WARN'],
    [{ hstsSeconds: 1 }, tls, 'PASS', 'PASS'],
    [{ hstsSeconds: 1 }, {}, 'WARN', 'WARN'],
    [{ siteUrl: 'https://svc.example.org', hstsSeconds: 1 }, {}, 'PASS', 'PASS'],
    [{ edgeKey: 'k', hstsSeconds: 1 }, {}, 'PASS', 'PASS'],
    [{ secureCookies: false }, {}, 'INFO', 'PASS'],
    [{}, { origin: 'http://localhost:8000' }, 'PASS', 'PASS'],
    [{}, null, 'INFO', 'PASS'],
    [{ host: '127.0.0.1' }, null, 'PASS', 'PASS'],
    [{ siteUrl: 'http://svc.example.org' }, null, 'WARN', 'PASS'],
  ])('by %j and %j: cookies %s, HSTS %s', (http, seen, cookies, hsts) => {
    expect(found(http, seen)).toMatchObject({ 'Cookies and HTTP': cookies, HSTS: hsts });
  });

  const chain = (client: string, forwarded: string | null, peer = '10.0.0.5') => ({ client, forwarded, peer });
  it.each<[readonly string[] | null, Partial<SeenRequest> | null, string]>([
    [null, {}, 'PASS'],
    [null, chain('10.0.0.5', '203.0.113.7'), 'WARN'],
    [['10.0.0.5/32'], chain('203.0.113.7', '203.0.113.7'), 'PASS'],
    [['10.0.0.5/32'], chain('10.0.0.9', '203.0.113.7, 10.0.0.9'), 'WARN'],
    [['10.1.0.0/16'], chain('10.0.0.5', '203.0.113.7'), 'WARN'],
    [['127.0.0.1/32', '::1/128'], null, 'WARN'],
    [['127.0.0.1/32', '::1/128'], {}, 'WARN'],
    [['127.0.0.1/32', '::1/128'], chain('203.0.113.7', '203.0.113.7', '127.0.0.1'), 'PASS'],
    [['10.0.0.0/8'], null, 'PASS'],
    [['*'], null, 'INFO'],
  ])('proxies %j and %j: %s', (trustedProxies, seen, level) => {
    expect(found({ trustedProxies }, seen)['Client address']).toBe(level);
  });

  it('names the peer and what it passed on', () => {
    const { deployment } = ports;
    const seen = { ...request, ...chain('10.0.0.5', '203.0.113.7') };
    const check = checkTransport({ deployment }, seen).find(({ name }) => name === 'Client address');
    expect(check?.message).toContain('from 10.0.0.5, X-Forwarded-For 203.0.113.7, counts as 10.0.0.5');
    expect(check?.fix).toContain('TRUSTED_PROXY_CIDRS=10.0.0.5');
  });
});

describe('the settings', () => {
  const withStores = (stores: Partial<Deployment['stores']>, over: Partial<Deployment> = {}) => ({
    deployment: { ...ports.deployment, ...over, stores: { ...ports.deployment.stores, ...stores } },
  });

  it('are a warning each with what to do, and notices a remark', () => {
    const safety = [{ message: 'DEBUG is on', fix: 'Unset DEBUG' }];
    const warnings = ['PRODUCTION SAFETY: DEBUG is on', 'something to know'];
    expect(checkSafety(withStores({}, { safety, warnings }))).toEqual([
      expect.objectContaining({ level: 'WARN', message: 'DEBUG is on', fix: 'Unset DEBUG' }),
      expect.objectContaining({ level: 'INFO', message: 'Something to know' }),
    ]);
    expect(checkSafety(withStores({}))).toMatchObject([{ level: 'PASS' }]);
  });

  it.each<[Partial<Deployment['stores']>, number, string[]]>([
    [{}, 1, []],
    [{ database: 'db.example.org' }, 1, []],
    [{ database: 'localhost', keyValue: '127.0.0.1' }, 1, []],
    [{ keyValue: 'kv.example.org' }, 1, ['WARN']],
    [{ keyValue: 'kv.example.org', database: 'db.example.org' }, 1, ['WARN']],
    [{ keyValue: 'kv.example.org', database: 'db.example.org', objects: 's3' }, 1, ['PASS']],
    [{ database: 'db.example.org', objects: 's3' }, 1, ['PASS']],
    [{ database: 'db.example.org' }, 0, ['WARN']],
    [{ objects: 's3' }, 1, []],
    [{}, 0, []],
  ])('of several servers: %j with %i workers', (stores, workers, expected) => {
    expect(checkServers(withStores(stores, { workers })).map(({ level }) => level)).toEqual(expected);
  });

  it('of services that are bundled elsewhere', async () => {
    const found = async (stores: Partial<Deployment['stores']>, objects = ports.objects) =>
      (await checkBundledServices({ ...withStores(stores), objects })).map(({ level }) => level);
    expect(await found({})).toEqual([]);
    expect(await found({ ignored: ['DBSRV_PASSWORD'] })).toEqual(['WARN']);
    const objectsAt = 'http://store:3900';
    expect(await found({ objects: 's3', objectsAt })).toEqual(['PASS']);
    const away = overriding(ports.objects, { check: () => Promise.reject(new Error('away')) });
    expect(await found({ objects: 's3', objectsAt }, away)).toEqual(['FAIL']);
  });

  it('leave a store’s eviction open where it does not say', async () => {
    const asked = (evictionPolicy: () => Promise<string | null>) =>
      checkEviction({
        ...withStores({ keyValue: 'kv' }),
        keyValue: overriding(ports.keyValue, { evictionPolicy }),
      });
    expect(await asked(() => Promise.reject(new Error('NOPERM')))).toMatchObject([{ level: 'INFO' }]);
    expect(await asked(async () => 'noeviction')).toMatchObject([{ level: 'PASS' }]);
    expect(await checkEviction({ ...withStores({}), keyValue: ports.keyValue })).toEqual([]);
  });
});

describe('the machine', () => {
  const machine = (over: Partial<Machine>): Pick<Ports, 'machine'> => ({ machine: overriding(ports.machine, over) });

  it('has room or not, and is known or not', async () => {
    const disk = { name: 'Data', path: '/srv', totalBytes: 1e12, isThere: true, owner: 0 };
    const free = async (freeBytes: number) =>
      (await checkDisks(machine({ disks: async () => [{ ...disk, freeBytes }] })))[0];
    expect(await free(2 * 1024 ** 3)).toMatchObject({ level: 'PASS', name: 'Disk: data' });
    expect(await free(2 * 1024 ** 3 - 1)).toMatchObject({ level: 'WARN', message: expect.stringContaining('/srv') });
    const system = (platform: string) => ({ system: { platform, arch: 'x64', name: 'this' } });
    expect(checkSystem(machine(system('linux'))).level).toBe('PASS');
    expect(checkSystem(machine(system('win32'))).level).toBe('WARN');
  });
});

describe('what is stored', () => {
  it('has engines for its workflows, or says of which not', async () => {
    const wanting = async () => (await checkEngines(ports)).filter(({ level }) => level !== 'PASS');
    expect(await wanting()).toEqual([]);
    expect(await checkEngines(ports)).toContainEqual(
      expect.objectContaining({
        name: 'Workflow Windows Full Analysis',
        message: 'Runs sigma-native; leaves out evtx-timeline, evtx-hunt, sigma-multi, not enabled here',
      }),
    );
    const seed = (name: string, ...tools: string[]) =>
      ports.workflows.seed([
        {
          name,
          description: '',
          logTypes: [],
          isDefault: false,
          definition: JSON.stringify({ tasks: tools.map((tool) => ({ tool })) }),
        },
      ]);
    await seed('Own', 'evtx-hunt');
    await seed('Both', 'sigma-native', 'evtx-hunt');
    await seed('None');
    const found = await wanting();
    expect(found.map(({ name, level }) => [name, level])).toEqual([
      ['Workflow Both', 'WARN'],
      ['Workflow None', 'FAIL'],
      ['Workflow Own', 'FAIL'],
    ]);
    for (const name of ['Own', 'Both', 'None']) await seed(name, 'sigma-native');
    expect(await wanting()).toEqual([]);
  });

  it('has an administrator, and none with a password that everybody knows', async () => {
    expect(await checkDefaultPasswords(ports)).toMatchObject([
      { level: 'WARN', message: expect.stringContaining('no active administrator') },
    ]);
    const { userId } = await addAdmin(ports);
    expect(await checkDefaultPasswords(ports)).toMatchObject([{ level: 'PASS' }]);
    await ports.accounts.update(userId, { passwordHash: 'plain:changeme123' });
    expect(await checkDefaultPasswords(ports)).toMatchObject([
      { level: 'WARN', message: expect.stringContaining('boss@example.org') },
    ]);
  });

  it.each([
    ['pending', 2, 'FAIL'],
    ['fresh', 0, 'INFO'],
    ['later', 0, 'WARN'],
    ['unmanaged', 9, 'WARN'],
    ['at_head', 0, 'PASS'],
  ] as const)('has a schema that is %s', async (state, pending, level) => {
    const database = overriding(ports.database, { schema: async () => ({ state, pending }) });
    expect((await checkMigrations({ database })).level).toBe(level);
  });

  it('is counted on the dashboard', async () => {
    const actor = await addAdmin(ports);
    await createApiToken(ports, actor, { name: 'ci', scopes: ['job:read'], expires_in_days: 30 });
    await createApiToken(ports, actor, { name: 'old', scopes: ['job:read'], expires_in_days: 30 });
    const readiness = sharedReadiness(ports, []).current(null);
    const before = await getDashboard(ports, readiness);
    expect(before).toMatchObject({
      overview: { jobs: { total: 0, running: 0, pending: 0, completed: 0 }, active_background: 0, recent_activity: [] },
      counts: { users: 1, admins: 1, active_tokens: 2, activity_last_hour: 0, ai_providers: { total: 0, enabled: 0 } },
    });
    expect(before.counts.workflows).toBeGreaterThan(0);
    test.advance(31 * 86_400);
    const { id } = await ports.backgroundTasks.request(
      { kind: 'backfill_entities', targetId: null, requestedBy: 'boss@example.org' },
      ports.clock.now(),
    );
    const after = await getDashboard(ports, readiness);
    expect(after.counts.active_tokens).toBe(0);
    expect(after.overview.active_background).toBe(1);
    expect(after.maintenance).toContainEqual({
      kind: 'backfill_entities',
      last: expect.objectContaining({ id, status: 'pending' }),
    });
    expect(after.maintenance.filter(({ last }) => last === null)).toHaveLength(after.maintenance.length - 1);
  });
});
