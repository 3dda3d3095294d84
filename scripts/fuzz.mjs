// npm run fuzz: gives the engine inputs that nobody means well with, in one thread, and says what it made of them.
//   npm run fuzz -- [--inputs N] [--seconds S] [--reader NAME] [--seed X]
//   npm run fuzz -- --replay FILE     an input that failed, again
import { join } from 'node:path';
import { ensureInstalled, root, run } from './install.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const outfile = join(root, `dist/fuzz/main-${process.pid}.mjs`);
await build({
  absWorkingDir: root,
  entryPoints: ['test/fuzz/main.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
});
run(process.execPath, [outfile, ...process.argv.slice(2)]);
