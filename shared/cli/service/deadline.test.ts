import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Deadline } from './deadline.ts';

it('follows the signal that it is given', () => {
  const stop = new AbortController();
  const deadline = new Deadline(stop.signal, 60_000);
  expect(deadline.signal.aborted).toBe(false);
  stop.abort(new Error('enough'));
  expect(deadline.signal.reason).toEqual(new Error('enough'));
  expect(new Deadline(stop.signal, 60_000).signal.aborted).toBe(true);
  deadline.end();
});

it('aborts when nothing has moved for so long, and not after its end', async () => {
  const { signal } = new AbortController();
  const late = new Deadline(signal, 20);
  const ended = new Deadline(signal, 20);
  ended.end();
  await sleep(200);
  expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' });
  expect(ended.signal.aborted).toBe(false);
});
