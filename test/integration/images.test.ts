import type { JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, openAsBlob } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layOut, readImage, type Image } from '../support/image.ts';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import { describeWith, ended, freePort } from '../support/programs.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const sample = join(repository, 'config/samples/intrusion-powershell.evtx');
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe.each(['gateway', 'worker'] as const)('the image of the %s', (name) => {
  it('copies what is there, is not root, and keeps what it writes in volumes', async () => {
    const image = await readImage(name);
    const own = image.copies.filter(({ from }) => from === null).map(({ source }) => source);
    const sources = [...own, ...image.packageSources];
    expect(sources.filter((source) => !existsSync(join(repository, source)))).toEqual([]);
    expect(image).toMatchObject({ user: 'node', volumes: ['/data', '/tmp'], variables: { DATA_DIR: '/data' } });
  });
});

describeWith('postgres', 'what the images hold', () => {
  let folder = '';
  let database: PostgresServer;
  let url = '';
  let gateway: ChildProcess;
  let worker: ChildProcess;
  let images: Readonly<Record<'gateway' | 'worker', Image>>;
  const programs: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-images-'));
    await chmod(folder, 0o755);
    database = await startPostgres();
    images = { gateway: await readImage('gateway'), worker: await readImage('worker') };
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    gateway = await run('gateway', { PORT: port, HOST: '127.0.0.1', TASKQ_WORKERS: '0' });
    worker = await run('worker', { TASKQ_WORKERS: '1' });
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => ended(program, 'SIGKILL')));
    await database.remove();
    spawnSync('chmod', ['-R', 'u+w', folder]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the image's command on its files alone, which it cannot write to, as another user. */
  async function run(name: 'gateway' | 'worker', over: Readonly<Record<string, string>>): Promise<ChildProcess> {
    const image = images[name];
    const [app, data] = [join(folder, name), join(folder, `${name}-data`)];
    await layOut(image, app);
    for (const writable of [data, join(folder, 'uploads')]) {
      await mkdir(writable, { recursive: true });
      await chmod(writable, 0o777);
    }
    const [, ...args] = image.command;
    const program = spawn(process.execPath, args, {
      cwd: app,
      ...nobody,
      // Nothing of this machine's but where programs are.
      env: {
        PATH: process.env['PATH'],
        ...image.variables,
        DATABASE_URL: database.url,
        SECRET_KEY: '0123456789abcdef'.repeat(4),
        DATA_DIR: data,
        UPLOAD_DIR: join(folder, 'uploads'),
        ...over,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    programs.push(program);
    return program;
  }

  /** Whether the image's health check finds the program well. */
  function isWell(name: 'gateway' | 'worker', program: ChildProcess): boolean {
    const [command, ...args] = images[name].healthCheck.map((word) =>
      word.replace('/proc/1/', `/proc/${program.pid}/`),
    );
    const checked = spawnSync(command === 'node' ? process.execPath : command!, args, {
      env: { ...process.env, PORT: new URL(url).port },
    });
    return checked.status === 0;
  }

  it('serves, analyses and tells whether it is well', async () => {
    await expect.poll(() => isWell('gateway', gateway), { timeout: 60_000 }).toBe(true);
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html');
    const { workflows } = (await (await fetch(`${url}/api/v1/workflows`)).json()) as { workflows: Workflow[] };
    const form = new FormData();
    form.set('workflow_id', String(workflows.find(({ is_default: isDefault }) => isDefault)?.id));
    form.set('file', await openAsBlob(sample), 'intrusion.evtx');
    const headers = { accept: 'application/json' };
    const submitted = (await (
      await fetch(`${url}/upload`, { method: 'POST', body: form, headers })
    ).json()) as SubmittedJob;
    const status = async (): Promise<JobProgress> =>
      (await (await fetch(`${url}/jobs/${submitted.job_id}/status`, { headers })).json()) as JobProgress;
    await expect.poll(async () => (await status()).status, { timeout: 60_000 }).toBe('completed');
    expect((await status()).total_findings).toBeGreaterThan(0);
  });

  it('is not well when it is stopped', async () => {
    expect(isWell('worker', worker)).toBe(true);
    worker.kill('SIGSTOP');
    await expect.poll(() => isWell('worker', worker)).toBe(false);
    worker.kill('SIGCONT');
    await expect.poll(() => isWell('worker', worker)).toBe(true);
    await ended(gateway, 'SIGTERM');
    expect(gateway.exitCode).toBe(0);
    expect(isWell('gateway', gateway)).toBe(false);
  });
});
