import type { ExportedFinding, JobDetail, JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bigLog, writeBigLog } from '../support/big-log.ts';
import { startServer, type Server } from '../support/server.ts';

let folder = '';
let big = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-kill-'));
  big = join(folder, 'big.evtx');
  await writeBigLog(big);
});
afterAll(() => rm(folder, { recursive: true }));

async function submit(server: Server, path: string): Promise<number> {
  const { workflows } = await get<{ workflows: Workflow[] }>(server, '/api/v1/workflows');
  const form = new FormData();
  form.set('workflow_id', String(workflows.find((workflow) => workflow.is_default)?.id));
  form.set('file', await openAsBlob(path), 'big.evtx');
  const response = await fetch(`${server.url}/upload`, { method: 'POST', body: form });
  expect(response.status).toBe(202);
  return ((await response.json()) as SubmittedJob).job_id;
}

async function get<T>({ url }: Server, path: string): Promise<T> {
  const response = await fetch(url + path, { headers: { accept: 'application/json' } });
  return (await response.json()) as T;
}

/** Asks until the job is as wanted. */
async function when(server: Server, id: number, wanted: (progress: JobProgress) => boolean): Promise<JobProgress> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(10)) {
    const progress = await get<JobProgress>(server, `/jobs/${id}/status`);
    if (wanted(progress)) return progress;
  }
  throw new Error(`job ${id} did not get there:\n${server.output()}`);
}

it('completes a job whose server was killed in mid-analysis', async () => {
  const first = await startServer();
  const id = await submit(first, big);
  const before = await when(first, id, ({ status }) => status !== 'pending');
  expect(before.status).toBe('running');
  await first.stop('SIGKILL');

  const second = await startServer({ dataDir: first.dataDir });
  try {
    expect(second.output()).toMatch(/recovered jobs recovered=1/);
    const progress = await when(second, id, ({ terminal }) => terminal);
    expect(progress.status).toBe('completed');
    const job = await get<JobDetail>(second, `/jobs/${id}`);
    expect(job).toMatchObject({ events: bigLog.events, error: null });
    const findings = await get<ExportedFinding[]>(second, `/jobs/${id}/findings.json`);
    expect(findings).toMatchObject([{ rule_name: 'Script Block Downloads And Runs Code', count: bigLog.matches }]);
    expect(job.total_findings).toBe(bigLog.matches);
  } finally {
    await second.stop();
    await second.remove();
  }
});

it('gives a job back when it is asked to stop, and completes it at the next start', async () => {
  const first = await startServer();
  const id = await submit(first, big);
  await when(first, id, ({ status }) => status === 'running');
  const asked = Date.now();
  await first.stop('SIGTERM');
  expect(Date.now() - asked).toBeLessThan(20_000);
  const second = await startServer({ dataDir: first.dataDir });
  try {
    expect((await when(second, id, ({ terminal }) => terminal)).status).toBe('completed');
  } finally {
    await second.stop();
    await second.remove();
  }
});
