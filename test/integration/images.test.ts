import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { ExportedFinding, JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
import { openAsBlob } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startAwsEmulators, type AwsEmulators } from '../support/aws-emulators.ts';
import { openContainers, type Container, type Containers } from '../support/containers.ts';
import { Follower } from '../support/follower.ts';
import { describeWith, freePort } from '../support/programs.ts';
import { startS3, type S3Server } from '../support/s3-server.ts';
import { openStandIn } from '../support/stand-in.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const secretKey = '0123456789abcdef'.repeat(4);
const admin = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'correct horse battery' };
/** Of a machine that does much else. */
const patience = { timeout: 240_000 };
vi.setConfig({ testTimeout: 4 * patience.timeout, hookTimeout: 4 * patience.timeout });
const headers = { accept: 'application/json' };

async function get<T>(address: string): Promise<T> {
  return (await (await fetch(address, { headers })).json()) as T;
}

async function submit(url: string): Promise<number> {
  const workflows = (await get<{ workflows: Workflow[] }>(`${url}/api/v1/workflows`)).workflows;
  const form = new FormData();
  form.set('workflow_id', String(workflows.find(({ is_default: isDefault }) => isDefault)?.id));
  form.set('force_resubmit', 'true');
  form.set('file', await openAsBlob(sample), 'intrusion.evtx');
  const response = await fetch(`${url}/upload`, { method: 'POST', body: form, headers });
  return ((await response.json()) as SubmittedJob).job_id;
}

async function reportOf(url: string, id: number): Promise<ExportedFinding[]> {
  const status = async (): Promise<string> => (await get<JobProgress>(`${url}/jobs/${id}/status`)).status;
  await expect.poll(status, patience).toBe('completed');
  return get<ExportedFinding[]>(`${url}/jobs/${id}/findings.json`);
}

