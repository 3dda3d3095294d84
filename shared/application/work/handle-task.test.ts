import { overriding } from '@svc/adapters/testing/overriding.ts';
import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { receivedAnalysis, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { analysisKey, taskKinds, type Task } from '@svc/contracts/tasks.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import type { Lease } from '../ports/task-queue.ts';
import { fieldsOf, handleTask } from './handle-task.ts';

let test: TestPorts;
let ports: Ports;
const begun: string[] = [];
let ends: () => Promise<number> = async () => 1;
beforeAll(async () => {
  test = await openTestPorts({ leaseSeconds: 1, deployment: { heartbeatSeconds: 0.3 } });
}, 60_000);
beforeEach(async () => {
  await test.reset();
  begun.length = 0;
  ends = async () => 1;
  ports = {
    ...test.ports,
    apiTokens: overriding(test.ports.apiTokens, {
      removeRevoked: async () => {
        begun.push('token-prune');
        return ends();
      },
    }),
  };
});
afterAll(() => test.close());

const prune: Task = { kind: 'token-prune' };
const manner = { leave: new AbortController().signal };

async function received(): Promise<Lease> {
  const lease = await ports.tasks.receive({ worker: 'w', waitMs: 0 });
  if (!lease) throw new Error('nothing was received');
  return lease;
}

/** With delays that nobody has to wait for, and what they were. */
function hurried(): { ports: Ports; delays: number[]; buried: [string, string][] } {
  const delays: number[] = [];
  const buried: [string, string][] = [];
  const tasks = overriding(ports.tasks, {
    release: (lease, how) => {
      delays.push(how.delaySeconds);
      return ports.tasks.release(lease, { ...how, delaySeconds: 0 });
    },
  });
  const ledger = overriding(ports.ledger, {
    bury: (key, reason) => {
      buried.push([key, reason]);
      return ports.ledger.bury(key, reason);
    },
  });
  return { ports: { ...ports, tasks, ledger }, delays, buried };
}

it('does a task and forgets it', async () => {
  await ports.tasks.enqueue(prune);
  expect(await handleTask(ports, await received(), manner)).toBe('finished');
  expect(begun).toEqual(['token-prune']);
  expect(await ports.ledger.state('token-prune')).toBeNull();
});

it('analyses a job', async () => {
  const id = await submitLog(ports, { kind: 'anonymous', ip: '192.0.2.1' });
  expect(await handleTask(ports, await received(), manner)).toBe('finished');
  expect((await ports.jobs.get(id))?.job.status).toBe('completed');
});

it('tries a failed task again after its delays, then gives it up and says why', async () => {
  ends = () => Promise.reject(new Error('no database'));
  const { ports: own, delays, buried } = hurried();
  await ports.tasks.enqueue(prune);
  expect(await handleTask(own, await received(), manner)).toBe('waits');
  expect(await handleTask(own, await received(), manner)).toBe('waits');
  expect(buried).toEqual([]);
  expect(await handleTask(own, await received(), manner)).toBe('finished');
  expect(delays).toEqual([...taskKinds['token-prune'].retryDelays]);
  expect(buried).toEqual([['token-prune', 'no database']]);
  expect(await ports.ledger.state('token-prune')).toBeNull();
});

it('does not begin what has ended its process as often as it may be begun', async () => {
  const { ports: own, buried } = hurried();
  await ports.tasks.enqueue(prune);
  for (let died = 0; died < taskKinds['token-prune'].attempts; died += 1) {
    await received();
    await ports.ledger.dropLeases();
  }
  expect(await handleTask(own, await received(), manner)).toBe('finished');
  expect(begun).toEqual([]);
  expect(buried).toEqual([['token-prune', 'its process ended 3 times']]);
});

it('shows signs of life for as long as the work takes', async () => {
  const beats: number[] = [];
  const tasks = overriding(ports.tasks, {
    extend: (lease) => {
      beats.push(1);
      return ports.tasks.extend(lease);
    },
  });
  ends = () => sleep(1000, 0);
  await ports.tasks.enqueue(prune);
  await handleTask({ ...ports, tasks }, await received(), manner);
  expect(beats.length).toBeGreaterThanOrEqual(2);
});

it('does to its end what cannot be cancelled, and stops an analysis that nobody wants any more', async () => {
  await ports.tasks.enqueue(prune);
  ends = async () => {
    await ports.ledger.remove('token-prune');
    await sleep(700);
    begun.push('ended');
    return 1;
  };
  expect(await handleTask(ports, await received(), manner)).toBe('finished');
  expect(begun).toEqual(['token-prune', 'ended']);

  const id = await submitLog(ports, { kind: 'anonymous', ip: '192.0.2.1' });
  test.engine.behave = async (_input, { signal }) => {
    await ports.ledger.remove(analysisKey(id));
    await sleep(10_000, undefined, { signal });
    throw new Error('it went on');
  };
  expect(await handleTask(ports, await receivedAnalysis(ports), manner)).toBe('waits');
});

it('keeps a task of a kind that only a later version knows, and counts no attempt', async () => {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void lines.push(message) };
  const { ports: own, delays } = hurried();
  // As such a version would queue it.
  await ports.tasks.enqueue({ kind: 'run_hunt', huntId: 7 } as unknown as Task, { key: 'run_hunt:7', lane: 'prompt' });
  const lease = await received();
  expect(lease.task).toEqual({ kind: 'unknown', stored: { kind: 'run_hunt', huntId: 7 } });
  expect(fieldsOf(lease)).toEqual({ task: 'unknown', task_key: 'run_hunt:7' });
  expect(await handleTask({ ...own, log }, lease, manner)).toBe('waits');
  expect(delays).toEqual([300]);
  expect(lines).toHaveLength(1);
  expect(await ports.ledger.state('run_hunt:7')).toEqual({ attempts: 0, held: false });
});
