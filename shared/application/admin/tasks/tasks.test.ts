import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { schedules } from '@svc/config';
import { analysisKey } from '@svc/contracts/tasks.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../../ports/ports.ts';
import { handleTask } from '../../work/handle-task.ts';
import { runPeriodicTask } from '../../work/run-periodic-task.ts';
import { cancelBackgroundTask, recoverTask, requesting, runTaskAgain } from './change-background-task.ts';
import { listTasks } from './list-tasks.ts';
import { revokeQueuedTask } from './revoke-queued-task.ts';

const admin: Actor = { kind: 'account', userId: '', email: 'admin@example.org', role: 'admin', ip: '' };
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  test.engine.behave = async () => output({ findings: [finding()] });
});
afterAll(() => test.close());

const ask = async () => (await requesting('backfill_entities')(ports, admin)).task_id;
const keyOf = (id: number) => `backfill_entities:${id}`;
const receive = () => ports.tasks.receive({ worker: 'w', waitMs: 0 });
const work = async () => {
  for (let lease = await receive(); lease; lease = await receive()) {
    await handleTask(ports, lease, { leave: new AbortController().signal });
  }
};
const revoke = (key: string) => revokeQueuedTask(ports, admin, { queue_id: key });

it('shows what is worked on, what was, what waits, and when each periodic task runs', async () => {
  const done = await analyzeLog(ports, visitor, { content: 'ElfFile\0done' });
  const waits = await submitLog(ports, visitor, { content: 'ElfFile\0waits' });
  const task = await ask();
  await ports.tasks.enqueue({ kind: 'token-prune' }, { delaySeconds: 900 });
  await runPeriodicTask(ports, 'old-outputs');
  const shown = await listTasks(ports, admin);
  expect(shown).toMatchObject({
    active_jobs: [{ job_id: waits, status: 'pending' }],
    recent_jobs: [{ job_id: done, status: 'completed' }],
    active_tasks: [{ id: task, status: 'pending', requested_by: admin.email }],
    recent_tasks: [],
    queue: { size: 2, is_more: false },
    delayed: { size: 1, entries: [{ queue_id: 'token-prune', target_id: null, name: null }] },
    stale_ids: [],
  });
  expect(shown.queue.entries).toMatchObject([
    { queue_id: analysisKey(waits), kind: 'run_analysis', target_id: waits, name: shown.active_jobs[0]?.filename },
    { queue_id: keyOf(task), lane: 'sweep', attempts: 0, due_at: null },
  ]);
  expect(shown.scheduled.map(({ key }) => key)).toEqual(schedules.map(({ key }) => key));
  const { next_run: nextRun, last } = shown.scheduled.find(({ key }) => key === 'old-outputs')!;
  expect(nextRun.slice(11)).toBe('04:45:00.000Z');
  expect(Date.parse(nextRun) - Date.now()).toBeGreaterThan(0);
  expect(Date.parse(nextRun) - Date.now()).toBeLessThanOrEqual(86_400_000);
  expect(last).toMatchObject({ outcome: 'completed', detail: 'nothing to do' });
  expect(shown.scheduled.filter((one) => one.last !== null)).toHaveLength(1);
});

it('names jobs that wait only to those who may see them', async () => {
  const owner = await ports.accounts.create({
    email: 'owner@example.org',
    passwordHash: 'x',
    role: 'member',
    displayName: null,
  });
  const actor: Actor = { kind: 'account', userId: owner.id, email: owner.email, role: 'member', ip: '' };
  const id = await submitLog(ports, actor, { content: 'ElfFile\0', is_private: true });
  const seen = async (viewer: Actor) => {
    const { active_jobs: jobs, queue } = await listTasks(ports, viewer);
    return [jobs.map((job) => job.job_id), queue.entries[0]?.name ?? null];
  };
  expect(await seen(visitor)).toEqual([[], null]);
  expect(await seen(admin)).toEqual([[id], expect.any(String)]);
});

it('takes a cancelled task out of the queue, so that the next one is done at once', async () => {
  const first = await ask();
  await cancelBackgroundTask(ports, admin, { id: first });
  expect((await listTasks(ports, admin)).queue.size).toBe(0);
  const second = await ask();
  await work();
  expect(await ports.backgroundTasks.get(first)).toMatchObject({ status: 'cancelled', attempts: 0 });
  expect(await ports.backgroundTasks.get(second)).toMatchObject({ status: 'completed' });
});

