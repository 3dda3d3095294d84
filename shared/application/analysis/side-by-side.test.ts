import { expect, it } from 'vitest';
import { sideBySide } from './side-by-side.ts';

const never = new AbortController().signal;
const stopped = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

it.each([1, 2, 3, 9])('gives results in the order of the tasks, %i at a time', async (slots) => {
  let running = 0;
  let most = 0;
  const tasks = [4, 1, 3, 0, 2].map((turns) => async () => {
    most = Math.max(most, (running += 1));
    for (let turn = 0; turn <= turns; turn += 1) await Promise.resolve();
    running -= 1;
    return turns;
  });
  expect(await sideBySide(tasks, slots, never)).toEqual([4, 1, 3, 0, 2]);
  expect(most).toBe(Math.min(slots, 5));
});

it('tells the others to stop when one rejects, waits for them and begins no more', async () => {
  const log: string[] = [];
  const tasks = [
    async (stop: AbortSignal) => stopped(stop).finally(() => log.push('stopped')),
    async () => Promise.reject(new Error('lost')),
    async () => log.push('begun'),
  ];
  await expect(sideBySide(tasks, 2, never)).rejects.toThrow('lost');
  expect(log).toEqual(['stopped']);
});

it('passes on the stop that it is given', async () => {
  const stop = new AbortController();
  const ended = sideBySide([stopped, stopped], 2, stop.signal);
  stop.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
});
