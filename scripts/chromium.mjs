// Finds Chromium for the browser tests, or installs Debian's where this account may.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function find() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Path of a Chromium, or a sentence saying why there is none. */
export function ensureChromium() {
  const found = find();
  if (found) return { path: found };
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return { missing: 'no Chromium on the PATH (set CHROMIUM_PATH, or install it)' };
  }
  process.stderr.write('Installing Chromium for the browser tests (apt-get) …\n');
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], options);
  const installed = find();
  return installed ? { path: installed } : { missing: 'apt-get could not install chromium' };
}
