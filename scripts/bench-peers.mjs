// npm run bench:peers: how long other programs take for what svc does, on the same logs and rules (docs/bench.md).
//   npm run bench:peers -- [FILE.evtx …] [--runs N] [--only NAME]…
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root, run } from './install.mjs';
import { join } from 'node:path';

ensureInstalled();
await ensureBuilt('cli');
const { build } = await import('esbuild');
await build({
  absWorkingDir: root,
  entryPoints: ['test/load/peers-bench.ts', 'test/load/peers-parse.ts'],
  outdir: 'dist/bench',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
});
run(process.execPath, [join(root, 'dist/bench/peers-bench.mjs'), ...process.argv.slice(2)]);
