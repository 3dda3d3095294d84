import { overriding } from '@svc/adapters/testing/overriding.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let queued: string[] = [];
let woken = 0;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(async () => {
  await test.reset();
  queued = [];
  woken = 0;
});
afterAll(() => test.close());

function portsWith(lanes: Ports['deployment']['lanes']): Ports {
  const { ports } = test;
  const tasks = overriding(ports.tasks, {
    enqueue: (jobId, lane) => {
      queued.push(lane);
      return ports.tasks.enqueue(jobId, lane);
    },
  });
  const wake = async (): Promise<void> => {
    woken += 1;
    throw new Error('there is no such function');
  };
  return { ...ports, tasks, launcher: { ...ports.launcher, wake }, deployment: { ...ports.deployment, lanes } };
}

function submit(ports: Ports, sizeBytes: number): Promise<number> {
  return submitLog(ports, visitor, { content: 'ElfFile\0'.padEnd(sizeBytes) });
}

it('goes by lane, and has workers started for the heavy one; a failure to do so is only slower', async () => {
  const ports = portsWith({ fastMaxBytes: 100 });
  await submit(ports, 100);
  expect([queued, woken]).toEqual([['fast'], 0]);
  await submit(ports, 101);
  expect([queued, woken]).toEqual([['fast', 'heavy'], 1]);
  expect(await ports.ledger.depth('heavy')).toBe(2);
});

it('costs nothing where one queue has all', async () => {
  const ports = portsWith(null);
  const workflows = overriding(ports.workflows, { tasks: () => Promise.reject(new Error('nobody should ask')) });
  await submit({ ...ports, workflows }, 1000);
  expect([queued, woken]).toEqual([['fast'], 0]);
});
