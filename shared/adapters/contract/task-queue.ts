import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { Lane, Lease, TaskQueue } from '@svc/application/ports/task-queue.ts';
import { analysisKey, analysisOf, lanes, type Task } from '@svc/contracts/tasks.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';

/**
 * What every queue does. `make` gives an empty one whose leases last that long; `isShared` is for those whose workers
 * never are in a single process, so that nothing ends all leases, and whose order is that of a service.
 */
export function taskQueueContract(
  make: (leaseSeconds: number) => Promise<{ tasks: TaskQueue; ledger: TaskLedger }>,
  { isShared = false }: { isShared?: boolean } = {},
): void {
  describe('task queue', () => {
    let tasks: TaskQueue;
    let ledger: TaskLedger;
    const receive = (): Promise<Lease | null> => tasks.receive({ worker: 'w', waitMs: 0 });
    const small = (): Promise<Lease | null> => tasks.receive({ worker: 'w', waitMs: 0, lanes: ['fast'] });
    const received = async (): Promise<Lease> => {
      const lease = await receive();
      if (!lease) throw new Error('nothing was received');
      return lease;
    };

    const enqueue = (jobId: number, lane: Lane, submitter = ''): Promise<Lane | null> =>
      tasks.enqueue(analysisOf(jobId), { lane, submitter });

    beforeEach(async () => {
      // None lapses on a slow machine.
      ({ tasks, ledger } = await make(60));
    });

    it('hands out tasks in their order', async () => {
      for (const jobId of [3, 1, 2]) await enqueue(jobId, 'fast');
      const leases = [await receive(), await receive(), await receive(), await receive()];
      expect(leases.map((lease) => jobOf(lease))).toEqual([3, 1, 2, undefined]);
      expect(new Set(leases.map((lease) => lease?.token)).size).toBe(4);
    });

    it.skipIf(isShared)('lets submitters take turns, however many tasks each has', async () => {
      for (let jobId = 1; jobId <= 5; jobId += 1) await enqueue(jobId, 'fast', 'many');
      await received();
      await enqueue(6, 'fast', 'one');
      await enqueue(7, 'fast', 'two');
      await enqueue(8, 'fast', 'two');
      const order = [];
      for (let left = 7; left > 0; left -= 1) order.push(jobOf(await received()));
      expect(order).toEqual([2, 6, 7, 3, 8, 4, 5]);
    });

    it.skipIf(isShared)('lets small tasks pass a large one, also of the same submitter, but not for ever', async () => {
      await enqueue(1, 'heavy', 'a');
      const order = [];
      let held: Lease | null = null;
      for (let jobId = 2; jobId <= 30; jobId += 1) {
        await enqueue(jobId, 'fast', jobId % 2 === 0 ? 'a' : `visitor ${jobId}`);
        const next = await received();
        if (held) await tasks.acknowledge(held);
        held = next;
        order.push(jobOf(next));
      }
      expect(order[0]).toBe(2);
      expect(order.indexOf(1)).toBeGreaterThan(3);
      expect(order.indexOf(1)).toBeLessThan(12);
    });

    it.skipIf(isShared)('gives a worker for small tasks no others', async () => {
      await enqueue(1, 'heavy', 'a');
      expect(await small()).toBeNull();
      await enqueue(2, 'fast', 'a');
      expect(await small()).toMatchObject({ task: analysisOf(2) });
      expect(await received()).toMatchObject({ task: analysisOf(1) });
    });

    it.skipIf(isShared)(
      'says whether small tasks of others wait for one to end, and lets it go on after them',
      async () => {
        await enqueue(1, 'fast', 'a');
        const lease = await received();
        await enqueue(2, 'fast', 'a');
        await enqueue(3, 'heavy', 'b');
        expect(await tasks.isWaitedFor(lease)).toBe(false);
        await enqueue(4, 'fast', 'b');
        expect(await tasks.isWaitedFor(lease)).toBe(true);
        await tasks.release(lease, { delaySeconds: 0, countAttempt: false, lane: 'heavy' });
        expect(await tasks.isWaitedFor(lease)).toBe(false);
        const order = [await received(), await received(), await received(), await received()];
        expect(order.map(jobOf)).toEqual([2, 4, 1, 3]);
        expect(await tasks.isWaitedFor(order[3]!)).toBe(false);
      },
    );

    it('hands each task to one of many workers that ask at once', async () => {
      const jobs = Array.from({ length: 30 }, (_, index) => index + 1);
      for (const jobId of jobs) await enqueue(jobId, 'fast');
      const taken = await Promise.all(Array.from({ length: 6 }, () => drained(tasks)));
      expect(taken.flat().sort((a = 0, b = 0) => a - b)).toEqual(jobs);
    });

    it('queues a job once', async () => {
      expect(await enqueue(1, 'fast')).toBe('fast');
      expect(await enqueue(1, 'fast')).toBeNull();
      await received();
      expect(await enqueue(1, 'heavy')).toBeNull();
      expect(await receive()).toBeNull();
    });

    it('has tasks of either lane, and says how many are not done', async () => {
      expect(await ledger.depth('heavy')).toBe(0);
      expect(await enqueue(1, 'heavy')).toBe('heavy');
      await enqueue(2, 'heavy');
      const lease = await received();
      expect(await ledger.depth('heavy')).toBe(2);
      await tasks.acknowledge(lease);
      expect(await ledger.depth('heavy')).toBe(1);
      expect(await received()).toMatchObject({ task: analysisOf(2) });
    });

    it('has a task go on in the other lane', async () => {
      await enqueue(1, 'fast');
      await tasks.release(await received(), { delaySeconds: 0, countAttempt: false, lane: 'heavy' });
      const again = await received();
      expect(again).toMatchObject({ task: analysisOf(1), attempt: 1 });
      await tasks.acknowledge(again);
      expect(await ledger.depth('fast')).toBe(0);
      expect(await ledger.depth('heavy')).toBe(0);
    });

    it('carries every kind of task, each to whoever takes from its lane', async () => {
      const wanted: Task[] = [
        { kind: 'recalculate_single_analytics', taskId: 3, targetId: 7 },
        { kind: 'old-uploads' },
        analysisOf(7),
      ];
      for (const task of wanted) await tasks.enqueue(task);
      const got = [];
      for (const lane of lanes) {
        const lease = await tasks.receive({ worker: 'w', waitMs: 0, lanes: [lane] });
        if (lease) got.push(lease);
      }
      expect(got).toHaveLength(3);
      for (const task of wanted) expect(got).toContainEqual(expect.objectContaining({ task, attempt: 1 }));
      for (const lease of got) await tasks.acknowledge(lease);
      expect(await ledger.state('old-uploads')).toBeNull();
    });

    it('has one task of a key in flight, whatever the key is made of', async () => {
      expect(await tasks.enqueue({ kind: 'recalculate_single_analytics', taskId: 1, targetId: 7 })).toBe('prompt');
      expect(await tasks.enqueue({ kind: 'recalculate_single_analytics', taskId: 1, targetId: 7 })).toBeNull();
      expect(await tasks.enqueue({ kind: 'token-prune' }, { key: 'a' })).toBe('sweep');
      expect(await tasks.enqueue({ kind: 'token-prune' }, { key: 'a' })).toBeNull();
      expect(await tasks.enqueue({ kind: 'token-prune' }, { key: 'b' })).toBe('sweep');
      const leases = [await received(), await received(), await received()];
      expect(leases.map(({ key }) => key).sort()).toEqual(['a', 'b', 'recalculate_single_analytics:1']);
      expect(await receive()).toBeNull();
      for (const lease of leases) await tasks.acknowledge(lease);
      expect(await tasks.enqueue({ kind: 'token-prune' }, { key: 'a' })).toBe('sweep');
    });

    it('hands out a task no sooner than it is due, and wakes who waits then', async () => {
      await tasks.enqueue({ kind: 'happenings' }, { delaySeconds: 1 });
      const from = performance.now();
      expect(await tasks.enqueue({ kind: 'happenings' })).toBeNull();
      expect(await receive()).toBeNull();
      expect(await tasks.receive({ worker: 'w', waitMs: 10_000 })).toMatchObject({
        task: { kind: 'happenings' },
        attempt: 1,
      });
      expect(performance.now() - from).toBeGreaterThan(950);
      expect(performance.now() - from).toBeLessThan(3000);
    });

    it('lets nobody wait for tasks whose time is yet to come', async () => {
      for (let jobId = 1; jobId <= 3; jobId += 1) {
        await tasks.enqueue(analysisOf(jobId), { delaySeconds: 60 });
      }
      await enqueue(4, 'fast');
      expect(jobOf(await received())).toBe(4);
      expect(await receive()).toBeNull();
      await ledger.remove(analysisKey(2));
      expect(await ledger.state(analysisKey(1))).toEqual({ attempts: 0, held: false });
      expect(await ledger.state(analysisKey(2))).toBeNull();
    });

    it('forgets what was acknowledged', async () => {
      await enqueue(1, 'fast');
      await tasks.acknowledge(await received());
      expect(await ledger.state(analysisKey(1))).toBeNull();
      expect(await receive()).toBeNull();
    });

    it('hands a lapsed lease to the next worker, and its holder finds out', async () => {
      ({ tasks, ledger } = await make(1));
      await enqueue(1, 'fast');
      const first = await received();
      await sleep(1100);
      const second = await received();
      expect(second).toMatchObject({ task: analysisOf(1), attempt: 2 });
      expect(await tasks.extend(first)).toBe(false);
      await tasks.acknowledge(first);
      await tasks.release(first, { delaySeconds: 0, countAttempt: true });
      expect(await ledger.state(analysisKey(1))).toEqual({ attempts: 2, held: true });
      expect(await tasks.extend(second)).toBe(true);
    });

    it('keeps a lease that is extended', async () => {
      ({ tasks, ledger } = await make(2));
      await enqueue(1, 'fast');
      const lease = await received();
      for (let beat = 0; beat < 4; beat += 1) {
        await sleep(600);
        expect(await tasks.extend(lease)).toBe(true);
      }
      expect(await receive()).toBeNull();
    });

    it('takes a task back, at once or later, as an attempt or not', async () => {
      await enqueue(1, 'fast');
      await tasks.release(await received(), { delaySeconds: 0, countAttempt: false });
      const again = await received();
      expect(again.attempt).toBe(1);
      await tasks.release(again, { delaySeconds: 1, countAttempt: true });
      expect(await ledger.state(analysisKey(1))).toEqual({ attempts: 1, held: false });
      expect(await receive()).toBeNull();
      await sleep(1100);
      expect(await received()).toMatchObject({ attempt: 2 });
    });

    it('wakes a waiting worker', async () => {
      const waiting = tasks.receive({ worker: 'w', waitMs: 5000 });
      await sleep(50);
      const from = performance.now();
      await enqueue(7, 'fast');
      expect(await waiting).toMatchObject({ task: analysisOf(7), attempt: 1 });
      expect(performance.now() - from).toBeLessThan(500);
    });

    it('stops waiting when told, or when the time is over', async () => {
      const stop = new AbortController();
      const waiting = tasks.receive({ worker: 'w', waitMs: 60_000, signal: stop.signal });
      setTimeout(() => stop.abort(), 50);
      expect(await waiting).toBeNull();
      expect(await tasks.receive({ worker: 'w', waitMs: 50 })).toBeNull();
    });

    it.skipIf(isShared)('ends all leases when the only process starts again', async () => {
      for (const jobId of [1, 2]) await enqueue(jobId, 'fast');
      await received();
      await received();
      await ledger.dropLeases();
      expect(await ledger.state(analysisKey(1))).toEqual({ attempts: 1, held: false });
      expect((await Promise.all([receive(), receive()])).map((lease) => lease?.attempt)).toEqual([2, 2]);
    });

    it('buries a task whoever holds it', async () => {
      await enqueue(1, 'fast');
      const lease = await received();
      await ledger.bury(analysisKey(1), 'internal');
      await tasks.acknowledge(lease);
      expect(await ledger.state(analysisKey(1))).toBeNull();
      expect(await ledger.depth('fast')).toBe(0);
    });

    it('drops a task whoever holds it', async () => {
      await enqueue(1, 'fast');
      const lease = await received();
      await ledger.remove(analysisKey(1));
      expect(await tasks.extend(lease)).toBe(false);
      expect(await ledger.state(analysisKey(1))).toBeNull();
    });
  });
}

/** Of an analysis. */
function jobOf(lease: Lease | null): number | undefined {
  return lease?.task.kind === 'run_analysis' ? lease.task.jobId : undefined;
}

/** Takes what there is. */
async function drained(tasks: TaskQueue): Promise<(number | undefined)[]> {
  const taken: (number | undefined)[] = [];
  for (;;) {
    const lease = await tasks.receive({ worker: 'w', waitMs: 0 });
    if (!lease) return taken;
    taken.push(jobOf(lease));
    // A slow machine would see it lapse before the last one has looked.
    await tasks.acknowledge(lease);
  }
}
