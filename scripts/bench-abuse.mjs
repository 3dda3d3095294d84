// npm run bench:abuse: what honest people notice while others abuse the service (docs/bench.md).
//   npm run bench:abuse -- [--seconds N] [--addresses N] [--only slow|bombs|guesses|readers]…
import { runBundled } from './bundled.mjs';
import { ensureInstalled } from './install.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('web', 'server');
await runBundled('test/load/abuse-bench.ts');
