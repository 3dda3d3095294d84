import type { Ports } from '@svc/application/ports/ports.ts';
import { beforeEach, describe, expect, it } from 'vitest';

const kind = 'recalculate_single_analytics';
const at = new Date('2026-08-01T10:00:00.123Z');
const never = new Date(0);
const wanted = (targetId: number) => ({ kind, targetId, requestedBy: 'admin@example.org' }) as const;

/** What the repository of background tasks does. `make` gives those of two processes, empty. */
export function backgroundTaskRepositoryContract(
  make: () => Promise<readonly [Pick<Ports, 'backgroundTasks'>, Pick<Ports, 'backgroundTasks'>]>,
): void {
  describe('background tasks', () => {
    let one: Ports['backgroundTasks'];
    let two: Ports['backgroundTasks'];
    beforeEach(async () => {
      [one, two] = (await make()).map((ports) => ports.backgroundTasks) as [typeof one, typeof two];
    });

    it('are begun in their order, each once', async () => {
      const ids = [];
      for (const target of [1, 2, 3, 4]) ids.push((await one.request(wanted(target), at)).id);
      const claimed = await Promise.all([one.claim(at, never), two.claim(at, never), one.claim(at, never)]);
      expect(new Set(claimed.map((task) => task?.id))).toEqual(new Set(ids.slice(0, 3)));
      expect(await two.claim(at, never)).toMatchObject({ id: ids[3], targetId: 4, status: 'running', createdAt: at });
      expect(await one.claim(at, never)).toBeNull();
    });

    it('are in flight once for each target', async () => {
      const asked = await Promise.all([one.request(wanted(7), at), two.request(wanted(7), at)]);
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
      expect(asked.filter(({ already }) => already)).toHaveLength(1);
      const { id } = (await one.claim(at, never))!;
      expect(await two.request(wanted(7), at)).toEqual({ id, already: true });
      await one.finish(id, { detail: 'done' }, at);
      expect((await two.request(wanted(7), at)).already).toBe(false);
    });

    it('are begun again when whoever began them is gone, and count that', async () => {
      await one.request(wanted(1), at);
      expect(await one.claim(at, never)).toMatchObject({ attempts: 1 });
      expect(await two.claim(at, at)).toBeNull();
      const lost = new Date(at.getTime() + 1);
      expect(await two.claim(lost, lost)).toMatchObject({ targetId: 1, attempts: 2 });
      expect(await one.claim(lost, lost)).toBeNull();
    });

    it('end once, with what came of them', async () => {
      const { id } = await one.request(wanted(1), at);
      await one.claim(at, never);
      await one.finish(id, { error: 'no\u0000store' }, at);
      await two.finish(id, { detail: 'late' }, at);
      expect(await one.latest(kind, 1)).toMatchObject({
        status: 'failed',
        detail: null,
        errorMessage: 'no\uFFFDstore',
        finishedAt: at,
      });
      expect(await one.latest(kind, 2)).toBeNull();
      expect(await one.removeEnded(at)).toBe(0);
      expect(await one.removeEnded(new Date(at.getTime() + 1))).toBe(1);
    });
  });
}
