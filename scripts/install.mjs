// What every command of the project does first: bring node_modules in line with the lock file.
// Runs on a bare Node.js, so it imports nothing but its built-ins.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [major, minor] = process.versions.node.split('.').map(Number);

/** Ends the process with a sentence; for what the user has to put right. */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Runs a command in the repository, its output shown; ends the process when it fails. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (done.error) fail(`Cannot run ${command}: ${done.error.message}`);
  if (done.signal) process.exit(1);
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** Path of a tool that an installed package brings. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}

/** Installs what the lock file of a folder names, unless exactly that is installed already. */
export function ensureInstalled(folder = '.') {
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
  }
  const at = join(root, folder);
  const lock = createHash('sha256')
    .update(readFileSync(join(at, 'package-lock.json')))
    .digest('hex');
  const stamp = join(at, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stderr.write(`Installing packages${folder === '.' ? '' : ` of ${folder}`} (npm install) …\n`);
  const npm = process.env.npm_execpath;
  // Not npm ci: the lock file has the native builds of the machine it was made on, and npm ci refuses
  // to fetch those of another platform. Everything it does name is installed exactly so.
  const args = ['install', '--no-save', '--include=dev', '--loglevel=error'];
  const options = { cwd: at, stdio: ['ignore', 2, 2] };
  if (npm) run(process.execPath, [npm, ...args], options);
  else run('npm', args, { ...options, shell: process.platform === 'win32' });
  writeFileSync(stamp, lock);
}
