import type { Asker } from '@svc/application/ports/password-hasher.ts';
import { expect, it } from 'vitest';
import { HashingLane } from './hashing-lane.ts';

/** A lane whose work ends when it is told to; `begun` names it in the order in which it began. */
function lane(places: number) {
  const hashing = new HashingLane({ places, waiting: { known: 3, stranger: 2 } });
  const begun: string[] = [];
  const ends = new Map<string, (fails?: boolean) => void>();
  const ask = (name: string, asker: Asker): Promise<unknown> =>
    hashing.run(asker, () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) =>
        ends.set(name, (fails = false) => (fails ? reject(new Error('x')) : resolve())),
      );
    });
  /** Lets what waits for nothing else go on. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string, fails = false): Promise<void> => (ends.get(name)!(fails), void (await settled()));
  return { ask, begun, end, settled };
}

it('leaves a place to the known, who go first', async () => {
  const { ask, begun, end, settled } = lane(2);
  const all = [ask('s1', 'stranger'), ask('s2', 'stranger'), ask('k1', 'known'), ask('k2', 'known')];
  await settled();
  expect(begun).toEqual(['s1', 'k1']);
  await end('s1');
  expect(begun).toEqual(['s1', 'k1', 'k2']);
  await end('k1');
  expect(begun).toEqual(['s1', 'k1', 'k2', 's2']);
  await end('k2');
  await end('s2');
  await Promise.all(all);
});

it('refuses who comes when too many wait, each kind for itself', async () => {
  const { ask, begun, end, settled } = lane(1);
  const waiting = ['s1', 's2', 's3'].map((name) => ask(name, 'stranger'));
  await expect(ask('s4', 'stranger')).rejects.toMatchObject({ code: 'busy' });
  waiting.push(...['k1', 'k2', 'k3'].map((name) => ask(name, 'known')));
  await expect(ask('k4', 'known')).rejects.toMatchObject({ code: 'busy' });
  await settled();
  for (const name of ['s1', 'k1', 'k2', 'k3', 's2', 's3']) await end(name);
  await Promise.all(waiting);
  expect(begun).toEqual(['s1', 'k1', 'k2', 'k3', 's2', 's3']);
});

it('gives the place of work that fails to the next', async () => {
  const { ask, begun, end, settled } = lane(1);
  const [first, next] = [ask('k1', 'known'), ask('k2', 'known')];
  const ended = Promise.allSettled([first]);
  await settled();
  await end('k1', true);
  expect(await ended).toMatchObject([{ status: 'rejected', reason: new Error('x') }]);
  expect(begun).toEqual(['k1', 'k2']);
  await end('k2');
  await next;
});
