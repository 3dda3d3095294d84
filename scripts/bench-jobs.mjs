// npm run bench:jobs: pages of the jobs list at 10,000 and 100,000 jobs, on both databases (docs/bench.md).
//   npm run bench:jobs -- [--jobs N]… [--runs N] [--only pglite|postgres]
import { runBundled } from './bundled.mjs';
import { ensureInstalled } from './install.mjs';
import { programsFor } from './programs.mjs';

ensureInstalled();
Object.assign(process.env, await programsFor(['postgres']));
await runBundled('test/load/jobs-bench.ts');
