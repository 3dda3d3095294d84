import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { AiRuns, ExportedFinding, JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
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
/** Of a machine that does much else. */
const patience = { timeout: 240_000 };
vi.setConfig({ testTimeout: 4 * patience.timeout, hookTimeout: 4 * patience.timeout });
const headers = { accept: 'application/json' };
const admin = { username: 'admin@example.org', password: 'correct horse battery' };

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
          SECRET_KEY: secretKey,
          ADMIN_EMAIL: admin.username,
          ADMIN_PASSWORD: admin.password,
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

      it('streams what another container has a model say, to twenty readers who lose their connections', async () => {
        const words = Array.from({ length: 8 }, (_, at) => `word${at} ü😀 `);
        const frame = (content: string, finish_reason: string | null = null) =>
          `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`;
        const readers = Array.from({ length: 20 }, () => new Follower());
        const model = await openStandIn(async (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const word of words) {
            response.write(frame(word));
            await vi.waitUntil(() => readers.every(({ text }) => text.endsWith(word)), patience);
          }
          response.end(frame('', 'stop'));
        });
        const login = { method: 'POST', body: new URLSearchParams(admin) };
        const signedIn = await fetch(`${url}/auth/cookie/login`, login);
        const cookie = signedIn.headers
          .getSetCookie()
          .map((each) => each.split(';')[0])
          .join('; ');
        const post = async <T>(path: string, fields: object): Promise<T> => {
          const sent = { ...headers, cookie, origin: url, 'content-type': 'application/json' };
          const answer = await fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(fields) });
          expect([path, answer.ok || (await answer.text())]).toEqual([path, true]);
          return (await answer.json()) as T;
        };
        const job = await submit(url);
        await reportOf(url, job);
        await post('/admin/settings', { show_ai_analysis: true });
        const provider = { name: 'Model', kind: 'openai', base_url: model.url, model: 'm' };
        const { id } = await post<{ id: number }>('/admin/ai', provider);
        const runs = `/jobs/${job}/ai-analysis`;
        const { analysis_id: run } = await post<{ analysis_id: number }>(runs, { provider_id: id });

        const follow = async (reader: Follower): Promise<void> => {
          for (let pieces = 0; !reader.isDone; reader.lose()) {
            const place = reader.lastEventId === undefined ? {} : { 'last-event-id': reader.lastEventId };
            const lost = new AbortController();
            const { body } = await fetch(`${url}${runs}/${run}/stream`, { headers: place, signal: lost.signal });
            const decoder = new TextDecoder();
            try {
              for await (const piece of body!) {
                reader.take(decoder.decode(piece, { stream: true }));
                if ((pieces += 1) % 3 === 0) lost.abort();
              }
            } catch (error) {
              if (!lost.signal.aborted) throw error;
            }
          }
        };
        await Promise.all(readers.map(follow));
        model.close();
        const { selected } = await get<AiRuns>(`${url}${runs}?analysis_id=${run}`);
        expect(selected).toMatchObject({ status: 'completed', content: words.join('') });
        expect(new Set(readers.map(({ text }) => text))).toEqual(new Set([words.join('')]));
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
