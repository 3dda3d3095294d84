import { threadEntry as entryOf } from '@svc/engine/node';
import threads from './threads.json' with { type: 'json' };

/** Programs of threads, from the root; each is bundled under its name beside the program's own bundle. */
export type ThreadName = keyof typeof threads;

/** Where a thread's program lies. */
export function threadEntry(name: ThreadName): Promise<URL> {
  return entryOf(name, new URL(`../../../${threads[name]}`, import.meta.url));
}
