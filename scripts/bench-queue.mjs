// npm run bench:queue: event logs through the AWS mode, over LocalStack on this machine (docs/bench.md).
//   npm run bench:queue -- [--files N] [--workers N]
import { runBundled } from './bundled.mjs';
import { ensureInstalled, fail } from './install.mjs';
import { programsFor } from './programs.mjs';

ensureInstalled();
ensureInstalled('infra');
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('web', 'server', 'worker');
const programs = await programsFor(['s3', 'dynamodb', 'postgres', 'redis']);
const missing = Object.entries(programs).filter(([variable]) => variable.startsWith('SKIP_'));
if (missing.length > 0) fail(missing.map(([, why]) => why).join('\n'));
Object.assign(process.env, programs);
await runBundled('test/load/queue-bench.ts');
