import { workerState } from '@svc/adapters/contract/worker-registry.ts';
import { receivedAnalysis, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Actor, ReadinessCheck } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkWorkers } from './check-workers.ts';
import { limitWorker } from './limit-worker.ts';
import { listWorkers } from './list-workers.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const lifetimes = { alive: 180, slots: 60 };

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

const checkOf = async (name: string): Promise<ReadinessCheck | undefined> =>
  (await checkWorkers(ports)).find((check) => check.name === name);

it('says that nobody works, which is worse while jobs wait, until somebody does', async () => {
  expect(await checkOf('Workers')).toMatchObject({ level: 'WARN', message: 'No worker is alive' });
  await submitLog(ports, visitor);
  expect(await checkOf('Workers')).toMatchObject({ level: 'FAIL', message: 'No worker is alive, and 1 job waits' });
  await ports.workers.beat(workerState('a'), lifetimes);
  expect(await checkOf('Workers')).toMatchObject({ level: 'PASS', message: '1 worker is alive on 1 host', fix: null });
  await ports.workers.beat(workerState('b'), lifetimes);
  for (const hostname of ['a', 'b']) await limitWorker(ports, { hostname, max_concurrent_jobs: -1 });
  expect(await checkOf('Workers')).toMatchObject({ level: 'WARN', message: 'Every host is paused, and 1 job waits' });
});

it('warns of a queue that is deep', async () => {
  expect(await checkOf('Queue depth')).toMatchObject({ level: 'INFO', message: '0 jobs wait for a worker' });
  for (let jobId = 1; jobId <= 26; jobId += 1) await ports.tasks.enqueue({ kind: 'run_analysis', jobId });
  expect(await checkOf('Queue depth')).toMatchObject({ level: 'WARN', message: '26 jobs wait for a worker' });
});

it('warns of hosts whose analyses may want more threads than there are cores', async () => {
  const state = workerState('a');
  const { facts } = state;
  await ports.workers.beat({ ...state, facts: { ...facts, threads: 4, cpuCount: 4 } }, lifetimes);
  expect(await checkOf('CPU and threads')).toMatchObject({ level: 'PASS' });
  await ports.workers.beat({ ...state, facts: { ...facts, threads: 4, cpuCount: 4, engineThreads: 2 } }, lifetimes);
  expect(await checkOf('CPU and threads')).toMatchObject({
    level: 'WARN',
    message: 'More threads than cores at the peak: a: peak 8 > 4 cores',
  });
});

it('lists hosts by what they do, and jobs that nobody works on', async () => {
  const [held, stuck] = [await submitLog(ports, visitor), await submitLog(ports, visitor)];
  const lease = await receivedAnalysis(ports);
  for (const id of [held, stuck]) {
    await ports.transaction(({ jobs }) => jobs.changeStatus(id, { from: 'pending', to: 'running', at: new Date() }));
  }
  await ports.workers.beat(workerState('busy', 1, [7]), lifetimes);
  await ports.workers.beat(workerState('idle', 2), lifetimes);
  await limitWorker(ports, { hostname: 'busy', max_concurrent_jobs: -1 });
  const fleet = await listWorkers(ports);
  expect(fleet).toMatchObject({
    hosts: [
      { hostname: 'busy', state: 'draining', active_jobs: 1, max_concurrent_jobs: -1, works_anyway: false },
      { hostname: 'idle', state: 'idle', active_jobs: 0 },
    ],
    workers: [
      { process: 'busy:1', current_job_id: 7 },
      { process: 'idle:2', worker_name: 'idle:2' },
    ],
    stuck_jobs: [{ job_id: lease.task.jobId === held ? stuck : held }],
    other_jobs: 1,
    queue_depth: 1,
    policies: { busy: -1 },
  });
});

it('gives no cap to a host that nobody knows, and keeps that of one which is away', async () => {
  const limit = (hostname: string, cap: number) => limitWorker(ports, { hostname, max_concurrent_jobs: cap });
  await expect(limit('typo', 1)).rejects.toMatchObject({ code: 'not_found' });
  await ports.workers.beat(workerState('a'), lifetimes);
  await limit('a', 2);
  await ports.workers.leave('a:1');
  expect(await limit('a', -1)).toEqual({ hostname: 'a', max_concurrent_jobs: -1 });
  expect((await listWorkers(ports)).policies).toEqual({ a: -1 });
});
