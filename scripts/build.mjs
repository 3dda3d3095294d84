// Builds the parts of the product into dist/; a part whose inputs did not change is left alone.
//   node scripts/build.mjs [--only api-docs|cli|functions|images|server|web|worker] [--force]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildApiDocs } from './api-docs.mjs';
import { bundleFunctions } from './bundle-functions.mjs';
import { threadsNamed } from './bundled.mjs';
import { runInBuild, withEnding } from './ending.mjs';
import { unbundled, writeImagePackages } from './image-packages.mjs';
import { ensureInstalled, fail, root, tool } from './install.mjs';
import { modulesIn, noteThirdParty } from './third-party.mjs';

/** Whether anything was bundled in this process. */
let hasBundled = false;

const shared = [
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/third-party.mjs',
  'shared/domain',
  'shared/contracts',
  'shared/engine',
];

/** Tells apart the rules that different engines have compiled. */
const engineOf = () => ({
  'globalThis.svcEngine': `"${hashOf(filesOf(['package-lock.json', 'shared/engine']), (path) => readFileSync(path))}"`,
});

const parts = {
  server: {
    inputs: [...shared, 'shared/application', 'shared/adapters', 'shared/cli', 'config', 'functions', 'containers'],
    build: () =>
      bundle('dist/server', {
        main: 'containers/gateway/main.ts',
        admin: 'shared/cli/admin/main.ts',
        doctor: 'shared/cli/doctor/main.ts',
        ...threadsNamed('database', 'digest', 'engine', 'part', 'rules', 'trial'),
      }),
  },
  worker: {
    inputs: [...shared, 'shared/application', 'shared/adapters', 'config', 'containers/worker'],
    build: () =>
      bundle('dist/worker', {
        main: 'containers/worker/main.ts',
        migrate: 'containers/worker/migrate.ts',
        'move-database': 'containers/worker/move-database.ts',
        prepare: 'containers/worker/prepare.ts',
        ...threadsNamed('database', 'digest', 'engine', 'part', 'rules', 'trial'),
      }),
  },
  cli: {
    inputs: [...shared, 'shared/application', 'shared/cli'],
    build: (builtFrom) =>
      bundle(
        'dist/cli',
        { main: 'shared/cli/main.ts', ...threadsNamed('part') },
        { 'globalThis.svcBuild': `"${builtFrom}"` },
        { program: 'shared/cli/program.ts' },
      ),
  },
  functions: {
    inputs: [
      ...shared,
      'scripts/bundle-functions.mjs',
      'package.json',
      'shared/application',
      'shared/adapters',
      'config',
      'functions',
    ],
    build: () => bundleFunctions(engineOf()),
  },
  images: {
    inputs: ['package-lock.json', 'scripts/image-packages.mjs'],
    build: writeImagePackages,
  },
  web: {
    inputs: [...shared, 'frontend'],
    build: async () => {
      // Whoever runs the build may have another in the environment, as tests do, which bundles React's development code.
      const env = { ...process.env, NODE_ENV: 'production' };
      await runInBuild(tool('vite'), ['build', 'frontend', '--logLevel', 'warn'], { cwd: root, env });
      const modules = JSON.parse(readFileSync(join(root, 'dist/packages/web-modules.json'), 'utf8'));
      noteThirdParty('web', join(root, 'dist/web'), modules);
    },
  },
  'api-docs': {
    inputs: ['scripts/api-docs.mjs', 'containers/gateway/api-docs'],
    build: buildApiDocs,
    // Pages for developers; everything else works without them.
    isOptional: true,
  },
};

// `debug` colours what it writes where this happens to be installed; what ships does not depend on that.
const external = [...unbundled, '@electric-sql/pglite/*', 'supports-color'];

