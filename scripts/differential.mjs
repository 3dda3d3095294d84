// npm run differential: compares the engine's findings with those of the programs on this machine (docs/engine-differences.md).
//   npm run differential -- [--reuse] [--list TEXT]
import { join } from 'node:path';
import { ensureInstalled, root, run } from './install.mjs';

ensureInstalled();
const { build } = await import('esbuild');
await build({
  absWorkingDir: root,
  entryPoints: ['test/differential/main.ts'],
  outfile: 'dist/bench/differential.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
});
run(process.execPath, [join(root, 'dist/bench/differential.mjs'), ...process.argv.slice(2)]);
