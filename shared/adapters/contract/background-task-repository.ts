import type { Ports } from '@svc/application/ports/ports.ts';
import { beforeEach, describe, expect, it } from 'vitest';

const kind = 'recalculate_single_analytics';
const at = new Date('2026-08-01T10:00:00.123Z');
const wanted = (targetId: number) => ({ kind, targetId, requestedBy: 'admin@example.org' }) as const;

type WorkPorts = Pick<Ports, 'backgroundTasks' | 'periodicRuns'>;

/** What the repository of background tasks does. `make` gives those of two processes, empty. */
export function backgroundTaskRepositoryContract(make: () => Promise<readonly [WorkPorts, WorkPorts]>): void {
  describe('background tasks', () => {
    let one: Ports['backgroundTasks'];
    let two: Ports['backgroundTasks'];
    beforeEach(async () => {
      [one, two] = (await make()).map((ports) => ports.backgroundTasks) as [typeof one, typeof two];
    });

    it('are known, the oldest first, until they have ended', async () => {
      const ids = [];
      for (const target of [1, 2, 3]) ids.push((await one.request(wanted(target), at)).id);
      await two.begin(ids[1]!, at);
      await one.begin(ids[2]!, at);
      await one.finish(ids[2]!, { detail: 'done' }, at);
      expect(await two.inFlight()).toMatchObject([
        { id: ids[0], kind, targetId: 1, status: 'pending', attempts: 0 },
        { id: ids[1], kind, targetId: 2, status: 'running', attempts: 1, createdAt: at },
      ]);
    });

    it('are in flight once for each target', async () => {
      const asked = await Promise.all([one.request(wanted(7), at), two.request(wanted(7), at)]);
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
      expect(asked.filter(({ already }) => already)).toHaveLength(1);
      const [{ id }] = asked;
      await one.begin(id, at);
      expect(await two.request(wanted(7), at)).toEqual({ id, already: true });
      await one.finish(id, { detail: 'done' }, at);
      expect((await two.request(wanted(7), at)).already).toBe(false);
    });

    it('count how often they were begun, and are not begun when they have ended', async () => {
      const { id } = await one.request(wanted(1), at);
      expect(await one.begin(id, at)).toMatchObject({ targetId: 1, attempts: 1 });
      expect(await two.begin(id, at)).toMatchObject({ status: 'running', attempts: 2 });
      await two.progress(id, { cursor: 7, detail: 'further' }, at);
      expect(await one.begin(id, at)).toMatchObject({ cursor: 7, attempts: 1 });
      await two.finish(id, { error: 'no store' }, at);
      expect(await one.begin(id, at)).toBeNull();
    });

    it('end once, with what came of them', async () => {
      const { id } = await one.request(wanted(1), at);
      await one.begin(id, at);
      expect(await two.progress(id, { cursor: 1, detail: 'half\u0000way' }, at)).toBe(true);
      expect(await one.latest(kind, 1)).toMatchObject({ status: 'running', detail: 'half\uFFFDway' });
      await one.finish(id, { error: 'no\u0000store' }, at);
      await two.finish(id, { detail: 'late' }, at);
      expect(await two.progress(id, { cursor: 2, detail: 'later' }, at)).toBe(false);
      expect(await one.latest(kind, 1)).toMatchObject({
        status: 'failed',
        detail: null,
        errorMessage: 'no\uFFFDstore',
        finishedAt: at,
      });
      expect(await one.latest(kind, 2)).toBeNull();
      expect(await one.finish(id, { detail: 'again' }, at)).toBe(false);
      expect(await one.ended(9)).toMatchObject([{ id, status: 'failed' }]);
      expect(await one.removeEnded(at)).toBe(0);
      expect(await one.removeEnded(new Date(at.getTime() + 1))).toBe(1);
    });

    it('show that somebody works on them, until they have ended', async () => {
      const { id } = await one.request(wanted(1), at);
      await one.begin(id, at);
      const later = new Date(at.getTime() + 60_000);
      await two.beat(id, later);
      expect(await one.get(id)).toMatchObject({ status: 'running', heartbeatAt: later });
      expect(await one.ended(9)).toEqual([]);
      await one.finish(id, { detail: 'done' }, later);
      await two.beat(id, new Date(later.getTime() + 60_000));
      expect(await one.get(id)).toMatchObject({ status: 'completed', heartbeatAt: later });
      expect(await one.get(id + 1)).toBeNull();
    });
  });

  describe('periodic runs', () => {
    it('are known by their last one, whoever had it and whenever it ended', async () => {
      const [one, two] = await make();
      expect(await one.periodicRuns.latest()).toEqual([]);
      const run = { kind: 'intel', at, durationMs: 1500, outcome: 'completed', detail: '3 done' } as const;
      const later = new Date(at.getTime() + 300_000);
      await one.periodicRuns.note(run);
      await two.periodicRuns.note({ ...run, at: later, outcome: 'failed', detail: 'no\u0000database' });
      await one.periodicRuns.note({ ...run, detail: 'ended late' });
      await one.periodicRuns.note({ ...run, kind: 'token-prune' });
      const latest = [...(await two.periodicRuns.latest())].sort((a, b) => a.kind.localeCompare(b.kind));
      expect(latest).toEqual([
        { ...run, at: later, outcome: 'failed', detail: 'no\uFFFDdatabase' },
        { ...run, kind: 'token-prune' },
      ]);
    });
  });
}
