// Programs that some suites need beside Node.js: each is found, or installed from Debian's packages where this
// account may; what Python's index or Maven has, and the image that ours stand on, goes into a folder of the repository.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { baseImage, containerTools, installsNode, makesBaseImage } from './base-image.mjs';
import { root } from './install.mjs';

/** Chromium without windows. */
const shell = 'chromium-headless-shell';
const postgresFolder = '/usr/lib/postgresql';

/** A suite's program: where it may be told, what it is called, what brings it. */
const programs = {
  chromium: {
    variable: 'CHROMIUM_PATH',
    skip: 'SKIP_BROWSER_TESTS',
    // The shell first: a page takes less than half the processor time there. Tests also take it where it lies beside
    // the Chromium that they are told (test/support/chromium.ts).
    names: [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    packages: [shell, 'fonts-dejavu-core'],
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
  schemathesis: {
    variable: 'SCHEMATHESIS_PATH',
    skip: 'SKIP_SCHEMATHESIS_TESTS',
    names: ['schemathesis'],
    packages: ['python3-venv'],
    // No other version: each finds other things.
    python: { folder: join(root, '.build/schemathesis-4.32.5'), requirements: ['schemathesis==4.32.5'] },
  },
  signing: {
    variable: 'SSH_KEYGEN_PATH',
    skip: 'SKIP_SIGNING_TESTS',
    names: ['ssh-keygen'],
    packages: ['openssh-client'],
  },
  sigma: {
    variable: 'SIGMA_CLI_PATH',
    skip: 'SKIP_SIGMA_CLI_TESTS',
    names: ['sigma'],
    packages: ['python3-venv'],
    python: { folder: join(root, '.build/sigma-cli-3.1.0'), requirements: ['sigma-cli==3.1.0', 'pysigma==1.5.1'] },
  },
  tlsh: {
    variable: 'TLSH_PYTHON_PATH',
    skip: 'SKIP_TLSH_TESTS',
    names: ['python3'],
    packages: ['python3-venv'],
    // The library has no program of its own.
    python: { folder: join(root, '.build/py-tlsh-5.0.0'), requirements: ['py-tlsh==5.0.0'] },
  },
  networkx: {
    variable: 'NETWORKX_PYTHON_PATH',
    skip: 'SKIP_NETWORKX_TESTS',
    names: ['python3'],
    packages: ['python3-venv'],
    python: { folder: join(root, '.build/networkx-3.6.1'), requirements: ['networkx==3.6.1'] },
  },
  stix: {
    variable: 'STIX_PYTHON_PATH',
    skip: 'SKIP_STIX_TESTS',
    names: ['python3'],
    packages: ['python3-venv'],
    python: {
      folder: join(root, '.build/stix-3.0.2-taxii2-client-2.3.0'),
      requirements: ['stix2==3.0.2', 'stix2-validator==3.3.2', 'pymisp==2.5.34.4', 'taxii2-client==2.3.0'],
    },
  },
  // A proxy before models, which stands in for their vendors.
  litellm: {
    variable: 'LITELLM_PYTHON_PATH',
    skip: 'SKIP_LITELLM_TESTS',
    names: ['python3'],
    packages: ['python3-venv'],
    python: { folder: join(root, '.build/litellm-1.108.7'), requirements: ['litellm[proxy]==1.108.7'] },
  },
  prometheus: {
    variable: 'PROMETHEUS_PYTHON_PATH',
    skip: 'SKIP_PROMETHEUS_TESTS',
    names: ['python3'],
    packages: ['python3-venv'],
    python: { folder: join(root, '.build/prometheus-client-0.26.0'), requirements: ['prometheus_client==0.26.0'] },
  },
  s3: {
    variable: 'LOCALSTACK_PATH',
    skip: 'SKIP_S3_TESTS',
    names: ['localstack-supervisor'],
    packages: ['python3-venv'],
    python: {
      folder: join(root, '.build/localstack-host-4.11.1'),
      requirements: ['--no-deps', '--requirement', join(root, 'localstack/requirements.txt')],
    },
  },
  dynamodb: {
    variable: 'DYNAMODB_LOCAL_PATH',
    skip: 'SKIP_DYNAMODB_TESTS',
    names: ['DynamoDBLocal-2.6.1.jar'],
    packages: ['default-jre-headless', 'maven'],
    java: { folder: join(root, '.build/dynamodb-local-2.6.1'), project: join(root, 'localstack/dynamodb-local.xml') },
  },
  podman: {
    variable: 'BASE_IMAGE_PATH',
    skip: 'SKIP_PODMAN_TESTS',
    names: [baseImage.file],
    packages: containerTools,
    // What the images of containers/ stand on; podman alone is of no use.
    image: baseImage,
  },
};

function find({ variable, names, folders, python, java, image }) {
  if (image && !hasContainers()) return undefined;
  if (process.env[variable]) return process.env[variable];
  const places = (python && [join(python.folder, 'bin')]) ??
    ((java ?? image) && [(java ?? image).folder]) ?? [
      ...(process.env.PATH ?? '').split(delimiter),
      ...(folders?.() ?? []),
    ];
  return names.flatMap((name) => places.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Whether nothing is to be installed for it: also not the shell beside Debian's Chromium. */
function isComplete(program) {
  const path = find(program);
  return path !== undefined && (basename(path) !== 'chromium' || existsSync(join(dirname(path), shell)));
}

/** Runs a command, its output shown beside that of others; whether it succeeded. */
function succeeds(command, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], env });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}

async function install(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await succeeds('apt-get', ['update', '-qq'], env);
  await succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], env);
}

