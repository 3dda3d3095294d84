import { overriding } from '@svc/adapters/testing/overriding.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { submitterKey } from './submitter.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let queued: string[] = [];
let submitters: (string | undefined)[] = [];
let woken = 0;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(async () => {
  await test.reset();
  queued = [];
  submitters = [];
  woken = 0;
});
afterAll(() => test.close());

function portsWith(fastMaxBytes: number): Ports {
  const { ports } = test;
  const tasks = overriding(ports.tasks, {
    enqueue: (task, how) => {
      queued.push(how?.lane ?? '');
      submitters.push(how?.submitter);
      return ports.tasks.enqueue(task, how);
    },
  });
  const wake = async (): Promise<void> => {
    woken += 1;
    throw new Error('there is no such function');
  };
  return { ...ports, tasks, launcher: { ...ports.launcher, wake }, deployment: { ...ports.deployment, fastMaxBytes } };
}

function submit(ports: Ports, sizeBytes: number, actor: Actor = visitor): Promise<number> {
  return submitLog(ports, actor, { content: 'ElfFile\0'.padEnd(sizeBytes) });
}

it('goes by lane, and has workers started for the heavy one; a failure to do so is only slower', async () => {
  const ports = portsWith(100);
  await submit(ports, 100);
  expect([queued, woken]).toEqual([['fast'], 0]);
  await submit(ports, 101);
  expect([queued, woken]).toEqual([['fast', 'heavy'], 1]);
  expect(await ports.ledger.depth('heavy')).toBe(2);
});

it('says who takes turns: an account, or the network of a visitor', async () => {
  const ports = portsWith(100);
  const visitors = [
    '192.0.2.1',
    '192.0.2.2',
    '::ffff:192.0.2.1',
    '2001:db8::1',
    '2001:db8:0:0:ffff::2',
    '2001:db8:0:1::1',
  ];
  for (const ip of visitors) await submit(ports, 50, { kind: 'anonymous', ip });
  const [one, other, mapped, six, sameSix, otherSix] = submitters;
  expect([mapped, sameSix]).toEqual([one, six]);
  expect(new Set([one, other, six, otherSix]).size).toBe(4);
  for (const submitter of submitters) expect(submitter).toMatch(/^[0-9a-f]{6}$/);
  expect(submitterKey('an id', '192.0.2.1')).toBe(submitterKey('an id', '192.0.2.2'));
});
