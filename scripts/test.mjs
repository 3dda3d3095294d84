// npm test: install what is missing, check, build, and run every suite that this machine can run.
//   npm test                      everything
//   npm test -- shared/engine     the tests whose path contains this, without the checks
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { installsNode, nodeOfImages } from './base-image.mjs';
import { ensureInstalled, fail, root, run, tool } from './install.mjs';

/** Gets a quarter of what a process without it gets. */
const behindOthers = 5;

// In a process of its own, since what follows waits for the processor and this for the network.
const lookingForPrograms = programsMeanwhile();
ensureInstalled();
ensureInstalled('infra');
const { ensureBuilt } = await import('./build.mjs');
const filters = process.argv.slice(2);
// Beside the builds, since each of both leaves a core idle much of the time.
const checking =
  filters.length === 0 && spawn(process.execPath, ['scripts/check.mjs'], { cwd: root, stdio: 'inherit' });
const checked = checking ? ended(checking) : 0;
await ensureBuilt('web', 'server', 'worker', 'images', 'cli', 'functions', 'api-docs');
const fault = await checked;
if (fault) process.exit(fault);

const programs = await lookingForPrograms;
const missing = Object.entries(programs).filter(([variable]) => variable.startsWith('SKIP_'));
if (process.env.CI && missing.length > 0) fail(missing.map((pair) => pair.join(': ')).join('\n'));
const env = { ...process.env, NODE_NO_WARNINGS: '1', ...programs };
const shown = { cwd: root, stdio: 'inherit', env };

// Lambda and the images run on Node.js 24: what goes there is tested on it too, beside all else, as far as it asks
// Node.js for something (decision 141).
const onNode24 = ['functions', 'shared/engine/node', 'shared/engine/readers', 'shared/engine/sigma'];
const notOnNode24 = /\.integration\.test\.ts$|\/(damaged-\w+|json-plans|windows-sources)\.test\.ts$/;
const node24 = process.env.CI && process.platform === 'linux' && process.arch === 'x64' ? installedNode24() : null;
const results = 'dist/test-results.json';
// What one project of tests has translated, the processes of all read (decision 144). Not kept for the next run, which
// may find other files under the same names.
const translated = 'dist/test-modules';
const sharing = ['--experimental.fsModuleCache', `--experimental.fsModuleCachePath=${translated}`];
rmSync(join(root, translated), { recursive: true, force: true });
const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const vitest = ['run', ...reporting, ...sharing, ...filters];
const main = ended(spawn(tool('vitest'), vitest, shown));
const statuses = await Promise.all([main, node24 && testsOn(node24)]);
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(join(root, results), 'utf8'));
process.stdout.write(`Tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
process.exit(statuses.find(Boolean) ?? 0);

function installedNode24() {
  run('npm', installsNode);
  return nodeOfImages;
}

/**
 * Runs what goes to Lambda and the images on another Node.js, with what the other tests leave of the processors while
 * they wait, so with more patience. Tells the exit status, and shows only what failed.
 */
async function testsOn(node) {
  const tests = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--maxWorkers=1',
    '--testTimeout=300000',
  ];
  const files = onNode24
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)))
    .filter((path) => path.endsWith('.test.ts') && !notOnNode24.test(path));
  const child = spawn(node, [...tests, 'shared/engine/analyze.test.ts', ...files], {
    ...shown,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) setPriority(child.pid, behindOthers);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const status = await ended(child);
  process.stdout.write(status === 0 ? 'Functions and engine passed on Node.js 24, too\n' : said);
  return status;
}

/** Exit status of a process. */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
}

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
