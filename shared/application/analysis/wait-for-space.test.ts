import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForSpace } from './wait-for-space.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
afterAll(() => test.close());

/** Ports whose store has room from that look on, and what they were told. */
function crowded(looks: number) {
  const said: string[] = [];
  const log = {
    ...test.ports.log,
    warn: (line: string) => void said.push(line),
    info: (line: string) => void said.push(line),
  };
  const objects = overriding(test.ports.objects, { hasRoom: async () => looks-- <= 0 });
  return { ports: { log, objects }, said };
}

it('says nothing where there is room', async () => {
  const { ports, said } = crowded(0);
  await waitForSpace(ports, new AbortController().signal);
  expect(said).toEqual([]);
});

it('waits until there is room, and says so once', async () => {
  const { ports, said } = crowded(5);
  await waitForSpace(ports, new AbortController().signal, 1);
  expect(said).toEqual(['results wait until less of the disk is used', 'results wait no longer']);
});

it('is stopped with its reason', async () => {
  const { ports } = crowded(Infinity);
  const stop = new AbortController();
  const waiting = waitForSpace(ports, stop.signal, 60_000);
  stop.abort(new Error('the worker stops'));
  await expect(waiting).rejects.toThrow('the worker stops');
});
