// Bundles a program of test/ and runs it, with the arguments of this one.
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureInstalled, root, run } from './install.mjs';

/** Runs a TypeScript program of the repository; ends the process when it fails. */
export async function runBundled(entry, ...nodeOptions) {
  ensureInstalled();
  const { build } = await import('esbuild');
  // A file of its own for each run, as threads load it again while another run may be writing.
  const outfile = join(root, `dist/bundled/${basename(entry, '.ts')}-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  run(process.execPath, [...nodeOptions, outfile, ...process.argv.slice(2)]);
}
