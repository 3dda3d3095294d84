import { expect, it } from 'vitest';
import { lazy } from './lazy.ts';

class Counter {
  #count = 0;
  async add(by: number): Promise<number> {
    return (this.#count += by);
  }
}

it('is opened once, with the first call, and is the same for all of them', async () => {
  let openings = 0;
  const { port, opened } = lazy<Pick<Counter, 'add'>>(async () => {
    openings++;
    return new Counter();
  });
  // As by a function that gives it to whoever waits.
  expect(await Promise.resolve(port)).toBe(port);
  expect([openings, await opened()]).toEqual([0, undefined]);
  expect(await Promise.all([port.add(1), port.add(2)])).toEqual([1, 3]);
  expect([openings, await opened()]).toEqual([1, expect.any(Counter)]);
});

it('is opened again where that has failed', async () => {
  let isThere = false;
  const { port } = lazy<Pick<Counter, 'add'>>(async () => {
    if (!isThere) throw new Error('not yet');
    return new Counter();
  });
  await expect(port.add(1)).rejects.toThrow('not yet');
  isThere = true;
  expect(await port.add(1)).toBe(1);
});
