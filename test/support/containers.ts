import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** What the machine's npm is told in files, such as where its registry is, and where it looks for the same in an image. */
const npmFiles = [
  ['userconfig', '/root/.npmrc'],
  ['globalconfig', '/usr/local/etc/npmrc'],
  ['cache', '/root/.npm'],
] as const;
/** How operators are told to run the images: nothing to write to but volumes, and no right beyond the account's. */
const confined = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges'];
/** What a run that is killed leaves behind ends by itself. */
const longestSeconds = 1800;

/** Of a machine that does much else. */
const patienceMs = 240_000;

/** Images and containers of this test alone. */
export interface Containers {
  /** Builds `containers/<name>/Dockerfile` as it stands. */
  build(name: 'gateway' | 'worker'): Promise<void>;
  /** Starts a container of an image that was built. */
  run(name: 'gateway' | 'worker', options: RunOptions): Promise<Container>;
  /** Makes an empty volume; tells the folder where this machine has it. */
  volume(name: string): Promise<string>;
  /** Variables by which any podman uses the same store. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the images begin with. */
  readonly base: string;
  /** Names of all containers that there are, whatever they do. */
  names(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whose network it has. @default the machine's */
  readonly network?: 'host' | 'none';
  /** Volumes and where they go, beside those that the image asks for. */
  readonly volumes?: readonly string[];
}

export interface Container {
  /** Everything it has printed so far. */
  output(): Promise<string>;
  /** Whether the image's own health check finds it well. */
  isWell(): Promise<boolean>;
  /** Waits until it is well; what it printed is in the error when it ends before. */
  untilWell(): Promise<void>;
  /** Waits until it has printed this. */
  untilSays(text: string): Promise<void>;
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Waits for its end, and tells its exit status. */
  ended(): Promise<number>;
  /** Runs a program inside, and tells what it prints. */
  exec(...command: readonly string[]): Promise<string>;
  /** What the kernel says of each thread of its process number 1; nothing of one that ends meanwhile. */
  threads(): Promise<string[]>;
}

/** Podman with a store of its own, which goes with it. The images' base is the one that scripts/base-image.mjs made. */
export async function openContainers(): Promise<Containers> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-containers-'));
  const settings = join(folder, 'containers.conf');
  await writeFile(settings, settingsIn(folder));
  const storage = join(folder, 'storage.conf');
  await writeFile(storage, storageIn(folder));
  const stores = [`--root=${join(folder, 'store')}`, `--runroot=${join(folder, 'run')}`];
  // Its timers for health checks need systemd; here they are asked for.
  const files = { CONTAINERS_CONF: settings, CONTAINERS_STORAGE_CONF: storage };
  const env = { ...process.env, ...files, DISABLE_HC_SYSTEMD: 'true' };
  const podman: Podman = async (...args) => {
    const { stdout, stderr } = await promisify(execFile)('podman', [...stores, ...args], { cwd: repository, env });
    return { stdout: stdout.trim(), stderr };
  };
  await podman('import', '--quiet', process.env['BASE_IMAGE_PATH'] ?? '', await baseName());
  const fromMachine = await npmOfMachine();
  return {
    environment: { ...files, BUILDAH_ISOLATION: 'chroot' },
    base: await baseName(),
    names: async () => (await podman('ps', '--all', '--format={{.Names}}')).stdout.split('\n').filter(Boolean),
    build: async (name) => {
      const built = ['--pull=never', '--isolation=chroot', '--format=docker', `--tag=svc-${name}`];
      await podman('build', '--quiet', ...built, ...fromMachine, `--file=containers/${name}/Dockerfile`, '.');
    },
    run: async (name, { env: variables, network = 'host', volumes = [] }) => {
      const set = Object.entries(variables).flatMap(([key, value]) =>
        value === undefined ? [] : [`--env=${key}=${value}`],
      );
      const mounted = volumes.map((volume) => `--volume=${volume}`);
      const how = ['--detach', `--network=${network}`, `--timeout=${longestSeconds}`, ...confined, ...mounted, ...set];
      return containerOf(podman, (await podman('run', ...how, `svc-${name}`)).stdout);
    },
    volume: async (name) => {
      await podman('volume', 'create', name);
      return (await podman('volume', 'inspect', '--format={{.Mountpoint}}', name)).stdout;
    },
    remove: async () => {
      await podman('rm', '--all', '--force', '--time=0');
      // Podman still tidies up after containers that ended, in processes of its own; it may leave the store mounted.
      await promisify(execFile)('umount', ['--lazy', join(folder, 'store/overlay')]).catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

type Podman = (...args: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>;

function containerOf(podman: Podman, id: string): Container {
  const state = async (what: string): Promise<string> =>
    (await podman('inspect', `--format={{.State.${what}}}`, id)).stdout;
  const isWell = async (): Promise<boolean> =>
    podman('healthcheck', 'run', id).then(
      () => true,
      () => false,
    );
  const output = async (): Promise<string> => {
    const { stdout, stderr } = await podman('logs', id);
    return stdout + stderr;
  };
  const until = async (isThere: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(200)) {
      if (await isThere()) return;
      if ((await state('Running')) === 'false') break;
    }
    throw new Error(`the container did not come to that:\n${await output()}`);
  };
  return {
    output,
    isWell,
    untilWell: () => until(isWell),
    untilSays: (text) => until(async () => (await output()).includes(text)),
    signal: async (signal) => void (await podman('kill', `--signal=${signal}`, id)),
    ended: async () => Number((await podman('wait', id)).stdout),
    exec: async (...command) => (await podman('exec', id, ...command)).stdout,
    threads: async () => {
      const tasks = `/proc/${await state('Pid')}/task`;
      return Promise.all(
        (await readdir(tasks)).map((task) => readFile(join(tasks, task, 'status'), 'utf8').catch(() => '')),
      );
    },
  };
}

/**
 * Files of its own, so that it shares nothing with another podman; limits that no account has to be given first. Where
 * what it knows of containers lies is what podman makes of `--root`: else those who give that and those who do not,
 * what cleans up after a container among them, would not know of each other's.
 */
function settingsIn(folder: string): string {
  return `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
lock_type = "file"
static_dir = "${folder}/store/libpod"
tmp_dir = "${folder}/tmp"
volume_path = "${folder}/store/volumes"
`;
}

/**
 * The same store, for whoever is not told by arguments. It also says the driver, which is kept as it was first told: what
 * cleans up after a container is told one, and without it found another, so that each took the 20 s that are waited for it.
 */
function storageIn(folder: string): string {
  return `
[storage]
driver = "overlay"
graphroot = "${join(folder, 'store')}"
runroot = "${join(folder, 'run')}"
`;
}

/** What the Dockerfiles begin with, in full. */
async function baseName(): Promise<string> {
  const text = await readFile(join(repository, 'containers/worker/Dockerfile'), 'utf8');
  return `docker.io/library/${/^ARG NODE=(.+)$/m.exec(text)?.[1]}`;
}

/** Lets npm in an image that is being built ask whom it asks on this machine, and for nothing that is kept here. */
async function npmOfMachine(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'list', '--long', '--json']);
  const told = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  const own = npmFiles.map(([setting, inImage]) => [String(told[setting]), inImage]);
  // Authorities that this machine trusts beside the usual ones.
  const trusted = [told['cafile'], process.env['NODE_EXTRA_CA_CERTS']].map((file) => [String(file), String(file)]);
  const mounts = [...own, ...trusted].filter(([here]) => existsSync(here!)).map(([here, there]) => `${here}:${there}`);
  return [...new Set(mounts)].map((mount) => `--volume=${mount}`);
}
