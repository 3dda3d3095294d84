import type { JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, startWorkerProcess, type Program, type Server } from '../support/server.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
let web: Server;
let worker: Program;

beforeAll(async () => {
  web = await startServer({ env: { TASKQ_WORKERS: '0', UPLOAD_RATE_LIMIT_PER_MINUTE: '0' } });
  worker = await startWorkerProcess({ DATA_DIR: web.dataDir, TASKQ_WORKERS: '1' });
});
afterAll(async () => {
  await worker?.stop();
  await web?.stop();
  await web?.remove();
});

async function submit(): Promise<number> {
  const form = new FormData();
  const { workflows } = (await (await fetch(`${web.url}/api/v1/workflows`)).json()) as { workflows: Workflow[] };
  form.set('workflow_id', String(workflows.find((workflow) => workflow.is_default)?.id));
  form.set('force_resubmit', 'true');
  form.set('file', await openAsBlob(sample), 'sample.evtx');
  const response = await fetch(`${web.url}/upload`, { method: 'POST', body: form });
  expect(response.status).toBe(202);
  return ((await response.json()) as SubmittedJob).job_id;
}

async function completed(id: number): Promise<void> {
  for (const deadline = Date.now() + 100_000; Date.now() < deadline; await sleep(100)) {
    const response = await fetch(`${web.url}/jobs/${id}/status`, { headers: { accept: 'application/json' } });
    const progress = response.ok ? ((await response.json()) as JobProgress) : null;
    if (progress?.terminal === true) {
      expect(progress.status).toBe('completed');
      return;
    }
  }
  throw new Error(`job ${id} did not complete:\n${web.output()}\n${worker.output()}`);
}

it('has its jobs analysed by a worker beside it, with no further setting', async () => {
  await completed(await submit());
});

it('refuses with 503 while its database is away, which comes back by itself, and the worker goes on', async () => {
  const folder = join(web.dataDir, 'postgres');
  const pid = Number(readFileSync(join(folder, '18/postmaster.pid'), 'utf8').split('\n')[0]);
  // Without its programs it stays away until they are back.
  const programs = readdirSync(folder).find((name) => name.startsWith('programs-'))!;
  await rename(join(folder, programs), join(folder, 'away'));
  process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await fetch(`${web.url}/health`)).status, { timeout: 60_000 }).toBe(503);
  const refused = await fetch(`${web.url}/api/v1/workflows`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  await rename(join(folder, 'away'), join(folder, programs));
  const isBack = (): boolean => web.output().includes('the database server is back');
  await expect.poll(isBack, { timeout: 60_000 }).toBe(true);
  await expect.poll(async () => (await fetch(`${web.url}/api/v1/workflows`)).status, { timeout: 60_000 }).toBe(200);
  await completed(await submit());
});

it('starts again while the worker lives on, which works for the new one', async () => {
  await web.stop('SIGKILL');
  const { dataDir } = web;
  web = await startServer({ dataDir, env: { TASKQ_WORKERS: '0', UPLOAD_RATE_LIMIT_PER_MINUTE: '0' } });
  expect(worker.isRunning()).toBe(true);
  await completed(await submit());
});
