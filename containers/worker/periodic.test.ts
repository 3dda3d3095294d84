import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startPeriodicTasks } from './periodic.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
afterAll(() => test.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** How often which task has come to its repository. */
function counting() {
  const runs = { live: 0, retireExpired: 0, removeRevoked: 0 };
  const { ports } = test;
  return {
    runs,
    ports: {
      ...ports,
      jobViews: overriding(ports.jobViews, {
        live: async () => {
          runs.live += 1;
          throw new Error('no database');
        },
      }),
      uploads: overriding(ports.uploads, {
        retireExpired: async () => {
          runs.retireExpired += 1;
          return [];
        },
      }),
      apiTokens: overriding(ports.apiTokens, {
        removeRevoked: async () => {
          runs.removeRevoked += 1;
          return 0;
        },
      }),
    },
  };
}

it('runs what is due, whatever of it fails, and the daily tasks also at the start', async () => {
  vi.setSystemTime('2026-03-01T01:02:00Z');
  const { runs, ports } = counting();
  const periodic = startPeriodicTasks(ports);
  try {
    expect(runs).toEqual({ live: 0, retireExpired: 0, removeRevoked: 1 });
    await vi.advanceTimersByTimeAsync(180_000);
    expect(runs).toEqual({ live: 1, retireExpired: 1, removeRevoked: 1 });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(runs).toEqual({ live: 2, retireExpired: 2, removeRevoked: 1 });
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(runs.removeRevoked).toBe(2);
  } finally {
    await periodic.stop();
  }
  const { live } = runs;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(runs.live).toBe(live);
});
