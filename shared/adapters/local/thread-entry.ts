import { threadEntry as entryOf } from '@svc/engine/node';

/** Entry files of the threads; each is bundled under its name beside the program's own bundle. */
export type ThreadName = 'database-thread' | 'digest-thread' | 'engine-thread' | 'rules-thread' | 'trial-thread';

const sources: Readonly<Record<ThreadName, string>> = {
  'database-thread': '../postgres/database-thread.ts',
  'digest-thread': './digest-thread.ts',
  'engine-thread': './engine-thread.ts',
  'rules-thread': './rules-thread.ts',
  'trial-thread': './trial-thread.ts',
};

/** Where a thread's program lies. */
export function threadEntry(name: ThreadName): Promise<URL> {
  return entryOf(name, new URL(sources[name], import.meta.url));
}
