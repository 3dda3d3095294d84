import { analysisKey } from '@svc/contracts/tasks.ts';
import { workerState } from '@svc/adapters/contract/worker-registry.ts';
import { output, untilAborted } from '@svc/adapters/testing/fake-engine.ts';
import { overriding, overridingIn } from '@svc/adapters/testing/overriding.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { queueBackgroundTask } from '@svc/application/work/request-background-task.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { isTerminal, type Actor, type Job } from '@svc/domain';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hostname } from 'node:os';
import { startWorker } from './loop.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let ports: Ports;
let worker: { stop(): Promise<void> } | null = null;
beforeAll(async () => {
  test = await openTestPorts({ leaseSeconds: 1, deployment: { workers: 2, heartbeatSeconds: 0.3 } });
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterEach(async () => {
  await worker?.stop();
  worker = null;
});
afterAll(() => test.close());

const submitted = (): Promise<number> => submitLog(ports, visitor);

async function jobOf(id: number): Promise<Job> {
  const record = await ports.jobs.get(id);
  if (!record) throw new Error('no job');
  return record.job;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await condition());) {
    if (Date.now() > deadline) throw new Error('it did not happen in 30 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const ended = (id: number) => until(async () => isTerminal((await jobOf(id)).status));

it('analyses what is queued before and while it runs, and acknowledges it', async () => {
  const before = await submitted();
  worker = startWorker(ports);
  const during = await submitted();
  await Promise.all([ended(before), ended(during)]);
  expect((await jobOf(before)).status).toBe('completed');
  expect((await jobOf(during)).status).toBe('completed');
  await until(
    async () =>
      (await ports.ledger.state(analysisKey(during))) === null &&
      (await ports.ledger.state(analysisKey(before))) === null,
  );
});

it('runs as many jobs at a time as it may, and no more', async () => {
  let now = 0;
  let most = 0;
  test.engine.behave = async () => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    now -= 1;
    return output();
  };
  const ids = await Promise.all([submitted(), submitted(), submitted(), submitted()]);
  worker = startWorker(ports);
  await Promise.all(ids.map(ended));
  expect(most).toBe(2);
});

it('keeps its lease for as long as the analysis takes', async () => {
  test.engine.behave = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1800));
    return output();
  };
  const id = await submitted();
  worker = startWorker(ports);
  await ended(id);
  expect(await jobOf(id)).toMatchObject({ status: 'completed' });
  expect(test.engine.inputs).toHaveLength(1);
});

it('gives a job back when it stops, and the next worker completes it', async () => {
  const started = new Promise<void>((resolve) => (test.engine.behave = untilAborted(resolve)));
  const id = await submitted();
  worker = startWorker(ports);
  await started;
  await worker.stop();
  expect((await jobOf(id)).status).toBe('running');
  expect(await ports.ledger.state(analysisKey(id))).toEqual({ attempts: 0, held: false });
  test.engine.behave = async () => output();
  worker = startWorker(ports);
  await ended(id);
  expect(await jobOf(id)).toMatchObject({ status: 'completed', totalFindings: 1 });
});

it('begins at once with what administrators ask for, also while every place analyses', async () => {
  const started = new Promise<void>((resolve) => (test.engine.behave = untilAborted(resolve)));
  const id = await submitted();
  worker = startWorker({ ...ports, deployment: { ...ports.deployment, workers: 1 } });
  await started;
  const kind = 'recalculate_single_analytics';
  const task = await ports.backgroundTasks.request({ kind, targetId: id, requestedBy: '' }, new Date());
  const from = performance.now();
  await queueBackgroundTask(ports, { id: task.id, kind, targetId: id });
  await until(async () => (await ports.backgroundTasks.latest(kind, id))?.status === 'completed');
  expect(performance.now() - from).toBeLessThan(3000);
});

it('ends by itself when it has had nothing to do for a while, and what it has begun before', async () => {
  let over = false;
  test.engine.behave = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    over = true;
    return output();
  };
  const id = await submitted();
  const idle = startWorker(ports, 0.5);
  worker = idle;
  await idle.ended;
  expect(over).toBe(true);
  expect((await jobOf(id)).status).toBe('completed');
  const later = await submitted();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await jobOf(later)).status).toBe('pending');
});

it('never ends by itself where nobody asked for that', async () => {
  const standing = startWorker(ports);
  worker = standing;
  const first = await Promise.race([
    standing.ended.then(() => 'ended'),
    new Promise((resolve) => setTimeout(() => resolve('stands'), 700)),
  ]);
  expect(first).toBe('stands');
});

