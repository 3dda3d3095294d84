// npm run bench: prints the engine's figures on this machine. Rules and logs: the shared data beside
// the repository when it is there, else the shipped rules and samples.
//   npm run bench -- [FILE.evtx …]

import { join } from 'node:path';
import { ensureInstalled, root, run } from './install.mjs';

ensureInstalled();
const { build } = await import('esbuild');
await build({
  absWorkingDir: root,
  entryPoints: ['test/load/engine-bench.ts'],
  outfile: 'dist/bench/engine-bench.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
});
run(process.execPath, ['--expose-gc', join(root, 'dist/bench/engine-bench.mjs'), ...process.argv.slice(2)]);
