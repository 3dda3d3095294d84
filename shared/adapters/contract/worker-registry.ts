import type { WorkerRegistry } from '@svc/application/admin/workers/worker-registry.ts';
import { noCounts, type WorkerState } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';

const lifetimes = { alive: 180, slots: 60 };

/** What a worker of a host says of itself. */
export function workerState(hostname: string, pid = 1, jobIds: readonly number[] = []): WorkerState {
  return {
    facts: {
      process: `${hostname}:${pid}`,
      name: null,
      hostname,
      ipAddress: '192.0.2.10',
      pid,
      os: 'linux 6.1',
      arch: 'x64',
      runtimeVersion: 'Node.js 20.19.0',
      version: '1.0.0',
      cpuCount: 4,
      memoryGb: 8,
      threads: 2,
      engineThreads: 1,
      tasksAtOnce: 2,
      startedAt: '2026-08-01T10:00:00.000Z',
    },
    jobs: jobIds.map((jobId) => ({ jobId, since: '2026-08-01T10:00:00.000Z' })),
    counts: noCounts,
  };
}

/** What every registry of workers does; `make` gives the same one, empty, as two processes have it. */
export function workerRegistryContract(make: () => Promise<readonly [WorkerRegistry, WorkerRegistry]>): void {
  describe('registry of workers', () => {
    let registry: WorkerRegistry;
    let elsewhere: WorkerRegistry;
    beforeEach(async () => {
      [registry, elsewhere] = await make();
    });
    const processes = async (): Promise<string[]> =>
      (await elsewhere.fleet()).workers.map(({ facts }) => facts.process);

    it('has what a worker said of itself last, until it leaves', async () => {
      await registry.beat(workerState('a', 1, [7]), lifetimes);
      await registry.beat(workerState('a', 1, [7, 8]), lifetimes);
      await registry.beat(workerState('a', 2), lifetimes);
      const { workers } = await elsewhere.fleet();
      expect(workers).toMatchObject([workerState('a', 1, [7, 8]), workerState('a', 2)]);
      expect(Math.abs(Date.now() - workers[0]!.lastSeen.getTime())).toBeLessThan(60_000);
      await registry.leave('a:1');
      expect(await processes()).toEqual(['a:2']);
    });

    it('knows a worker no longer that was silent for too long', async () => {
      await registry.beat(workerState('a'), { alive: 0, slots: 0 });
      expect(await processes()).toEqual([]);
      await registry.beat(workerState('b'), lifetimes);
      expect(await processes()).toEqual(['b:1']);
      expect(await registry.standing('b')).toMatchObject({ hasOthers: false });
    });

    it('has the cap of each host, for all processes at once, also when the host has no worker', async () => {
      expect(await registry.standing('a')).toEqual({ cap: 0, jobs: 0, hasOthers: false });
      await registry.setCap('a', 3);
      await registry.setCap('a', -1);
      await registry.setCap('b', 2);
      expect(await elsewhere.standing('a')).toMatchObject({ cap: -1 });
      expect(Object.fromEntries((await elsewhere.fleet()).caps)).toEqual({ a: -1, b: 2 });
      await elsewhere.setCap('a', 0);
      expect(await registry.standing('a')).toMatchObject({ cap: 0 });
    });

    it('counts the jobs of all processes of a host that still have their leases', async () => {
      await registry.beat(workerState('a', 1, [1, 2]), lifetimes);
      await registry.beat(workerState('a', 2, [3]), lifetimes);
      await registry.beat(workerState('a', 3, [4]), { alive: 180, slots: 0 });
      await registry.beat(workerState('b', 1, [5]), lifetimes);
      expect(await elsewhere.standing('a')).toEqual({ cap: 0, jobs: 3, hasOthers: true });
      expect(await elsewhere.standing('c')).toEqual({ cap: 0, jobs: 0, hasOthers: true });
    });

    it('gives the last place of a host to one of many that want it at once', async () => {
      await registry.setCap('a', 3);
      await registry.beat(workerState('a', 1, [1]), lifetimes);
      await registry.beat(workerState('b', 1, [2, 3, 4]), lifetimes);
      const taken = await Promise.all(
        Array.from({ length: 8 }, (_, place) =>
          (place % 2 === 0 ? registry : elsewhere).takeSlot(workerState('a', 10 + place, [10 + place]), lifetimes),
        ),
      );
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(2);
      expect(await registry.standing('a')).toMatchObject({ jobs: 3 });
      await registry.leave('a:1');
      expect(await elsewhere.takeSlot(workerState('a', 30, [30]), lifetimes)).toBe(true);
      await registry.setCap('a', 0);
      expect(await elsewhere.takeSlot(workerState('a', 31, [31]), lifetimes)).toBe(true);
    });
  });
}
