import type { QueuedTasks } from '@svc/application/ports/queued-tasks.ts';
import type { TaskQueue } from '@svc/application/ports/task-queue.ts';
import { analysisKey, analysisOf } from '@svc/contracts/tasks.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';

/** What operators see of every queue, and take out of it. `make` gives an empty one whose leases last for a second. */
export function queuedTasksContract(
  make: () => Promise<{ readonly tasks: TaskQueue; readonly queuedTasks: QueuedTasks }>,
): void {
  describe('queued tasks', () => {
    let tasks: TaskQueue;
    let queuedTasks: QueuedTasks;
    beforeEach(async () => {
      ({ tasks, queuedTasks } = await make());
    });
    const keys = async (most = 20) => {
      const { waiting, delayed } = await queuedTasks.list(most);
      return [waiting, delayed].map(({ size, isMore, entries }) => [size, isMore, entries.map(({ key }) => key)]);
    };

    it('are those that wait, the longest first, and those that wait for their time, the next first', async () => {
      expect(await keys()).toEqual([
        [0, false, []],
        [0, false, []],
      ]);
      const from = Date.now();
      await tasks.enqueue(analysisOf(7), { lane: 'heavy' });
      await sleep(5);
      await tasks.enqueue({ kind: 'backfill_entities', taskId: 3 });
      await tasks.enqueue({ kind: 'token-prune' }, { delaySeconds: 900 });
      await tasks.enqueue({ kind: 'intel' }, { delaySeconds: 600, key: 'a key of its own' });
      expect(await keys()).toEqual([
        [2, false, [analysisKey(7), 'backfill_entities:3']],
        [2, false, ['a key of its own', 'token-prune']],
      ]);
      expect(await keys(1)).toEqual([
        [2, false, [analysisKey(7)]],
        [2, false, ['a key of its own']],
      ]);
      const { waiting, delayed } = await queuedTasks.list(1);
      expect(waiting.entries[0]).toMatchObject({ task: analysisOf(7), lane: 'heavy', attempts: 0, dueAt: null });
      expect(Math.abs(waiting.entries[0]!.queuedAt!.getTime() - from)).toBeLessThan(60_000);
      expect(delayed.entries[0]).toMatchObject({ task: { kind: 'intel' }, lane: 'sweep' });
      expect(Math.abs(delayed.entries[0]!.dueAt!.getTime() - from - 600_000)).toBeLessThan(60_000);
    });

    it('are not those that a worker has, until it was not heard of for too long', async () => {
      await tasks.enqueue(analysisOf(7));
      await tasks.receive({ worker: 'w', waitMs: 5000 });
      expect(await queuedTasks.get(analysisKey(7))).toBe('held');
      expect(await queuedTasks.remove(analysisKey(7))).toBe(false);
      expect((await keys())[0]).toEqual([0, false, []]);
      await expect
        .poll(() => queuedTasks.get(analysisKey(7)), { timeout: 20_000 })
        .toMatchObject({ key: analysisKey(7), attempts: 1 });
      expect((await keys())[0]).toEqual([1, false, [analysisKey(7)]]);
    });

    it('are taken out once, and are not handed out then', async () => {
      await tasks.enqueue({ kind: 'backfill_entities', taskId: 3 });
      expect(await queuedTasks.get('backfill_entities:3')).toMatchObject({ task: { taskId: 3 }, attempts: 0 });
      expect(await queuedTasks.remove('backfill_entities:3')).toBe(true);
      expect(await queuedTasks.remove('backfill_entities:3')).toBe(false);
      expect(await queuedTasks.get('backfill_entities:3')).toBeNull();
      expect(await tasks.receive({ worker: 'w', waitMs: 0 })).toBeNull();
      expect(await tasks.enqueue({ kind: 'backfill_entities', taskId: 3 })).toBe('sweep');
    });
  });
}
