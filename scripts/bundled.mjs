// Bundles a program of test/ or localstack/ and runs it, with the arguments of this one.
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureInstalled, root, run } from './install.mjs';

/** Runs a TypeScript program of the repository; ends the process when it fails. */
export async function runBundled(entry) {
  run(process.execPath, [await bundleProgram(entry), ...process.argv.slice(2)]);
}

/** Path of the program in JavaScript, until this process ends. */
export async function bundleProgram(entry) {
  ensureInstalled();
  const { build } = await import('esbuild');
  // A folder of its own for each run, as threads load from it again while another run may be writing.
  const outdir = join(root, `dist/bundled/${basename(entry, '.ts')}-${process.pid}`);
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: entry,
      'part-thread': 'shared/engine/node/part-thread.ts',
      'database-thread': 'shared/adapters/postgres/database-thread.ts',
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