async function installForPython({ folder, requirements }) {
  await succeeds('python3', ['-m', 'venv', folder]);
  const pip = ['install', '-q', '--disable-pip-version-check', ...requirements];
  // What is there counts as found, so half of it must not stay.
  if (!(await succeeds(join(folder, 'bin/pip'), pip))) rmSync(folder, { recursive: true, force: true });
}

/** The program with all libraries that it stands on. */
async function installForJava({ folder, project }) {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
  const isDone = await succeeds('mvn', ['-q', '-B', '-f', project, ...goal]);
  if (!isDone) rmSync(folder, { recursive: true, force: true });
}

/** The image appears when it is whole. */
async function makeBaseImage({ folder, file }) {
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `unfinished-${file}`);
  const isDone = (await succeeds('npm', installsNode)) && (await succeeds('mmdebstrap', makesBaseImage(unfinished)));
  if (isDone) renameSync(unfinished, join(folder, file));
}

const runs = (command, ...args) => spawnSync(command, args).status === 0;
const hasPython = () => runs('python3', '-c', 'import ensurepip, venv');
const hasJava = () => runs('java', '-version') && runs('mvn', '--version');
/** Not for other accounts: they would need namespaces of users. */
const hasContainers = () => process.getuid?.() === 0 && containerTools.every((tool) => runs(tool, '--version'));

/** Debian's packages that bring a program, or what it stands on. */
function packagesOf({ packages, python, java, image }) {
  return (python && hasPython()) || (java && hasJava()) || (image && hasContainers()) ? [] : packages;
}

/**
 * Environment for the suites: the path of each program in its variable, or in its skip variable a sentence
 * saying why there is none.
 */
export async function programsFor(names = Object.keys(programs)) {
  const lacking = names.filter((name) => !isComplete(programs[name]));
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  if (lacking.length > 0) process.stderr.write(`Looking for ${lacking.join(', ')} for the tests …\n`);
  const packages = lacking.flatMap((name) => packagesOf(programs[name]));
  if (packages.length > 0 && mayInstall) await install(packages);
  // Each has a folder of its own, and waits for the network most of the time.
  const folders = lacking.map(async (name) => {
    const { python, java, image } = programs[name];
    if (python && hasPython()) await installForPython(python);
    if (java && hasJava()) await installForJava(java);
    if (image && hasContainers()) await makeBaseImage(image);
  });
  await Promise.all(folders);
  const entries = names.map((name) => {
    const { variable, skip } = programs[name];
    const path = find(programs[name]);
    return path ? [variable, path] : [skip, `no ${name} on the PATH, nor could it be installed (set ${variable})`];
  });
  return Object.fromEntries(entries);
}

// Run by itself, it prints the environment as JSON, so that others can go on meanwhile.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(JSON.stringify(await programsFor()));
}