/** @param scripts are bundled as CommonJS, the only kind of program whose compiled code can be kept by itself. */
async function bundle(outdir, entryPoints, define = {}, scripts = {}) {
  const { build } = await import('esbuild');
  const [finished, unfinished] = [join(root, outdir), join(root, `${outdir}.${process.pid}`)];
  const common = {
    absWorkingDir: root,
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported when it is needed stays a file of its own, and no start waits for it.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false,
    external,
    define: { ...engineOf(), ...define },
    metafile: true,
    logLevel: 'warning',
    // Bundled CommonJS packages still call require for Node's built-ins.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
  };
  const metafiles = [];
  // One by one, as what programs share would lie apart from each: the engine is slower in pieces.
  for (const [name, path] of Object.entries(entryPoints)) {
    const { metafile } = await build({ ...common, entryPoints: { [name]: path } });
    metafiles.push(metafile);
  }
  for (const [name, path] of Object.entries(scripts)) {
    const { metafile } = await build({
      ...common,
      entryPoints: { [name]: path },
      outExtension: { '.js': '.cjs' },
      splitting: false,
      format: 'cjs',
      define: { ...common.define, 'import.meta.url': '$url' },
      banner: { js: "const $url = require('node:url').pathToFileURL(__filename).href;" },
    });
    metafiles.push(metafile);
  }
  noteThirdParty(basename(outdir), unfinished, metafiles.flatMap(modulesIn));
  // Put in place whole, so that a running service finds either the old files or the new ones.
  rmSync(finished, { recursive: true, force: true });
  renameSync(unfinished, finished);
}

/** Paths below the root of all files that a part is built from, in the same order each time. */
function filesOf(inputs) {
  const below = (path) => {
    if (!statSync(join(root, path)).isDirectory()) return /\.test\.(ts|tsx|json)$/.test(path) ? [] : [path];
    const names = readdirSync(join(root, path)).sort();
    return names
      .filter((name) => name !== 'node_modules' && name !== 'dist')
      .flatMap((name) => below(`${path}/${name}`));
  };
  return inputs.flatMap(below);
}

/** Hash of what `of` says of each file. */
function hashOf(files, of) {
  const hash = createHash('sha256');
  for (const path of files)
    hash
      .update(`${path}\0`)
      .update(of(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

function stateOf(path) {
  const { size, mtimeMs, ctimeMs } = statSync(path);
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

function readIfAny(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Builds those of the named parts whose inputs changed since they were last built; nothing of that runs on. */
export async function ensureBuilt(...names) {
  await withEnding(() => buildChanged(names), stopBundler);
}

/** Ends the bundler's service process, which would stay with more than 100 MB; none is started for it. */
async function stopBundler() {
  if (hasBundled) await (await import('esbuild')).stop();
}

async function buildChanged(names) {
  for (const name of names) {
    const part = parts[name];
    const stamp = join(root, 'dist', `.${name}-built-from`);
    // Files as large and as old as when they were last read need not be read.
    const seen = join(root, 'dist', `.${name}-seen`);
    const files = filesOf(part.inputs);
    const state = hashOf(files, stateOf);
    if (existsSync(stamp) && readIfAny(seen) === state) continue;
    const now = hashOf(files, (path) => readFileSync(path));
    if (readIfAny(stamp) === now) {
      writeFileSync(seen, state);
      continue;
    }
    process.stderr.write(`Building ${name} …\n`);
    hasBundled = true;
    rmSync(stamp, { force: true });
    rmSync(seen, { force: true });
    try {
      await part.build(now);
    } catch (error) {
      if (!part.isOptional) throw error;
      process.stderr.write(`Left out ${name}: ${error.message}.\n`);
      continue;
    }
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stamp, now);
    writeFileSync(seen, state);
  }
}

if (process.argv[1]?.endsWith('build.mjs')) {
  const args = process.argv.slice(2);
  const at = args.indexOf('--only');
  const names = at < 0 ? Object.keys(parts) : [args[at + 1]];
  if (names.some((name) => !Object.hasOwn(parts, name))) fail(`--only takes one of ${Object.keys(parts).join(', ')}`);
  ensureInstalled();
  if (args.includes('--force'))
    for (const name of names) rmSync(join(root, 'dist', `.${name}-built-from`), { force: true });
  await ensureBuilt(...names);
}
