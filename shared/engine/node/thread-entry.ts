import type * as Bundler from '../testing/bundle-thread.ts';

/**
 * Where a thread's program lies: under its name beside the bundle of the program that starts it. Node.js 20
 * cannot run TypeScript, so a program that runs from source (the tests) bundles the thread first.
 * @param source the thread's entry file.
 */
export async function threadEntry(name: string, source: URL): Promise<URL> {
  if (!import.meta.url.endsWith('.ts')) return new URL(`./${name}.mjs`, import.meta.url);
  // Not a literal, so that bundlers leave it alone.
  const bundler = new URL('../testing/bundle-thread.ts', import.meta.url).href;
  const { bundleThread } = (await import(bundler)) as typeof Bundler;
  return bundleThread(name, source);
}
