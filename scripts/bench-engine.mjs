// npm run bench:engine: how fast the engine reads and matches each kind of log here, beside the targets (docs/bench.md).
//   npm run bench:engine -- [--only KIND]… [--passes N] [--megabytes N]
import { ensureBuilt } from './build.mjs';
import { runBundled } from './bundled.mjs';
import { ensureInstalled } from './install.mjs';

ensureInstalled();
await ensureBuilt('cli');
await runBundled('test/load/engine-bench.ts');
