import type { ExportedFinding, Fleet, JobDetail, JobProgress, SubmittedJob, User, Workflow } from '@svc/contracts';
import { spawnSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bigLog, writeBigLog } from '../support/big-log.ts';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import { describeWith } from '../support/programs.ts';
import { startServer, startWorkerProcess, type Program, type Server } from '../support/server.ts';

const toolOf = (name: string) => fileURLToPath(new URL(`../../dist/worker/${name}.mjs`, import.meta.url));
const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** For what comes by itself within seconds. */
const patience = { timeout: 60_000, interval: 100 };
const admin = { email: 'root@example.org', password: 'a long enough passphrase' };

describeWith('postgres', 'several processes on a PostgreSQL server', () => {
  let folder = '';
  let big = '';
  let database: PostgresServer;
  let env: NodeJS.ProcessEnv = {};
  let one: Server;
  let two: Server;
  let worker: Program;
  const programs: Program[] = [];
  const started = async <T extends Program>(starting: Promise<T>): Promise<T> => {
    const program = await starting;
    programs.push(program);
    return program;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-hosted-'));
    // The account of the embedded database must reach it, too.
    await chmod(folder, 0o711);
    big = join(folder, 'big.evtx');
    await writeBigLog(big);
    database = await startPostgres();
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: '0123456789abcdef'.repeat(4),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      TASKQ_WORKERS: '0',
      WORKER_HEARTBEAT_INTERVAL: '1',
      WORKER_HEARTBEAT_TTL: '3',
      UPLOAD_RATE_LIMIT_PER_MINUTE: '0',
    };
    [one, two, worker] = await Promise.all([web(), web(), analyst()]);
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const web = (over: NodeJS.ProcessEnv = {}, health = 200): Promise<Server> =>
    started(startServer({ dataDir: join(folder, 'data'), env: { ...env, ...over }, health }));
  /** URL of an empty database of the server. */
  async function emptyDatabase(name: string): Promise<string> {
    const client = new Client(database.url);
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return database.url.replace(/postgres$/, name);
  }
  const analyst = (hostname?: string): Promise<Program> =>
    started(startWorkerProcess({ ...env, TASKQ_WORKERS: '1' }, hostname === undefined ? {} : { hostname }));

  async function submission(server: Server, path: string): Promise<Response> {
    const form = new FormData();
    form.set('workflow_id', '1');
    form.set('force_resubmit', 'true');
    form.set('file', await openAsBlob(path), 'log.evtx');
    return fetch(`${server.url}/upload`, { method: 'POST', body: form });
  }
  async function submit(server: Server, path: string): Promise<number> {
    const response = await submission(server, path);
    expect(response.status).toBe(202);
    return ((await response.json()) as SubmittedJob).job_id;
  }
  async function get<T>({ url }: Server, path: string): Promise<T> {
    const response = await fetch(url + path, { headers: { accept: 'application/json' } });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }
  async function when(server: Server, id: number, wanted: (progress: JobProgress) => boolean): Promise<JobProgress> {
    for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(20)) {
      const progress = await get<JobProgress>(server, `/jobs/${id}/status`);
      if (wanted(progress)) return progress;
    }
    throw new Error(`job ${id} did not get there:\n${programs.map((program) => program.output()).join('\n')}`);
  }
  const ended = ({ terminal }: JobProgress): boolean => terminal;
  async function expectWholeReport(server: Server, id: number): Promise<void> {
    expect((await when(server, id, ended)).status).toBe('completed');
    expect(await get<JobDetail>(server, `/jobs/${id}`)).toMatchObject({
      events: bigLog.events,
      total_findings: bigLog.matches,
      error: null,
    });
    const findings = await get<ExportedFinding[]>(server, `/jobs/${id}/findings.json`);
    expect(findings).toMatchObject([{ rule_name: 'Script Block Downloads And Runs Code', count: bigLog.matches }]);
  }

  async function signIn({ url }: Server): Promise<string> {
    const body = new URLSearchParams({ username: admin.email, password: admin.password });
    const login = await fetch(`${url}/auth/cookie/login`, { method: 'POST', body });
    expect(login.status).toBe(204);
    return (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  }

  it('goes by a setting in every process from the next request on', async () => {
    const cookie = await signIn(one);
    const set = async (banner_text: string): Promise<void> => {
      const headers = { cookie, origin: one.url, 'content-type': 'application/json' };
      const answer = await fetch(`${one.url}/admin/settings`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ banner_text, demo_mode: banner_text !== '' }),
      });
      expect(answer.status).toBe(200);
    };
    await set('Exercise');
    for (const server of [one, two]) {
      expect(await get(server, '/api/ui/session')).toMatchObject({ banner: { text: 'Exercise' } });
      expect((await submission(server, sample)).status).toBe(403);
    }
    await set('');
    expect(await get(two, '/api/ui/session')).toMatchObject({ banner: null });
  });

  it('is one service: the same administrator, workflows and sessions', async () => {
    const cookie = await signIn(one);
    const me = await fetch(`${two.url}/api/users/me`, { headers: { cookie } });
    expect((await me.json()) as User).toMatchObject({ email: admin.email, role: 'admin' });
    const { workflows } = await get<{ workflows: Workflow[] }>(two, '/api/v1/workflows');
    expect(workflows.filter(({ is_default: isDefault }) => isDefault)).toHaveLength(1);
    const created = [one, two].filter((server) => server.output().includes('created the first administrator'));
    expect(created).toHaveLength(1);
  });

  it('analyses in its worker what one web process takes, and another shows it', async () => {
    const id = await submit(one, sample);
    expect((await when(two, id, ended)).status).toBe('completed');
    expect((await get<JobDetail>(two, `/jobs/${id}`)).total_findings).toBeGreaterThan(0);
    // The worker says so once the result is committed: the line may come after the other process has shown it.
    await vi.waitFor(() => expect(worker.output()).toMatch(/job begun[^\n]*\n[^]*job done/), 10_000);
    expect(one.output() + two.output()).not.toContain('job begun');
  });

  it('completes the job of a killed worker in another one', async () => {
    const id = await submit(one, big);
    await when(two, id, ({ status, tasks }) => status === 'running' && (tasks[0]?.progress?.bytes_done ?? 0) > 0);
    await worker.stop('SIGKILL');
    worker = await analyst();
    await expectWholeReport(two, id);
    expect(worker.output()).toContain('attempt=2');
  });

  it('gives a job back when its worker is told to stop, at once and without counting', async () => {
    const id = await submit(two, big);
    await when(one, id, ({ status }) => status === 'running');
    await worker.stop('SIGTERM');
    expect(worker.output()).toMatch(/gives its jobs back and stops/);
    worker = await analyst();
    await expectWholeReport(one, id);
    expect(worker.output()).toContain('attempt=1');
  });

  it('answers 503 while the database is stopped, and has lost nothing when it is back', async () => {
    const interrupted = await submit(one, big);
    await when(one, interrupted, ({ status }) => status === 'running');
    const waiting = [await submit(one, sample), await submit(two, sample)];
    await database.stop();
    for (const server of [one, two]) {
      for (const answer of [
        await fetch(`${server.url}/jobs/${interrupted}/status`),
        await fetch(`${server.url}/api/v1/workflows`),
        await submission(server, sample),
      ]) {
        expect(answer.status).toBe(503);
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(await answer.json()).toMatchObject({ code: 'unavailable' });
      }
      const health = await fetch(`${server.url}/health`);
      expect(health.status).toBe(503);
      expect(await health.json()).toMatchObject({ status: 'error', database: 'error', storage: 'ok' });
    }
    // Long enough for signs of life of the worker to fail.
    await sleep(4000);
    expect([one, two, worker].map((program) => program.isRunning())).toEqual([true, true, true]);
    expect(worker.output()).toMatch(/cannot save progress|no sign of life could be given|the analysis crashed/);
    await database.start();
    await expectWholeReport(one, interrupted);
    for (const id of waiting) expect((await when(two, id, ended)).status).toBe('completed');
    const again = await submit(one, sample);
    expect((await when(two, again, ended)).status).toBe('completed');
    expect((await fetch(`${one.url}/health`)).status).toBe(200);
  });

  it.runIf(isRoot)('pauses a host, lets it finish what it has, and does without one that is gone', async () => {
    await worker.stop();
    const [first, second] = [await analyst('first'), await analyst('second')];
    const headers = { cookie: await signIn(one), origin: one.url, 'content-type': 'application/json' };
    const limit = async (host: string, cap: number): Promise<void> => {
      const body = JSON.stringify({ max_concurrent_jobs: cap });
      const answer = await fetch(`${one.url}/admin/workers/${host}/limit`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    };
    const states = async (): Promise<Record<string, string>> => {
      const { hosts } = (await (await fetch(`${two.url}/admin/workers`, { headers })).json()) as Fleet;
      return Object.fromEntries(hosts.map(({ hostname, state }) => [hostname, state]));
    };
    const begun = ({ status }: JobProgress): boolean => status === 'running';

    await limit('second', -1);
    await vi.waitFor(async () => expect(await states()).toMatchObject({ first: 'idle', second: 'paused' }), patience);
    const draining = await submit(one, big);
    await when(one, draining, begun);
    await limit('first', -1);
    // Unless it has ended before anybody looked.
    await vi.waitFor(async () => {
      const state = (await states())['first'];
      expect(ended(await get<JobProgress>(one, `/jobs/${draining}/status`)) || state === 'draining').toBe(true);
    }, patience);
    await limit('second', 0);
    const taken = await submit(one, big);
    await when(two, taken, begun);
    await second.stop('SIGKILL');
    expect(second.output()).toContain(`job_id=${taken}`);
    await expectWholeReport(two, draining);
    expect(first.output()).not.toContain(`job_id=${taken}`);
    await limit('first', 0);
    await expectWholeReport(one, taken);
    expect(first.output()).toContain(`job_id=${taken}`);
    await vi.waitFor(async () => expect(await states()).toMatchObject({ first: 'idle', second: 'silent' }), patience);
    await first.stop();
    worker = await analyst();
  });

  it('waits for migrations that it may not apply, and says so', async () => {
    const url = await emptyDatabase('unmigrated');
    const other = await web({ DATABASE_URL: url, AUTO_MIGRATE: 'false' }, 503);
    expect(await (await fetch(`${other.url}/health`)).json()).toMatchObject({ database: 'ok', migrations: 'pending' });
    const refused = await fetch(`${other.url}/api/v1/workflows`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(other.output()).toMatch(/AUTO_MIGRATE is false: use npm run migrate/);
    const done = spawnSync(process.execPath, [toolOf('migrate')], {
      env: { ...process.env, ...env, DATABASE_URL: url },
      encoding: 'utf8',
    });
    expect(done).toMatchObject({ status: 0, stdout: 'The database is up to date.\n' });
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
      if ((await fetch(`${other.url}/health`)).ok) break;
    }
    expect((await fetch(`${other.url}/api/v1/workflows`)).status).toBe(200);
  });
  it('takes over what an embedded service has', async () => {
    const dataDir = join(folder, 'embedded');
    const embedded = await started(startServer({ dataDir, env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } }));
    const id = await submit(embedded, sample);
    await when(embedded, id, ended);
    const findings = await get(embedded, `/jobs/${id}/findings.json`);
    await embedded.stop();
    const moved = { ...env, DATABASE_URL: await emptyDatabase('moved'), DATA_DIR: dataDir };
    const move = () =>
      spawnSync(process.execPath, [toolOf('move-database')], { env: { ...process.env, ...moved }, encoding: 'utf8' });
    expect(move()).toMatchObject({ status: 0, stdout: expect.stringMatching(/ 1 {2}jobs\n[^]*counted on both sides/) });
    expect(move()).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use') });
    const hosted = await started(startServer({ dataDir, env: { ...moved, TASKQ_WORKERS: '1' } }));
    expect(await get(hosted, `/jobs/${id}/findings.json`)).toEqual(findings);
    expect((await when(hosted, await submit(hosted, sample), ended)).status).toBe('completed');
  });
});
