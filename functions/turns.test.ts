import type { AppError } from '@svc/domain';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Turns } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Pieces of work that end when they are told to, and the order in which they began. */
function works(turns: Turns) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (caller: string, name: string): Promise<string> =>
    turns.run(caller, () => {
      began.push(name);
      return new Promise((resolve) => void ends.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { began, ask, end };
}

it('lets so many at once, one of each caller, and callers in turn', async () => {
  const { began, ask, end } = works(new Turns({ atOnce: 2, waitMs: 1000 }));
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => ask(name[0]!, name));
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual(['a1', 'b1']);
  await end('a1');
  expect(began).toEqual(['a1', 'b1', 'a2']);
  await end('b1');
  expect(began).toEqual(['a1', 'b1', 'a2', 'c1']);
  for (const name of ['a2', 'c1', 'b2', 'a3']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
});

it('goes on after work that fails', async () => {
  const turns = new Turns({ atOnce: 1, waitMs: 1000 });
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('b', async () => 1)).toBe(1);
});

it('refuses what waits for too long, and too many of one caller', async () => {
  const { began, ask, end } = works(new Turns({ atOnce: 1, waitMs: 1000 }));
  const first = ask('a', 'first');
  const late = ask('b', 'late').catch(({ code }: AppError) => code);
  await vi.advanceTimersByTimeAsync(1001);
  expect(await late).toBe('busy');
  const waiting = Array.from({ length: 20 }, (_, at) => ask('b', `b${at}`).catch(() => 'refused'));
  await expect(ask('b', 'more')).rejects.toMatchObject({ code: 'busy' });
  await end('first');
  expect([await first, began]).toEqual(['first', ['first', 'b0']]);
  await vi.advanceTimersByTimeAsync(1001);
  await end('b0');
  expect((await Promise.all(waiting)).filter((each) => each === 'refused')).toHaveLength(19);
});
