import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isReady, readiness } from './readiness.ts';

it('outlives a start that takes long and that nobody asks about meanwhile', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): number => unheard.push(reason);
  process.on('unhandledRejection', hear);
  const ready = readiness(new Promise(() => undefined), 1);
  await sleep(20);
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
  expect(await isReady({ ready })).toBe(false);
});
