// npm run bench:report: the page of a job with very many findings, in headless Chromium (docs/bench.md).
//   npm run bench:report -- [--rules N] [--events N]
import { runBundled } from './bundled.mjs';
import { ensureInstalled } from './install.mjs';
import { programsFor } from './programs.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('server');
await ensureBuilt('web');
Object.assign(process.env, await programsFor(['chromium']));
await runBundled('test/load/report-bench.ts');