it('begins with no job before the packs that are named have been tried', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-packs-'));
  const logsource = '{product: windows, category: process_creation}';
  const detection = '{a: {Image: x}, condition: a}';
  await writeFile(
    join(folder, 'a.yml'),
    `title: A\nid: ${randomUUID()}\nlogsource: ${logsource}\ndetection: ${detection}\n`,
  );
  const sources = [
    ['named', folder],
    ['nowhere', join(folder, 'nothing')],
  ] as const;
  const seen: (readonly string[])[] = [];
  test.engine.behave = async () => {
    seen.push((await ports.rulePacks.list()).map(({ pack }) => pack.name));
    return output();
  };
  const id = await submitted();
  const rulePacks = { ...ports.deployment.rulePacks, sources };
  worker = startWorker({ ...ports, deployment: { ...ports.deployment, rulePacks } });
  await ended(id);
  expect(seen).toEqual([expect.arrayContaining(['named'])]);
  await worker.stop();
  await rm(folder, { recursive: true });
});

it('leaves a job that another worker has taken over', async () => {
  let reason: unknown;
  const started = new Promise<void>((resolve) => {
    test.engine.behave = (input, run) => {
      run.signal.addEventListener('abort', () => (reason = run.signal.reason));
      return untilAborted(resolve)(input, run);
    };
  });
  const id = await submitted();
  worker = startWorker({ ...ports, deployment: { ...ports.deployment, workers: 1 } });
  await started;
  await ports.ledger.remove(analysisKey(id));
  await until(() => reason !== undefined);
  expect(String(reason)).toContain('another worker has the task');
  expect((await jobOf(id)).status).toBe('running');
});

it('goes on when the queue is out of order for a while', async () => {
  let failures = 2;
  const tasks = overriding(ports.tasks, {
    receive: async (options) => {
      failures -= 1;
      if (failures >= 0) throw new Error('no database');
      return ports.tasks.receive(options);
    },
  });
  const id = await submitted();
  worker = startWorker({ ...ports, tasks });
  await ended(id);
  expect((await jobOf(id)).status).toBe('completed');
});

it('tries a crashed analysis again, and then fails the job', async () => {
  let begun = 0;
  const transaction = overridingIn(ports.transaction, {
    results: {
      addTasks: async () => {
        begun += 1;
        throw new Error('disk on fire');
      },
    },
  });
  // The second attempt comes at once here, not after its five seconds.
  const tasks = overriding(ports.tasks, {
    release: (lease, options) => ports.tasks.release(lease, { ...options, delaySeconds: 0 }),
  });
  const id = await submitted();
  worker = startWorker({ ...ports, tasks, transaction });
  await ended(id);
  expect(begun).toBe(2);
  expect(await jobOf(id)).toMatchObject({ status: 'failed', errorCode: 'internal' });
});

it('has a place for small files, which others who come later need not wait for', async () => {
  const large = new Set<number>();
  test.engine.behave = (input, run) =>
    large.has(input.sizeBytes) ? untilAborted()(input, run) : Promise.resolve(output());
  const sent = (sizeBytes: number, ip: string): Promise<number> => {
    return submitLog(ports, { kind: 'anonymous', ip }, { content: 'ElfFile\0'.padEnd(sizeBytes) });
  };
  // Three that look small and do not end, of one visitor: as many as there are places, and one more.
  for (const size of [101, 102, 103]) large.add(size);
  const endless = [await sent(101, '192.0.2.66'), await sent(102, '192.0.2.66'), await sent(103, '192.0.2.66')];
  worker = startWorker(ports);
  await until(() => test.engine.inputs.length >= 2);
  const honest = await sent(200, '192.0.2.7');
  await ended(honest);
  expect((await jobOf(honest)).status).toBe('completed');
  for (const id of endless) await ports.jobs.requestCancel(id, new Date());
});

