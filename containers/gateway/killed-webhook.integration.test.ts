import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { AlertRule, SubmittedJob, WebhookDelivery, Workflow } from '@svc/contracts';
import { writeEvtx } from '@svc/engine/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';
import { bundleService, Service, type State } from './testing/killable-service.ts';

/** More steps than the way from a match to a receiver has. */
const manySteps = 40;

/** What arrived, by the job of which it tells. */
const received = new Map<number, { readonly id: string; readonly attempt: number }[]>();
let onArrival: () => Promise<void>;
const receiver = createServer((request, response) => {
  const take = async (): Promise<void> => {
    const { job } = JSON.parse(await text(request)) as { job: { id: number } };
    const { 'x-svc-delivery': id, 'x-svc-attempt': attempt } = request.headers;
    received.set(job.id, [...(received.get(job.id) ?? []), { id: String(id), attempt: Number(attempt) }]);
    await onArrival();
    response.writeHead(204).end();
  };
  take().catch(() => response.destroy());
});

let root: string;
let state: Required<State>;
let service: Service;
let cookie: string;
let database: Client;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-hooks-'));
  await bundleService();
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  await service.stop();
  await database.end();
  receiver.close().closeAllConnections();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  onArrival = () => Promise.resolve();
});

async function start(): Promise<void> {
  service = await Service.start(state, { cookie, as: 'webhooks' });
  cookie = service.cookie;
}

/** All leases of a process that is dead have lapsed, and what it put off is due. */
async function letTimePass(): Promise<void> {
  await database.query(`update webhook_deliveries set due_at = now() where due_at > now()`);
  await database.query(`update queued_tasks set due_at = now() where due_at > now()`);
}

async function addRule(): Promise<void> {
  const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const rule = {
    name: 'Programs',
    entity_types: ['executable'],
    action_notify: true,
    webhook_url,
    webhook_enabled: true,
  };
  const headers = { 'content-type': 'application/json' };
  const added = await service.send('/intel/rules', { method: 'POST', headers, body: JSON.stringify(rule) });
  expect(added.status).toBe(201);
}

/** Sends a log; null when there was no answer. */
async function submit(name: string): Promise<number | null> {
  const { workflows } = await service.get<{ workflows: Workflow[] }>('/api/v1/workflows');
  const event = {
    provider: 'Microsoft-Windows-Sysmon',
    eventId: 1,
    time: '2026-08-01T10:00:00Z',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: 'ws1.example.org',
    data: { Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: `whoami ${name}` },
  };
  const form = new FormData();
  form.set('workflow_id', String(workflows.find((one) => one.is_default)!.id));
  form.set('file', new Blob([new Uint8Array(writeEvtx([event]))]), `${name}.evtx`);
  const headers = { 'idempotency-key': name };
  const sent = await service.send('/api/v1/jobs', { method: 'POST', body: form, headers }).catch(() => null);
  if (sent === null) return null;
  expect(sent.ok).toBe(true);
  return ((await sent.json()) as SubmittedJob).job_id;
}

async function deliveriesOf(job: number): Promise<WebhookDelivery[]> {
  const { deliveries } = await service.get<{ deliveries: WebhookDelivery[] }>('/intel/rules/deliveries');
  return deliveries.filter(({ job_id: of }) => of === job);
}

const isDead = (): boolean => service.child.signalCode !== null;

/** Whether the delivery of the job ended; false when the process was killed before. */
async function ended(job: number): Promise<boolean> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(50)) {
    const deliveries = await deliveriesOf(job).catch(() => []);
    if (deliveries.length > 0 && deliveries.every(({ state: now }) => now !== 'queued')) return true;
    if (isDead()) return false;
  }
  throw new Error(`nothing came of job ${job}`);
}

/** Whether it still lives when nothing is left to do for any delivery. */
async function isIdle(): Promise<boolean> {
  for (;;) {
    const { rowCount } = await database.query(`select from queued_tasks where lane = 'outbound'`);
    if (rowCount === 0 || isDead()) return !isDead();
    await sleep(20);
  }
}

/** One alert, and one delivery under one id, of which the receiver heard. */
async function toldOnce(job: number): Promise<number> {
  const deliveries = await deliveriesOf(job);
  expect(deliveries.map(({ state: now }) => now)).toEqual(['delivered']);
  const arrived = received.get(job)!;
  expect(new Set(arrived.map(({ id }) => id))).toEqual(new Set([deliveries[0]!.id]));
  // An attempt goes out once.
  expect(new Set(arrived.map(({ attempt }) => attempt)).size).toBe(arrived.length);
  const { mine } = await service.get<{ mine: AlertRule[] }>('/intel/rules');
  expect(mine.map(({ match_count }) => match_count)).toEqual([received.size]);
  return deliveries[0]!.attempts.length;
}

describeWith('postgres', 'a service that is killed between a match and its receiver', () => {
  beforeAll(async () => {
    state = { DATA_DIR: join(root, 'data'), DATABASE_URL: await makeServerDatabase() };
    database = new Client(state.DATABASE_URL);
    await database.connect();
    await start();
    await addRule();
  });

  it('tells of it under one id, whatever step it is killed at', async () => {
    const attempts = new Set<number>();
    for (let step = 1; ; step += 1) {
      expect(step, 'it goes on and on').toBeLessThan(manySteps);
      await service.dieAt(step);
      const sent = await submit(`step-${step}`);
      const isOver = sent !== null && (await ended(sent)) && (await isIdle());
      await service.stop();
      await letTimePass();
      await start();
      const job = (await submit(`step-${step}`))!;
      await ended(job);
      attempts.add(await toldOnce(job));
      if (isOver) break;
    }
    // Before one began, and after.
    expect(attempts).toEqual(new Set([1, 2]));
  }, 600_000);

  it('tells of it again under that id when it is killed while the receiver has not answered', async () => {
    onArrival = async () => {
      onArrival = () => Promise.resolve();
      await service.stop();
    };
    const job = (await submit('not-answered'))!;
    expect(await ended(job)).toBe(false);
    await letTimePass();
    await start();
    await ended(job);
    expect(await toldOnce(job)).toBe(2);
    expect(received.get(job)!.map(({ attempt }) => attempt)).toEqual([1, 2]);
  }, 120_000);
});
