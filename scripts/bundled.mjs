// Programs and modules in TypeScript, for the scripts: bundled as they are asked for.
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './install.mjs';

const threads = JSON.parse(readFileSync(join(root, 'shared/adapters/machine/threads.json'), 'utf8'));

/** Entry points of these threads, which lie beside the program that starts them. */
export function threadsNamed(...names) {
  return Object.fromEntries(names.map((name) => [`${name}-thread`, threads[`${name}-thread`]]));
}

/**
 * Path of a program of test/ or localstack/ in JavaScript, until this process ends. What it starts from its own folder
 * by name is given as `beside`.
 */
export async function bundleProgram(entry, beside = []) {
  const { build } = await import('esbuild');
  // A folder of its own for each run, as threads load from it again while another run may be writing.
  const outdir = join(root, `dist/bundled/${basename(entry, '.ts')}-${process.pid}`);
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: entry,
      ...threadsNamed('part', 'database'),
      ...Object.fromEntries(beside.map((path) => [basename(path, '.ts'), path])),
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Helpers of tests that a program shares name the first; the others cannot be bundled.
    external: ['vitest', 'playwright-core', '@electric-sql/pglite', '@electric-sql/pglite/*', '@node-rs/argon2'],
    // Bundled CommonJS packages still call require for Node's built-ins.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
  });
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  return join(outdir, 'main.mjs');
}

/** What the module at this path exports. */
export async function loadModule(path) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
