import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const place = new URL('../testing/priority-thread.ts', import.meta.url);

it.runIf(existsSync('/proc/thread-self'))(
  'puts a thread and those that it starts behind the rest of its process',
  async () => {
    const thread = new Worker(await bundleThread('priority-thread', place));
    const [told] = (await once(thread, 'message')) as [{ before: number; after: number; below: number }];
    const own = niceOf(readFileSync('/proc/self/stat', 'utf8'));
    const behind = Math.min(own + 10, 19);
    expect(told).toEqual({ before: own, after: behind, below: behind });
    await thread.terminate();
  },
);

function niceOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
