import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { expect, it } from 'vitest';
import type { Deployment } from '../ports/deployment.ts';
import type { Ports } from '../ports/ports.ts';
import { dispatchWorkers } from './dispatch-workers.ts';

/** How many workers are asked for, and what the log says. */
async function dispatched(state: {
  depth: number;
  running: number;
  jobsEach?: number;
  startable?: number;
}): Promise<{ asked: number[]; errors: string[] }> {
  const [asked, errors]: [number[], string[]] = [[], []];
  await dispatchWorkers({
    // The cast is safe: no more than this is read.
    deployment: { workers: state.jobsEach ?? 1, maxWorkerTasks: 4 } as Deployment,
    ledger: { depth: async (lane: string) => (lane === 'heavy' ? state.depth : 0) } as Ports['ledger'],
    launcher: {
      wake: async () => undefined,
      running: async () => state.running,
      start: async (count) => {
        asked.push(count);
        return Math.min(count, state.startable ?? count);
      },
    },
    log: { ...silentLog, error: (message) => void errors.push(message) },
  });
  return { asked, errors };
}

it.each([
  [{ depth: 0, running: 0 }, []],
  [{ depth: 1, running: 0 }, [1]],
  [{ depth: 3, running: 1 }, [2]],
  [{ depth: 3, running: 3 }, []],
  [{ depth: 2, running: 3 }, []],
  [{ depth: 100, running: 0 }, [4]],
  [{ depth: 100, running: 3 }, [1]],
  [{ depth: 100, running: 4 }, []],
  [{ depth: 3, running: 0, jobsEach: 2 }, [2]],
  [{ depth: 2, running: 0, jobsEach: 2 }, [1]],
])('for %j starts %j', async (state, expected) => {
  expect(await dispatched(state)).toEqual({ asked: expected, errors: [] });
});

it('tells the operator when not all could be started', async () => {
  expect(await dispatched({ depth: 3, running: 0, startable: 1 })).toEqual({
    asked: [3],
    errors: ['not all workers could be started; the next look tries again'],
  });
});
