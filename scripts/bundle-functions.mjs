// Bundles the Lambda functions of config/functions.json into dist/functions/<name>, ready to be deployed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadsNamed } from './bundled.mjs';
import { root } from './install.mjs';
import { modulesIn, noteThirdParty } from './third-party.mjs';

/** Bundle name → entry file. */
export const functions = JSON.parse(readFileSync(join(root, 'config/functions.json'), 'utf8'));

const migrations = 'shared/adapters/postgres/migrations';

/** What an operator edits, beside every entry: small, and the workflows mark the root. */
const settings = readdirSync(join(root, 'config'))
  .filter((name) => name.endsWith('.yaml') || name === 'workflows')
  .map((name) => `config/${name}`);

/** What else lies beside an entry because it is read while it runs. */
const files = {
  // Its readiness compares them with the database, as the health report does.
  'api-admin': [migrations],
  'api-submissions': ['config/samples'],
  'api-system': [migrations],
  'queue-analyze': ['config/sigma'],
};

/** Threads that an entry starts; each is a program of its own. */
const threads = {
  'api-report': threadsNamed('trial'),
  'api-rules': threadsNamed('rules', 'trial'),
  'queue-analyze': threadsNamed('digest', 'engine', 'part', 'rules', 'trial'),
  'queue-maintenance': threadsNamed('rules'),
};

/** Entries that hash or check passwords. */
const hashing = new Set(['api-admin', 'api-auth']);

/** The one package with native code, as Lambda's machines need it. */
const native = '@node-rs/argon2';

/** Swaps modules for smaller ones that do all a function needs. */
const withoutDeadWeight = {
  name: 'without-dead-weight',
  setup({ onLoad }) {
    // The embedded database needs a disk of its own, which no function has.
    onLoad({ filter: /shared\/adapters\/postgres\/local-database\.ts$/ }, () => ({ contents: noEmbeddedDatabase }));
    // Sentences of zod in forty languages; ours are English.
    onLoad({ filter: /node_modules\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

const noEmbeddedDatabase = `
  export class LocalDatabase {
    constructor() {
      throw new Error('DATABASE_URL is not set, and functions have no embedded database');
    }
  }`;

const common = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // What is imported when it is needed stays a file of its own, and no cold start reads it.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  // Drizzle tells a pool by the name of its class.
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // `debug` colours what it writes where this happens to be installed; what ships does not depend on that.
  external: [native, 'supports-color'],
  plugins: [withoutDeadWeight],
  metafile: true,
  logLevel: 'warning',
  // Bundled CommonJS packages still call require for Node's built-ins.
  banner: {
    js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
  },
};

/** Bundles all functions, with these values for names; each takes the place of its older self when it is whole. */
export async function bundleFunctions(define) {
  const { build } = await import('esbuild');
  const packages = nativePackages();
  const unfinished = join(root, `dist/functions.${process.pid}`);
  for (const [name, entry] of Object.entries(functions)) {
    const folder = join(unfinished, name);
    const modules = [];
    // One by one, as what programs share would lie apart from each.
    for (const [program, path] of Object.entries({ index: entry, ...threads[name] })) {
      const { metafile } = await build({ ...common, define, outdir: folder, entryPoints: { [program]: path } });
      modules.push(...modulesIn(metafile));
    }
    noteThirdParty(`function-${name}`, folder, modules);
    for (const path of [...settings, ...(files[name] ?? [])]) {
      cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.test.ts') });
    }
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, type: 'module' })}\n`);
    if (hashing.has(name)) cpSync(packages, join(folder, 'node_modules'), { recursive: true });
  }
  const finished = join(root, 'dist/functions');
  rmSync(finished, { recursive: true, force: true });
  renameSync(unfinished, finished);
}

/** node_modules with the native package for Linux on arm64, of the lock file's version and checked by its sums. */
function nativePackages() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const kept = Object.entries(lock.packages).filter(([path]) => path.startsWith(`node_modules/${native}`));
  const { version } = lock.packages[`node_modules/${native}`];
  const folder = join(root, `.build/functions-${version}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, '.package-lock.json'))) return modules;
  const manifest = { name: 'native', version: '0.0.0', dependencies: { [native]: version } };
  const packages = { '': manifest, ...Object.fromEntries(kept) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...manifest, lockfileVersion: 3, packages }));
  const args = ['ci', '--os=linux', '--cpu=arm64', '--libc=glibc', '--ignore-scripts', '--loglevel=error'];
  const done = spawnSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) throw new Error(`npm could not fetch ${native} for Linux on arm64`);
  return modules;
}