it('lets a vacuum go on to its end', async () => {
  const vacuum = { kind: 'vacuum_database', targetId: null, requestedBy: '' } as const;
  const { id } = await ports.backgroundTasks.request(vacuum, ports.clock.now());
  await expect(cancelBackgroundTask(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
  expect(await ports.backgroundTasks.get(id)).toMatchObject({ status: 'pending' });
});

it('does a second task while a worker still has the first, which was cancelled', async () => {
  const first = await ask();
  await receive();
  await cancelBackgroundTask(ports, admin, { id: first });
  const second = await ask();
  await work();
  expect(await ports.backgroundTasks.get(second)).toMatchObject({ status: 'completed' });
});

it('runs again what has ended, as a task of its own, and answers with what is under way', async () => {
  const first = await ask();
  expect(await runTaskAgain(ports, admin, { id: first })).toEqual({ task_id: first, already: true });
  await ports.backgroundTasks.finish(first, { error: 'disk on fire' }, ports.clock.now());
  const { task_id: second, already } = await runTaskAgain(ports, admin, { id: first });
  expect([second > first, already]).toEqual([true, false]);
  await work();
  expect(await ports.backgroundTasks.get(first)).toMatchObject({ status: 'failed', errorMessage: 'disk on fire' });
  expect(await ports.backgroundTasks.get(second)).toMatchObject({ status: 'completed' });
  await expect(runTaskAgain(ports, admin, { id: second + 9 })).rejects.toMatchObject({ code: 'not_found' });
  const backtest = { kind: 'backtest_alert_rule', targetId: 1, requestedBy: '' } as const;
  const { id } = await ports.backgroundTasks.request(backtest, ports.clock.now());
  await expect(runTaskAgain(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
});

it('knows a task as stale that waited longer than the queue lets one wait, and asks for another in its place', async () => {
  const first = await ask();
  test.advance(ports.deployment.queueExpirySeconds + 50);
  expect((await listTasks(ports, admin)).stale_ids).toEqual([]);
  expect(await requesting('backfill_entities')(ports, admin)).toEqual({ task_id: first, already: true });
  test.advance(20);
  expect((await listTasks(ports, admin)).stale_ids).toEqual([first]);
  const second = await requesting('backfill_entities')(ports, admin);
  expect(second.already).toBe(false);
  expect(await ports.backgroundTasks.get(first)).toMatchObject({ status: 'failed' });
  await work();
  expect(await ports.backgroundTasks.get(second.task_id)).toMatchObject({ status: 'completed' });
});

it('closes a running task that says nothing for a quarter of an hour, and no other', async () => {
  const id = await ask();
  await ports.backgroundTasks.begin(id, ports.clock.now());
  test.advance(890);
  await expect(recoverTask(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
  await ports.backgroundTasks.beat(id, ports.clock.now());
  test.advance(20);
  expect((await listTasks(ports, admin)).stale_ids).toEqual([]);
  test.advance(890);
  expect((await listTasks(ports, admin)).stale_ids).toEqual([id]);
  expect(await recoverTask(ports, admin, { id })).toMatchObject({ id, status: 'failed' });
  expect((await listTasks(ports, admin)).queue.size).toBe(0);
  await expect(recoverTask(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
  await expect(recoverTask(ports, admin, { id: id + 9 })).rejects.toMatchObject({ code: 'not_found' });
});

it('ends the job whose analysis is taken out of the queue', async () => {
  const id = await submitLog(ports, visitor, { content: 'ElfFile\0' });
  expect(await revoke(analysisKey(id))).toEqual({ queue_id: analysisKey(id), kind: 'run_analysis' });
  expect((await ports.jobs.get(id))?.job).toMatchObject({ status: 'cancelled' });
  expect(await receive()).toBeNull();
  await expect(revoke(analysisKey(id))).rejects.toMatchObject({ code: 'not_found' });
});

it('ends the background task that is taken out, and drops a periodic one until its next time', async () => {
  const id = await ask();
  await ports.tasks.enqueue({ kind: 'token-prune' });
  await revoke(keyOf(id));
  await revoke('token-prune');
  expect(await ports.backgroundTasks.get(id)).toMatchObject({ status: 'cancelled' });
  expect(await receive()).toBeNull();
  expect(await ports.tasks.enqueue({ kind: 'token-prune' })).toBe('sweep');
});

it('leaves to a worker what it has begun', async () => {
  await ports.tasks.enqueue({ kind: 'token-prune' });
  const other = overriding(ports.queuedTasks, {
    // A worker takes it in between.
    get: async (key) => {
      const found = await ports.queuedTasks.get(key);
      await receive();
      return found;
    },
  });
  const quicker = revokeQueuedTask({ ...ports, queuedTasks: other }, admin, { queue_id: 'token-prune' });
  await expect(quicker).rejects.toMatchObject({ code: 'conflict' });
  await expect(revoke('token-prune')).rejects.toMatchObject({ code: 'conflict' });
});
