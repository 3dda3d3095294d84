import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Of the run of tests, if there is one (test/support/run-folder.ts): what one of its processes bundles is there for all. */
const folderOfRun = process.env['SVC_TEST_RUN'];
// Inside node_modules, so that packages left out of the bundle are found from there.
const folder = folderOfRun ?? fileURLToPath(new URL('../../../node_modules/.cache/svc-threads', import.meta.url));

const bundled = new Map<string, Promise<URL>>();

/**
 * Bundles a thread's program from source, as `scripts/build.mjs` does for the product; once per run of tests.
 * Beside it goes the engine's own thread, which the program may start.
 */
export async function bundleThread(name: string, source: URL): Promise<URL> {
  await once('part-thread', new URL('../node/part-thread.ts', import.meta.url));
  return once(name, source);
}

function once(name: string, source: URL): Promise<URL> {
  const known = bundled.get(name) ?? bundle(name, source);
  bundled.set(name, known);
  return known;
}

async function bundle(name: string, source: URL): Promise<URL> {
  const shared = join(folder, `${name}.mjs`);
  if (folderOfRun !== undefined && existsSync(shared)) return pathToFileURL(shared);
  await mkdir(folder, { recursive: true });
  const own = join(folder, `${name}.${process.pid}.${Date.now()}.mjs`);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: own,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@electric-sql/pglite', '@electric-sql/pglite/*', '@node-rs/argon2', 'pino'],
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  // Several test processes bundle at once: the last complete one stays.
  await rename(own, shared);
  return pathToFileURL(shared);
}
