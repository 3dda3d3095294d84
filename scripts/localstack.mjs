// npm run localstack: the AWS mode on this machine, its servers by Docker or without (docs/localstack.md).
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { bundleProgram } from './bundled.mjs';
import { fail } from './install.mjs';
import { programsFor } from './programs.mjs';

const inDocker = [['info'], ['compose', 'version']].every((args) => spawnSync('docker', args).status === 0);
if (!inDocker) {
  const { DATABASE_URL, KV_URL } = process.env;
  const servers = [...(DATABASE_URL ? [] : ['postgres']), ...(KV_URL ? [] : ['redis'])];
  const programs = await programsFor(['s3', 'dynamodb', ...servers]);
  const missing = Object.entries(programs).filter(([variable]) => variable.startsWith('SKIP_'));
  if (missing.length > 0) fail(`Neither Docker nor what replaces it:\n${missing.map(([, why]) => why).join('\n')}`);
  Object.assign(process.env, programs);
}
// In this process, so that a signal reaches what has to stop in order.
const { runLocalStack } = await import(pathToFileURL(await bundleProgram('localstack/main.ts')).href);
await runLocalStack({ inDocker });