/** A session of the administrator. */
async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD });
  const answer = await fetch(`${url}/auth/cookie/login`, {
    method: 'POST',
    body,
    headers: { ...headers, origin: url },
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  return cookie.split(';')[0]!;
}

describeWith('podman', 'the images, built and run', () => {
  let containers: Containers;
  beforeAll(async () => {
    containers = await openContainers();
    await containers.build('gateway');
    await containers.build('worker');
  });
  afterAll(() => containers?.remove());

  describeWith('postgres', 'as on AWS', () => {
    describeWith('s3', 'with their objects in S3', () => {
      let s3: S3Server;
      let aws: AwsEmulators;
      let url = '';
      let gateway: Container;
      let worker: Container;
      beforeAll(async () => {
        let database = '';
        [s3, aws, database] = await Promise.all([startS3(), startAwsEmulators(), makeServerDatabase()]);
        const port = String(await freePort());
        url = `http://127.0.0.1:${port}`;
        const env = {
          ...s3.env,
          ...aws.env,
          DATABASE_URL: database,
          ...admin,
          COOKIE_INSECURE: 'true',
          SECRET_KEY: secretKey,
          TASKQ_SQS_URL: await aws.queue('analyses'),
          TASKQ_SQS_HEAVY_URL: await aws.queue('heavy'),
          TASKQ_LEDGER_TABLE: await aws.ledger('tasks'),
        };
        gateway = await containers.run('gateway', {
          env: { ...env, HOST: '127.0.0.1', PORT: port, TASKQ_WORKERS: '0' },
        });
        worker = await containers.run('worker', { env: { ...env, TASKQ_WORKERS: '1' } });
        await gateway.untilWell();
        await worker.untilSays('the worker is ready');
      });
      afterAll(async () => {
        await Promise.all([s3?.remove(), aws?.stop()]);
      });

      it.each(['gateway', 'worker'])(
        'gives the %s what it needs, no rights, and only volumes to write to',
        async (name) => {
          const container = name === 'gateway' ? gateway : worker;
          const [status] = await container.threads();
          expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
          expect(status).toMatch(/^CapPrm:\t0+$/m);
          expect(status).toMatch(/^CapBnd:\t0+$/m);
          expect(status).toMatch(/^NoNewPrivs:\t1$/m);
          const writable = await container.exec(
            'sh',
            '-c',
            'for at in / /app /home/node /data /tmp; do test -w $at && echo $at; done',
          );
          expect(writable.split('\n')).toEqual(['/data', '/tmp']);
          const held = await container.exec('sh', '-c', 'ls -A /app && ls /usr/local/bin');
          expect(held.split('\n')).toEqual(['config', 'dist', 'node_modules', 'package.json', 'shared', 'node']);
        },
      );

      it('serves the pages, and a report that another container has made', async () => {
        expect((await fetch(url)).headers.get('content-type')).toContain('text/html');
        const report = await reportOf(url, await submit(url));
        expect(report.length).toBeGreaterThan(0);
        expect(await worker.output()).toContain('completed');
      });

      it('lets the gateway follow, as it is written, what a worker has a model write', async () => {
        let goOn: () => void = () => undefined;
        const isFollowed = new Promise<void>((resolve) => (goOn = resolve));
        const say = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
        const model = await openStandIn(async (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(say('First, '));
          await isFollowed;
          response.end(`${say('then.')}data: [DONE]\n\n`);
        });
        const follower = new Follower();
        try {
          const cookie = await signIn(url);
          const post = async <T>(path: string, fields: object): Promise<T> => {
            const sent = { ...headers, cookie, origin: url, 'content-type': 'application/json' };
            const answer = await fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(fields) });
            expect([path, answer.ok]).toEqual([path, true]);
            return (await answer.json()) as T;
          };
          await post('/admin/settings', { show_ai_analysis: true });
          const asked = { name: 'M', kind: 'openai', base_url: model.url, model: 'm' };
          const { id: provider } = await post<{ id: number }>('/admin/ai', asked);
          const job = await submit(url);
          await reportOf(url, job);
          const runs = `/jobs/${job}/ai-analysis`;
          const { analysis_id: run } = await post<{ analysis_id: number }>(runs, { provider_id: provider });
          const stream = await fetch(`${url}${runs}/${run}/stream`, { headers: { cookie } });
          expect(stream.headers.get('content-type')).toContain('text/event-stream');
          for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
            follower.take(piece);
            if (follower.text === 'First, ') goOn();
          }
        } finally {
          goOn();
          model.close();
        }
        expect(follower).toMatchObject({ isDone: true, text: 'First, then.' });
      });

      it('finds a worker that hangs, and ends within the time that is given when asked to', async () => {
        await worker.untilWell();
        await worker.signal('SIGSTOP');
        await expect.poll(() => worker.isWell(), patience).toBe(false);
        await worker.signal('SIGCONT');
        await worker.untilWell();
        await Promise.all([gateway.signal('SIGTERM'), worker.signal('SIGTERM')]);
        expect(await Promise.all([gateway.ended(), worker.ended()])).toEqual([0, 0]);
      });
    });
  });

  it('lets one container at a time have a volume, and the next when that is gone', async () => {
    const volume = await containers.volume('data');
    const gateway = async (network: 'host' | 'none' = 'host'): Promise<{ container: Container; url: string }> => {
      const port = String(await freePort());
      const env = { HOST: '127.0.0.1', PORT: port, SECRET_KEY: secretKey };
      const container = await containers.run('gateway', { env, network, volumes: ['data:/data'] });
      return { container, url: `http://127.0.0.1:${port}` };
    };
    const first = await gateway();
    await first.container.untilWell();
    const id = await submit(first.url);
    const report = await reportOf(first.url, id);
    expect(report.length).toBeGreaterThan(0);

    // Stopped, the first writes nothing, so whatever changes was the other.
    await first.container.signal('SIGSTOP');
    const isStopped = async (): Promise<boolean> =>
      (await first.container.threads()).every((thread) => /^State:\tT/m.test(thread));
    await expect.poll(isStopped, patience).toBe(true);
    const before = await contentsOf(volume);
    for (const network of ['host', 'none'] as const) {
      const { container: second } = await gateway(network);
      expect(await second.ended()).toBe(1);
      expect(await second.output()).toContain('Another process (1) uses this data directory; stop it first.');
    }
    expect(await contentsOf(volume)).toEqual(before);

    await first.container.signal('SIGCONT');
    const later = await submit(first.url);
    await reportOf(first.url, later);
    await first.container.signal('SIGKILL');
    expect(await first.container.ended()).toBe(137);

    const third = await gateway();
    await third.container.untilWell();
    expect(await third.container.output()).not.toContain('may use this data directory: waiting');
    expect(await reportOf(third.url, id)).toEqual(report);
    expect(await reportOf(third.url, later)).toHaveLength(report.length);
    await third.container.signal('SIGTERM');
    expect(await third.container.ended()).toBe(0);
    const fourth = await gateway();
    await fourth.container.untilWell();
  });
});

/** Every file below a folder, with what tells whether it was written to. */
async function contentsOf(folder: string): Promise<string[]> {
  const paths = ['.', ...(await readdir(folder, { recursive: true })).sort()];
  const states = paths.map(async (path) => {
    const { ino, mode, size, mtimeMs, ctimeMs } = await lstat(join(folder, path));
    return [path, ino, mode, size, mtimeMs, ctimeMs].join(' ');
  });
  return Promise.all(states);
}
