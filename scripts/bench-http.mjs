// npm run bench:http: submissions, statuses and one large upload over HTTP, on this machine (docs/bench.md).
//   npm run bench:http -- [--files N] [--megabytes N]
import { ensureInstalled } from './install.mjs';
import { runBundled } from './bundled.mjs';
import { programsFor } from './programs.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('server');
Object.assign(process.env, await programsFor(['postgres', 'redis']));
await runBundled('test/load/http-bench.ts');
