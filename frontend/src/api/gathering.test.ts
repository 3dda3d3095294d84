import { expect, it } from 'vitest';
import { gathering } from './gathering.ts';

it('sends what is asked for at once together, so many at a time, and answers each', async () => {
  const sent: (readonly number[])[] = [];
  const ask = gathering(2, async (values: readonly number[]) => {
    sent.push(values);
    if (values.includes(0)) throw new Error('no');
    return values.map((value) => value * 10);
  });
  const asked = [1, 2, 0, 3, 4].map((value) => ask(value).catch(() => 'refused'));
  expect(await Promise.all(asked)).toEqual([10, 20, 'refused', 'refused', 40]);
  expect(sent).toEqual([[1, 2], [0, 3], [4]]);
  expect(await ask(5)).toBe(50);
  expect(sent).toHaveLength(4);
});
