import type * as Bundler from '../testing/bundle-thread.ts';

/** Entry files of the threads; each is bundled under its name beside the program's own bundle. */
export type ThreadName = 'database-thread' | 'engine-thread';

const sources: Readonly<Record<ThreadName, string>> = {
  'database-thread': '../postgres/database-thread.ts',
  'engine-thread': './engine-thread.ts',
};

/**
 * Where a thread's program lies. Node.js 20 cannot run TypeScript, so a program that runs from source
 * (the tests) bundles the thread first.
 */
export async function threadEntry(name: ThreadName): Promise<URL> {
  if (!import.meta.url.endsWith('.ts')) return new URL(`./${name}.mjs`, import.meta.url);
  // Not a literal, so that bundlers leave it alone.
  const bundler = new URL('../testing/bundle-thread.ts', import.meta.url).href;
  const { bundleThread } = (await import(bundler)) as typeof Bundler;
  return bundleThread(name, new URL(sources[name], import.meta.url));
}
