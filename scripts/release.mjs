// npm run release: what is handed out, in dist/release (docs/releases.md): the program as an npm package, its bills of
// materials, where it came from, sums of all of them, and with a key a signature over the sums.
//   npm run release -- [--key FILE --signer NAME] [--signers FILE] [--out FOLDER] [--allow-changes]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, fail, root, run } from './install.mjs';
import { revision } from './revision.mjs';

const { values: options } = parseArgs({
  options: {
    key: { type: 'string' },
    signer: { type: 'string' },
    signers: { type: 'string', default: join(root, 'docs/release-signers') },
    out: { type: 'string', default: join(root, 'dist/release') },
    'allow-changes': { type: 'boolean', default: false },
  },
});
const sources = revision();
if (sources.isChanged && !options['allow-changes']) fail('Files differ from the commit: commit or remove them first.');
if (options.key && !options.signer) fail('--key needs --signer: the name that docs/release-signers has for the key.');

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const title = `${manifest.name}-${manifest.version}`;
const out = resolve(options.out);
const stage = join(out, 'stage');
rmSync(out, { recursive: true, force: true });
mkdirSync(join(stage, 'bin'), { recursive: true });

const write = (path, text) => writeFileSync(join(out, path), text);
const writeJson = (path, value) => write(path, `${JSON.stringify(value, null, 2)}\n`);
const sumOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Only what runs: some of these folders hold sources as well. */
const isProgram = (path) => !/\.ts$|(^|[/\\])(package\.json|node_modules)$/.test(path.slice(root.length));

/** Lays out what is packed: programs as they are built, and what they read; nothing is built from it any more. */
function layOut() {
  const copied = [
    'dist/server',
    'dist/worker',
    'dist/cli',
    'dist/web',
    'config',
    'shared/adapters/postgres/migrations',
  ];
  for (const path of [...copied, 'LICENSE', 'SECURITY.md', 'docs/releases.md']) {
    cpSync(join(root, path), join(stage, path), { recursive: true, filter: isProgram });
  }
  cpSync(join(root, 'docs/releases.md'), join(stage, 'README.md'));
  const lock = JSON.parse(readFileSync(join(root, 'dist/images/package-lock.json'), 'utf8'));
  const { name, version, description, license, engines } = manifest;
  const programs = {
    start: 'server/main',
    worker: 'worker/main',
    migrate: 'worker/migrate',
    'move-database': 'worker/move-database',
  };
  const scripts = Object.entries(programs).map(([script, file]) => [
    script,
    `node --enable-source-maps dist/${file}.mjs`,
  ]);
  const packed = {
    name,
    version,
    description,
    license,
    private: true,
    type: 'module',
    bin: { svc: 'bin/svc.mjs' },
    scripts: Object.fromEntries(scripts),
    engines,
    dependencies: lock.packages[''].dependencies,
  };
  writeJson('stage/package.json', packed);
  // A lock under this name goes into the package, and npm installs by it.
  const { bin, dependencies } = packed;
  const packages = { ...lock.packages, '': { name, version, license, bin, engines, dependencies } };
  writeJson('stage/npm-shrinkwrap.json', { ...lock, name, version, packages });
  const ofService = `['admin', 'doctor'].includes(process.argv[2])`;
  const imports = `await import(${ofService} ? \`../dist/server/\${process.argv[2]}.mjs\` : '../dist/cli/main.mjs');`;
  write('stage/bin/svc.mjs', `#!/usr/bin/env node\n${imports}\n`);
  write('stage/sbom.cdx.json', sbomOf('release'));
}

/** npm gives every file the same time and owner, so that the same files are the same bytes. */
function pack() {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', out];
  const npm = process.env.npm_execpath;
  const how = { cwd: stage, stdio: ['ignore', 'ignore', 2] };
  if (npm) run(process.execPath, [npm, ...args], how);
  else run('npm', args, { ...how, shell: process.platform === 'win32' });
  rmSync(stage, { recursive: true });
}

/** Where the files came from, as SLSA 1.0 has it; no times and no machine, as the same sources are the same bytes. */
function provenance(names) {
  const subject = names.map((name) => ({ name, digest: { sha256: sumOf(readFileSync(join(out, name))) } }));
  const locks = ['package-lock.json', 'tools/package-lock.json'].map((path) => ({
    name: path,
    digest: { sha256: sumOf(readFileSync(join(root, path))) },
  }));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `urn:${manifest.name}:npm-run-release:1`,
        externalParameters: { commit: sources.commit, command: 'npm run release', changedFiles: sources.isChanged },
        internalParameters: { node: process.versions.node, zlib: process.versions.zlib },
        resolvedDependencies: [{ name: 'sources', digest: { gitCommit: sources.commit } }, ...locks],
      },
      runDetails: { builder: { id: `urn:${manifest.name}:whoever-signed` } },
    },
  };
}

/** Signs a file, and checks the signature as others will. */
function sign(name) {
  const program = process.env.SSH_KEYGEN_PATH ?? 'ssh-keygen';
  const [file, signature] = [join(out, name), join(out, `${name}.sig`)];
  run(program, ['-Y', 'sign', '-q', '-n', 'file', '-f', options.key, file]);
  const check = ['-Y', 'verify', '-f', options.signers, '-I', options.signer, '-n', 'file', '-s', signature];
  const done = spawnSync(program, check, { input: readFileSync(file), encoding: 'utf8' });
  if (done.status === 0) return;
  rmSync(signature);
  fail(`${options.signers} does not name this key for ${options.signer}: ${`${done.stderr}${done.stdout}`.trim()}`);
}

/** Better now than when all is built. */
function tryKey() {
  write('key-is-good', '');
  sign('key-is-good');
  for (const name of ['key-is-good', 'key-is-good.sig']) rmSync(join(out, name));
}

if (options.key) tryKey();
ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('web', 'server', 'worker', 'cli', 'images');
const { sbomOf } = await import('./sbom.mjs');
layOut();
pack();
const boms = ['release', 'gateway', 'worker'].map((product) => {
  const name = `${title}-${product}.cdx.json`;
  write(name, sbomOf(product));
  return name;
});
const files = [`${title}.tgz`, ...boms];
writeJson(`${title}.provenance.json`, provenance(files));
files.push(`${title}.provenance.json`);
write('SHA256SUMS', files.map((name) => `${sumOf(readFileSync(join(out, name)))}  ${name}\n`).join(''));
if (options.key) sign('SHA256SUMS');
else process.stderr.write('Not signed: there was no --key.\n');
for (const name of [...files, 'SHA256SUMS', 'SHA256SUMS.sig'].filter((each) => existsSync(join(out, each)))) {
  process.stdout.write(`${join(out, name)}\n`);
}
