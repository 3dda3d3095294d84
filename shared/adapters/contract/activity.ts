import { chained } from '@svc/application/admin/activity/chain.ts';
import { recordActivity } from '@svc/application/admin/activity/record-activity.ts';
import { verifyActivity } from '@svc/application/admin/activity/verify-activity.ts';
import { removeOldActivity } from '@svc/application/admin/activity/prune-activity.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { activityCategories, type Actor, type NewActivity } from '@svc/domain';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { activity, activityDays } from '../postgres/schema/index.ts';
import { silentLog } from '../testing/silent-log.ts';

const dayMs = 86_400_000;
const policy = { activityLogEnabled: true, activityCategories: null };
const someone: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

/** Noon of a day of November. */
const at = (day: number, ms = 0) => new Date(Date.UTC(2026, 10, day, 12, 0, 0, ms));

const row = (over: Partial<NewActivity> = {}): NewActivity => ({
  at: at(1),
  actorId: null,
  actorLabel: 'ada@example.org',
  actorIp: '192.0.2.1',
  action: 'job.delete',
  category: 'job',
  targetType: 'job',
  targetId: '7',
  outcome: 'success',
  summary: 'Deleted a job',
  metadata: '{"a":[1,"ü 🦊"]}',
  requestId: 'r',
  ...over,
});

