import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { AiRuns, SubmittedJob, Workflow } from '@svc/contracts';
import { writeEvtx } from '@svc/engine/testing';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';
import { bundleService, Service, type State } from './testing/killable-service.ts';

let asked = 0;
/** What the model says before it falls silent. */
let words: string | null;
const vendor = createServer((_, response) => {
  asked += 1;
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  if (words !== null) response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: words } }] })}\n\n`);
});

let root: string;
let state: Required<State>;
let service: Service;
let database: Client;
let job: number;
let provider: number;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-ai-'));
  await bundleService();
  await once(vendor.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  await service.stop();
  await database.end();
  vendor.closeAllConnections();
  vendor.close();
  await rm(root, { recursive: true, force: true });
});

async function post<T>(path: string, fields: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await service.send(path, { method: 'POST', headers, body: JSON.stringify(fields) });
  expect([path, answer.ok]).toEqual([path, true]);
  return (await answer.json()) as T;
}

const shown = async (run: number): Promise<AiRuns> => service.get(`/jobs/${job}/ai-analysis?analysis_id=${run}`);

async function submit(): Promise<number> {
  const { workflows } = await service.get<{ workflows: Workflow[] }>('/api/v1/workflows');
  const form = new FormData();
  form.set('workflow_id', String(workflows.find((one) => one.is_default)!.id));
  form.set('file', new Blob([new Uint8Array(writeEvtx([]))]), 'empty.evtx');
  const sent = await service.send('/api/v1/jobs', { method: 'POST', body: form });
  return ((await sent.json()) as SubmittedJob).job_id;
}

const patience = { timeout: 120_000, interval: 50 };

describeWith('postgres', 'a service that is killed while a model answers', () => {
  beforeAll(async () => {
    state = { DATA_DIR: join(root, 'data'), DATABASE_URL: await makeServerDatabase() };
    database = new Client(state.DATABASE_URL);
    await database.connect();
    service = await Service.start(state, { as: 'working' });
    await post('/admin/settings', { show_ai_analysis: true });
    const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    ({ id: provider } = await post<{ id: number }>('/admin/ai', { name: 'M', kind: 'openai', base_url, model: 'm' }));
    job = await submit();
    await vi.waitUntil(async () => {
      const { can_run_now: can } = await service.get<AiRuns>(`/jobs/${job}/ai-analysis`);
      return can;
    }, patience);
  }, 300_000);

  it.each([
    ['before it has said anything', null],
    ['in the middle of its answer', 'So far'],
  ])(
    '%s leaves a run that is stalled, is asked for once, and can be stopped',
    async (_, said) => {
      [asked, words] = [0, said];
      const { analysis_id: run } = await post<{ analysis_id: number }>(`/jobs/${job}/ai-analysis`, {
        provider_id: provider,
      });
      await vi.waitUntil(async () => asked === 1 && (await shown(run)).selected!.content === (said ?? ''), patience);
      await service.stop();
      // As much later as its lease lasts, and as a run may be silent.
      await database.query(`update queued_tasks set due_at = now() where lane = 'ai'`);
      await database.query(`update ai_runs set heartbeat_at = now() - interval '3 minutes' where status = 'running'`);
      service = await Service.start(state, { cookie: service.cookie, as: 'working' });
      // Its task comes again, and does nothing.
      await vi.waitUntil(async () => {
        const { rowCount } = await database.query(`select from queued_tasks where lane = 'ai'`);
        return rowCount === 0;
      }, patience);
      expect(await shown(run)).toMatchObject({ stalled: true, selected: { status: 'running', content: said ?? '' } });
      expect(asked).toBe(1);
      await post(`/jobs/${job}/ai-analysis/${run}/cancel`, {});
      expect(await shown(run)).toMatchObject({ stalled: false, selected: { status: 'cancelled', content: '' } });
    },
    300_000,
  );
});
