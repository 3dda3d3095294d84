// Programs that some suites need beside Node.js: each is found, or installed from Debian's packages where this
// account may.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const postgresFolder = '/usr/lib/postgresql';

/** A suite's program: where it may be told, what it is called, what brings it. */
const programs = {
  chromium: {
    variable: 'CHROMIUM_PATH',
    skip: 'SKIP_BROWSER_TESTS',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    packages: ['chromium', 'fonts-dejavu-core'],
  },
  postgres: {
    variable: 'POSTGRES_PATH',
    skip: 'SKIP_POSTGRES_TESTS',
    names: ['postgres'],
    // Debian keeps it off the PATH, the newest last.
    folders: () =>
      (existsSync(postgresFolder) ? readdirSync(postgresFolder).sort().reverse() : []).map((version) =>
        join(postgresFolder, version, 'bin'),
      ),
    packages: ['postgresql'],
  },
  redis: {
    variable: 'REDIS_SERVER_PATH',
    skip: 'SKIP_REDIS_TESTS',
    names: ['redis-server', 'valkey-server'],
    packages: ['redis-server'],
  },
};

function find({ variable, names, folders }) {
  if (process.env[variable]) return process.env[variable];
  const places = [...(process.env.PATH ?? '').split(delimiter), ...(folders?.() ?? [])];
  return names.flatMap((name) => places.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

function install(packages) {
  const options = {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

/**
 * Environment for the suites: the path of each program in its variable, or in its skip variable a sentence
 * saying why there is none.
 */
export function programsFor(names = Object.keys(programs)) {
  const lacking = names.filter((name) => !find(programs[name]));
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  if (lacking.length > 0 && mayInstall) {
    process.stderr.write(`Installing ${lacking.join(', ')} for the tests (apt-get) …\n`);
    install(lacking.flatMap((name) => programs[name].packages));
  }
  const entries = names.map((name) => {
    const { variable, skip } = programs[name];
    const path = find(programs[name]);
    if (path) return [variable, path];
    return [
      skip,
      mayInstall ? `apt-get could not install ${name}` : `no ${name} on the PATH (set ${variable}, or install it)`,
    ];
  });
  return Object.fromEntries(entries);
}
