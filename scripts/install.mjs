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

/** Path of a tool that a package installed in this folder brings. */
export function tool(name, folder = '.') {
  return join(root, folder, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}

/** Path of a tool that only the check runs; installs those first (see ensureInstalled). */
export function checkTool(name) {
  ensureInstalled('tools');
  return tool(name, 'tools');
}

/** Installs exactly what the lock file of a folder names, its hashes checked, unless that is installed already. */
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
  // Not every mirror of npm's registry lists all platforms' builds of the check's tools, so that their lock cannot name
  // them all, which npm ci asks for. What the lock does name is installed exactly so, and nothing that ships is there.
  const command = folder === 'tools' ? ['install', '--no-save'] : ['ci'];
  process.stderr.write(`Installing packages${folder === '.' ? '' : ` of ${folder}`} (npm ${command[0]}) …\n`);
  const npm = process.env.npm_execpath;
  // The hashes tell whether a copy that this machine has kept is the right one; no registry need be asked for it.
  const args = [...command, '--include=dev', '--prefer-offline', '--loglevel=error'];
  const options = { cwd: at, stdio: ['ignore', 2, 2] };
  if (npm) run(process.execPath, [npm, ...args], options);
  else run('npm', args, { ...options, shell: process.platform === 'win32' });
  writeFileSync(stamp, lock);
}