/** The activity log; `make` gives an empty one and the database behind it. */
export function activityContract(make: () => Promise<{ ports: Ports; db: Database }>): void {
  describe('the activity log', () => {
    let [ports, db]: [Ports, Database] = [] as never;
    beforeEach(async () => ({ ports, db } = await make()));

    const second = async () => {
      const rows = await db.select().from(activity).where(eq(activity.day, '2026-11-02'));
      return rows.find(({ place }) => place === 1)!;
    };
    const problems = async () => (await verifyActivity(ports)).problems;

    it('is a chain over all days, however many write it at once', async () => {
      const days = [1, 1, 2, 2, 2, 4];
      for (const day of new Set(days)) {
        const count = days.filter((one) => one === day).length * 10;
        await Promise.all(
          Array.from({ length: count }, (_, index) =>
            ports.activityLog.write([
              row({ at: at(day, index), targetId: String(index) }),
              row({ at: at(day, index) }),
            ]),
          ),
        );
      }
      expect(await verifyActivity(ports)).toEqual({ days: 3, rows: 120, pruned: 0, problems: [] });
      expect((await ports.activityLog.days()).map(({ day, rows }) => [day, rows])).toEqual([
        ['2026-11-01', 40],
        ['2026-11-02', 60],
        ['2026-11-04', 20],
      ]);
    });

    it('goes on with the day that another process has begun', async () => {
      await ports.activityLog.write([row({ at: at(2) })]);
      await ports.activityLog.write([row({ at: at(1) })]);
      expect((await ports.activityLog.days()).map(({ day, rows }) => [day, rows])).toEqual([['2026-11-02', 2]]);
      expect(await problems()).toEqual([]);
    });

    describe('tells of rows that were', () => {
      beforeEach(async () => {
        for (const day of [1, 2, 3])
          await ports.activityLog.write([1, 2, 3].map((id) => row({ at: at(day, id), targetId: String(id) })));
      });

      it('changed', async () => {
        for (const change of [
          { summary: 'Read a job' },
          { actorLabel: 'eve@example.org' },
          { actorIp: '198.51.100.1' },
          { outcome: 'failure' as const },
          { at: at(2, 9) },
          { metadata: null },
          { targetId: '8' },
          { requestId: 's' },
        ]) {
          const { id, ...before } = await second();
          await db.update(activity).set(change).where(eq(activity.id, id));
          expect([change, await problems()]).toEqual([change, [expect.stringMatching(/^2026-11-02: row 2 /)]]);
          await db.update(activity).set(before).where(eq(activity.id, id));
          expect(await problems()).toEqual([]);
        }
      });

      it('removed, at the beginning, in the middle and at the end', async () => {
        const rows = await db.select().from(activity).where(eq(activity.day, '2026-11-02'));
        for (const one of rows) {
          await db.delete(activity).where(eq(activity.id, one.id));
          expect((await problems()).length).toBeGreaterThan(0);
          const { id: _, ...again } = one;
          await db.insert(activity).values(again);
          expect(await problems()).toEqual([]);
        }
      });

      it('put in another order', async () => {
        const { id } = await second();
        await db.update(activity).set({ place: 9 }).where(eq(activity.id, id));
        expect((await problems()).length).toBeGreaterThan(0);
      });

      it('added', async () => {
        const { id: _, ...one } = await second();
        await db.insert(activity).values({ ...one, place: 3 });
        expect((await problems()).length).toBeGreaterThan(0);
      });

      it('removed with their whole day, and made anew with all hashes', async () => {
        const heads = (await ports.activityLog.days()).map(({ isPruned: pruned, ...day }) => ({ ...day, pruned }));
        expect((await verifyActivity(ports, heads)).problems).toEqual([]);
        await ports.activityLog.write([row({ at: at(3, 50) })]);
        expect((await verifyActivity(ports, heads)).problems).toEqual([]);
        const kept = await db.select().from(activityDays).where(eq(activityDays.day, '2026-11-02'));
        await db.delete(activityDays).where(eq(activityDays.day, '2026-11-02'));
        expect(await problems()).toEqual(['2026-11-03: it does not follow 2026-11-01']);
        await db.insert(activityDays).values(kept);
        // Whoever writes to the database can make hashes; not those that were exported.
        const last = await db.select().from(activity).where(eq(activity.day, '2026-11-03')).orderBy(activity.place);
        const forged = { ...last[3]!, summary: 'Nothing' };
        const hash = chained(last[2]!.hash, forged);
        await db.update(activity).set({ summary: 'Nothing', hash }).where(eq(activity.id, forged.id));
        await db.update(activityDays).set({ head: hash }).where(eq(activityDays.day, '2026-11-03'));
        expect(await problems()).toEqual([]);
        const exported = [{ day: '2026-11-03', rows: 4, previous: '', head: last[3]!.hash, pruned: false }];
        expect((await verifyActivity(ports, exported)).problems).toEqual([
          '2026-11-03: the end of its chain is not the one that was exported',
        ]);
      });
    });

    it('stays a chain when accounts go and when its first days do', async () => {
      const account = { email: 'ada@example.org', passwordHash: 'x', role: 'member', displayName: null } as const;
      const { id: actorId } = await ports.accounts.create(account);
      for (const day of [1, 2, 3, 4]) await ports.activityLog.write([row({ at: at(day), actorId })]);
      await ports.accounts.delete(actorId);
      const clock = { now: () => new Date(at(4).getTime() + 2 * dayMs) };
      const deployment = { ...ports.deployment, retentionDays: { ...ports.deployment.retentionDays, activity: 3 } };
      expect(await removeOldActivity({ ...ports, clock, deployment })).toBe(2);
      expect(await removeOldActivity({ ...ports, clock, deployment })).toBe(0);
      expect(await verifyActivity(ports)).toEqual({ days: 4, rows: 2, pruned: 2, problems: [] });
      const { rows } = await ports.activityLog.list({}, { offset: 0, limit: 9 });
      expect(rows.map((one) => [one.at.getUTCDate(), one.actorId, one.actorLabel])).toEqual([
        [4, null, 'ada@example.org'],
        [3, null, 'ada@example.org'],
      ]);
    });

    it('is narrowed by each filter, and all of them', async () => {
      const rows = [
        row({
          at: at(1),
          category: 'auth',
          action: 'auth.login',
          targetType: null,
          targetId: null,
          requestId: 'abc-1',
        }),
        row({ at: at(2), actorLabel: '100%_x@example.org', outcome: 'failure', actorIp: '2001:db8::7' }),
        row({ at: at(3), summary: 'Something else', targetId: '70' }),
      ];
      await ports.activityLog.write(rows);
      const days = async (filter: Parameters<Ports['activityLog']['list']>[0]) => {
        const found = await ports.activityLog.list(filter, { offset: 0, limit: 2 });
        return [found.total, ...found.rows.map((one) => one.at.getUTCDate())];
      };
      expect(await days({})).toEqual([3, 3, 2]);
      expect(await days({ category: 'auth' })).toEqual([1, 1]);
      expect(await days({ action: 'job.delete' })).toEqual([2, 3, 2]);
      expect(await days({ actor: '0%_X' })).toEqual([1, 2]);
      expect(await days({ actor: '\0' })).toEqual([0]);
      expect(await days({ target: '7' })).toEqual([1, 2]);
      expect(await days({ outcome: 'failure' })).toEqual([1, 2]);
      expect(await days({ q: 'something' })).toEqual([1, 3]);
      expect(await days({ q: 'db8' })).toEqual([1, 2]);
      expect(await days({ q: 'ABC' })).toEqual([1, 1]);
      expect(await days({ since: at(2) })).toEqual([2, 3, 2]);
      expect(await days({ since: at(2), outcome: 'failure', q: 'deleted' })).toEqual([1, 2]);
      expect(await ports.activityLog.count(at(2))).toBe(2);
    });

    it('has what is recorded to the letter, cut to its columns', async () => {
      const doer = { actor: someone, requestId: 'r'.repeat(100) };
      const hostile = `${'x'.repeat(498)}\0\uD800🦊`;
      const all = activityCategories.map((category) => `${category}.something` as const);
      await Promise.all(
        all.map((action) =>
          recordActivity({ ...ports, log: silentLog }, doer, policy, {
            action,
            target: ['t'.repeat(99), `7${'\0'.repeat(99)}`],
            summary: hostile,
            metadata: action === 'job.something' ? { long: 'y'.repeat(9000) } : { hostile },
          }),
        ),
      );
      expect(await verifyActivity(ports)).toMatchObject({ rows: 6, problems: [] });
      const { rows } = await ports.activityLog.list({ category: 'job' }, { offset: 0, limit: 9 });
      expect(
        rows.map(({ metadata, requestId, targetType, targetId, summary }) => [
          metadata,
          requestId.length,
          targetType?.length,
          targetId?.length,
          summary.length,
        ]),
      ).toEqual([['{"cut":true,"fields":["long"]}', 64, 40, 64, 500]]);
    });

    it('is not written where it is off, or the kind is', async () => {
      const doer = { actor: someone, requestId: 'r' };
      const deeds = activityCategories.map((category) => ({ action: `${category}.x` as const, summary: '' }));
      for (const deed of deeds) {
        await recordActivity(ports, doer, { activityLogEnabled: false, activityCategories: null }, deed);
        await recordActivity(ports, doer, { activityLogEnabled: true, activityCategories: ['job', 'auth'] }, deed);
      }
      const { rows } = await ports.activityLog.list({}, { offset: 0, limit: 99 });
      expect(rows.map(({ category }) => category).sort()).toEqual(['auth', 'job']);
    });

    it('fails nobody when it cannot be written', async () => {
      const lines: unknown[] = [];
      const log = { ...silentLog, error: (message: string) => void lines.push(message) };
      const broken = { ...ports, log, activityLog: { write: () => Promise.reject(new Error('full')) } as never };
      const deed = { action: 'job.x', summary: '' } as const;
      await Promise.all([1, 2, 3].map(() => recordActivity(broken, { actor: someone, requestId: '' }, policy, deed)));
      expect(lines).toEqual(Array.from({ length: 3 }, () => 'activity could not be written'));
    });
  });
}
