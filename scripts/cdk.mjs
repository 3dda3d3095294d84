// npm run cdk -- synth | diff | deploy --all | destroy …: the AWS CDK on infra/, with what it deploys built before.
import { join } from 'node:path';
import { ensureInstalled, root, run } from './install.mjs';

ensureInstalled();
ensureInstalled('infra');
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('functions', 'web', 'server', 'worker', 'images');
const cdk = join(root, 'infra/node_modules/.bin', process.platform === 'win32' ? 'cdk.cmd' : 'cdk');
run(cdk, process.argv.slice(2), {
  cwd: join(root, 'infra'),
  env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
});