describe('what the host may do', () => {
  const quick = { standsMs: 20, deferMs: 60_000, tellMs: 10 };
  const lifetimes = { alive: 180, slots: 60 };
  /** Another worker, on a host of its own, which takes no job. */
  const another = () => ports.workers.beat(workerState('another'), lifetimes);
  const held = async (id: number) => (await ports.ledger.state(analysisKey(id)))?.held;
  /** Jobs under way, as the registry has them. */
  const underWay = async (): Promise<(number | null)[]> => {
    const { workers } = await ports.workers.fleet();
    return workers.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId));
  };

  it('is told of while it lives, with what it does, whatever its jobs do', async () => {
    const started = new Promise<void>((resolve) => (test.engine.behave = untilAborted(resolve)));
    const id = await submitted();
    worker = startWorker(ports, null, quick);
    await started;
    await until(async () => (await underWay()).includes(id));
    const [one] = (await ports.workers.fleet()).workers;
    expect(one).toMatchObject({ facts: { hostname: hostname(), pid: process.pid, threads: 2, version: '0.0.0-test' } });
    const seen = one!.lastSeen.getTime();
    await until(async () => (await ports.workers.fleet()).workers[0]!.lastSeen.getTime() > seen);
    await worker.stop();
    expect((await ports.workers.fleet()).workers).toEqual([]);
  });

  it('counts what has ended, by how and how long', async () => {
    const [first, second] = [await submitted(), await submitted()];
    worker = startWorker(ports, null, quick);
    await Promise.all([ended(first), ended(second)]);
    const counts = async () => (await ports.workers.fleet()).workers[0]?.counts;
    await until(async () => (await counts())?.ended.completed === 2);
    const { durations = [], seconds = 0 } = (await counts()) ?? {};
    expect(durations.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(seconds).toBeGreaterThan(0);
    await until(async () => (await underWay()).length === 0);
  });

  it('takes no job while it is paused, and goes on when it is no more', async () => {
    await another();
    await ports.workers.setCap(hostname(), -1);
    worker = startWorker(ports, null, quick);
    await until(async () => (await ports.workers.fleet()).workers.length === 2);
    const id = await submitted();
    // It works: what other lanes have it does.
    await ports.tasks.enqueue({ kind: 'task-history' });
    await until(async () => (await ports.ledger.state('task-history')) === null);
    expect((await jobOf(id)).status).toBe('pending');
    await ports.workers.setCap(hostname(), 0);
    await ended(id);
  });

  it('works though it is paused when no other host does', async () => {
    await ports.workers.setCap(hostname(), -1);
    const id = await submitted();
    worker = startWorker(ports, null, quick);
    await ended(id);
  });

  it('does what it has begun when it is paused, and then nothing', async () => {
    await another();
    let end = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      test.engine.behave = () => {
        resolve();
        return new Promise((done) => (end = () => done(output())));
      };
    });
    const first = await submitted();
    worker = startWorker(ports, null, quick);
    await begun;
    await ports.workers.setCap(hostname(), -1);
    const second = await submitted();
    end();
    await ended(first);
    await until(async () => (await underWay()).length === 0);
    // Whether it was there before the cap was known here or was left to others, it was not lost, nor is it an attempt.
    await until(async () => (await held(second)) !== true);
    if ((await jobOf(second)).status === 'pending')
      expect(await ports.ledger.state(analysisKey(second))).toMatchObject({ attempts: 0 });
  });

  it('has no more jobs at a time than its cap, over all its processes', async () => {
    await ports.workers.setCap(hostname(), 2);
    await ports.workers.beat(workerState(hostname(), 999_999_999, [4711]), lifetimes);
    let now = 0;
    let most = 0;
    test.engine.behave = async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 30));
      now -= 1;
      return output();
    };
    const ids = await Promise.all([submitted(), submitted(), submitted()]);
    worker = startWorker(ports, null, quick);
    await Promise.all(ids.map(ended));
    expect(most).toBe(1);
    expect(test.engine.inputs).toHaveLength(3);
  });

  it('begins a job that was left to others twenty times, without counting that as attempts', async () => {
    await another();
    await ports.workers.setCap(hostname(), -1);
    const attempts: number[] = [];
    const tasks = overriding(ports.tasks, {
      receive: async (options) => {
        const lease = await ports.tasks.receive(options);
        if (lease?.key.startsWith('run_analysis')) attempts.push(lease.attempt);
        return lease;
      },
    });
    const id = await submitted();
    worker = startWorker({ ...ports, tasks }, null, { standsMs: 5, deferMs: 5, tellMs: 5 });
    await ended(id);
    expect(attempts).toEqual(Array.from({ length: 21 }, () => 1));
    expect(await jobOf(id)).toMatchObject({ status: 'completed' });
  });

  it('takes jobs when the registry does not answer', async () => {
    await another();
    await ports.workers.setCap(hostname(), -1);
    const away = () => Promise.reject(new Error('no registry'));
    const workers = overriding(ports.workers, { beat: away, standing: away, takeSlot: away, leave: away });
    const id = await submitted();
    worker = startWorker({ ...ports, workers }, null, quick);
    await ended(id);
    expect((await jobOf(id)).status).toBe('completed');
  });
});
