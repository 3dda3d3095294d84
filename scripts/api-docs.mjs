// Swagger UI and Redoc, for the pages /api/docs and /api/redoc. Fetched apart from the other packages: these
// two bring their pages as finished files, and redoc's hundred dependencies would be installed for nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './install.mjs';

const own = join(root, 'containers/gateway/api-docs');
const finished = join(root, 'dist/api-docs');
const packages = join(root, '.build/api-docs');

const pinned = [
  {
    name: 'swagger-ui-dist',
    version: '5.35.0',
    integrity: 'sha512-U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ==',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js'],
  },
  {
    // The last one that sends no usage figures to its makers.
    name: 'redoc',
    version: '2.5.4',
    integrity: 'sha512-M6jWhG1qoBnH6TFmzJnstyCZ87HmOY/UzDm78mHiYihEdlV/YcS9ogOo1NlElnJMeLsyxHFe2yFc4sNjHTrABQ==',
    files: ['bundles/redoc.standalone.js'],
  },
];

/** Puts both pages into dist/api-docs; throws a sentence when the packages cannot be had. */
export function buildApiDocs() {
  const unfinished = `${finished}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const each of pinned) {
      const folder = unpacked(each);
      for (const file of each.files) copyFileSync(join(folder, file), join(unfinished, basename(file)));
    }
    for (const file of ['index.html', 'redoc.html', 'start-redoc.js', 'start-swagger-ui.js']) {
      copyFileSync(join(own, file), join(unfinished, file));
    }
    stayHome(join(unfinished, 'redoc.standalone.js'));
    rmSync(finished, { recursive: true, force: true });
    renameSync(unfinished, finished);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The package as its hash names it, in a folder. */
function unpacked({ name, version, integrity }) {
  const folder = join(packages, `${name}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    // Few attempts: where there is no network, the service should start without these pages, and soon.
    const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'];
    const pack = ['pack', `${name}@${version}`, '--silent', '--pack-destination', partial, ...patience];
    const npm = process.env.npm_execpath;
    const options = { cwd: root, stdio: ['ignore', 'ignore', 2] };
    if (npm) spawnSync(process.execPath, [npm, ...pack], options);
    else spawnSync('npm', pack, { ...options, shell: process.platform === 'win32' });
    const archive = `${name}-${version}.tgz`;
    const content = existsSync(join(partial, archive)) ? readFileSync(join(partial, archive)) : null;
    if (!content) throw new Error(`${name} could not be fetched`);
    if (`sha512-${createHash('sha512').update(content).digest('base64')}` !== integrity) {
      throw new Error(`${name} ${version} is not what it was when it was chosen`);
    }
    const { status } = spawnSync('tar', ['-xzf', archive], { cwd: partial, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`${name} could not be unpacked`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return join(folder, 'package');
}

/** Redoc would load its makers' logo from their host. */
function stayHome(file) {
  const text = readFileSync(file, 'utf8');
  const changed = text.replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,');
  if (changed === text) throw new Error('redoc loads its logo from elsewhere');
  writeFileSync(file, changed);
}
