import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { schedules } from '@svc/config';
import { periodicKinds } from '@svc/contracts/tasks.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startSchedule } from './schedule.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
afterAll(() => test.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

it('has a time for every kind that is periodic, and for no other', () => {
  expect(schedules.map(({ key }) => key).toSorted()).toEqual([...periodicKinds].toSorted());
});

it('queues what is due, whatever of it cannot be, and the daily tasks also at the start', async () => {
  vi.setSystemTime('2026-03-01T01:02:00Z');
  const queued: string[] = [];
  const tasks = overriding(test.ports.tasks, {
    enqueue: async ({ kind }) => {
      queued.push(kind);
      if (kind === 'expired-uploads') throw new Error('no database');
      return 'sweep';
    },
  });
  const times = (kind: string): number => queued.filter((one) => one === kind).length;
  const schedule = startSchedule({ ...test.ports, tasks });
  try {
    expect(queued).toEqual(expect.arrayContaining(['job-recovery', 'rule-packs', 'token-prune']));
    expect(queued).not.toContain('expired-uploads');
    await vi.advanceTimersByTimeAsync(180_000);
    expect([times('job-recovery'), times('expired-uploads'), times('token-prune')]).toEqual([2, 1, 1]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect([times('job-recovery'), times('expired-uploads'), times('token-prune')]).toEqual([3, 2, 1]);
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(times('token-prune')).toBe(2);
  } finally {
    await schedule.stop();
  }
  const { length } = queued;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(queued).toHaveLength(length);
});
