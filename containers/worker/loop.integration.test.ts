import { analysisKey } from '@svc/contracts/tasks.ts';
import { closePorts, compose } from '@svc/adapters/compose.ts';
import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { prepareService } from '@svc/application/system/prepare-service.ts';
import { isTerminal } from '@svc/domain';
import { writeEvtx } from '@svc/engine/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker } from './loop.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-killed-'));
const log = join(root, 'large.evtx');
const copies = 4000;
const eventsPerChunk = 60;

beforeAll(async () => {
  process.env.DATA_DIR = join(root, 'data');
  process.env.LOG_LEVEL = 'ERROR';
  const event = {
    provider: 'Microsoft-Windows-Sysmon',
    eventId: 1,
    time: '2026-08-01T10:00:00Z',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: 'ws1.example.org',
    data: { Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: 'whoami /all', User: 'EXAMPLE\\ada' },
  };
  const one = writeEvtx(Array.from({ length: eventsPerChunk }, () => event));
  // The same chunk again and again: a quarter of a gigabyte, so that the kill comes in the middle.
  await writeFile(
    log,
    Buffer.concat([one.subarray(0, 4096), ...Array.from({ length: copies }, () => one.subarray(4096))]),
  );
});
afterAll(async () => {
  await closePorts();
  await rm(root, { recursive: true, force: true });
});

/** Runs the service until its analysis is under way, then kills it. */
async function killedInTheMiddle(): Promise<void> {
  const adapters = new URL('../../shared/adapters/', import.meta.url);
  await bundleThread('database-thread', new URL('postgres/database-thread.ts', adapters));
  await bundleThread('engine-thread', new URL('local/engine-thread.ts', adapters));
  await bundleThread('rules-thread', new URL('local/rules-thread.ts', adapters));
  const entry = await bundleThread('killed-service', new URL('./testing/killed-service.ts', import.meta.url));
  const service = spawn(process.execPath, [fileURLToPath(entry), log], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of service.stdout) {
    if (/[1-9]/.test(String(chunk))) service.kill('SIGKILL');
  }
  if (service.signalCode === null) await once(service, 'exit');
  expect(service.signalCode).toBe('SIGKILL');
}

it('completes a job whose process was killed in the middle of it, after the next start', async () => {
  await killedInTheMiddle();
  const ports = compose(
    ...(['accounts', 'clock', 'database', 'deployment', 'engines', 'jobViews', 'jobs', 'launcher'] as const),
    ...(['ledger', 'log', 'objects', 'passwords', 'ruleArtifacts', 'ruleCompiler', 'rulePacks'] as const),
    ...(['shipped', 'shippedRules', 'tasks', 'transaction', 'workflows'] as const),
  );
  expect(await prepareService(ports)).toBeNull();
  const [interrupted] = await ports.jobViews.live();
  expect(interrupted).toMatchObject({ status: 'running' });
  const id = interrupted?.id ?? 0;
  expect(await ports.ledger.state(analysisKey(id))).toEqual({ attempts: 1, held: false });

  const worker = startWorker();
  const status = async () => (await ports.jobs.get(id))?.job.status ?? 'pending';
  for (const deadline = Date.now() + 100_000; !isTerminal(await status()) && Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await worker.stop();
  expect(await status()).toBe('completed');
  expect(await ports.jobViews.tasks(id)).toMatchObject([{ status: 'completed', events: copies * eventsPerChunk }]);
});
