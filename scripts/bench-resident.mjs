// npm run bench:resident: memory of the product on this machine, idle and after many jobs (docs/bench.md).
//   npm run bench:resident -- [--jobs N] [--idle SECONDS]
import { runBundled } from './bundled.mjs';
import { ensureInstalled } from './install.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('web', 'server');
await runBundled('test/load/resident-bench.ts');
