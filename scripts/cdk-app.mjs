// The app of cdk.json: installs and builds what the stacks deploy, then writes their templates.
import { ensureInstalled, run, tool } from './install.mjs';

for (const folder of ['.', 'infra']) ensureInstalled(folder);
// What this imports has been installed only now.
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('functions', 'web', 'server', 'worker', 'images');
run(tool('tsx', 'infra'), ['infra/bin/svc.ts']);
