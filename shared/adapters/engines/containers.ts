import { EngineFailure, EngineUnavailable } from '@svc/application/ports/detection-engine.ts';
import type { EngineCommand, EngineFound } from '@svc/application/ports/engine-runner.ts';
import type { EngineProgram } from '@svc/domain';
import { chmod, constants, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isThere } from './is-there.ts';
import type { LocalRunnerOptions, Prepared } from './runner-options.ts';
import { runCommand, type CommandEnd } from './run-command.ts';
import { runVariable } from './run-members.ts';

export type ContainerProgram = Exclude<EngineProgram, { kind: 'path' }>;
export type ContainerCommand = EngineCommand & { readonly program: ContainerProgram };

/** Variables that the runtime's own program goes by; the engine gets none of them. */
const runtimeVariables = [
  'PATH',
  'HOME',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'REGISTRY_AUTH_FILE',
  'CONTAINERS_CONF',
  'CONTAINERS_STORAGE_CONF',
  'BUILDAH_ISOLATION',
];
/** Whose label a container of ours has: the folder that all runs of this installation are in. */
const runsLabel = 'svc.engine-runs';
/** Account in a container where ours is root. */
const nobody = 65_532;
const askSeconds = 60;
const pullSeconds = 1800;
/** What the runtime exits with that could not start the container. */
const notStartedCode = 125;

/** Engines in containers of this machine, by the command line that podman and docker share. */
export class Containers {
  readonly #options: LocalRunnerOptions;
  readonly #built = new Map<string, Promise<string>>();

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
  }

  async run(command: ContainerCommand, { folder, output }: Prepared, signal: AbortSignal): Promise<CommandEnd> {
    const runtime = await this.#runtime();
    const { program } = command;
    const image = await this.#imageOf(runtime, program, folder, signal);
    const name = nameOf(folder);
    // The account inside is another one than ours.
    await chmod(output, 0o777);
    const { limits, runs } = this.#options;
    const seconds = command.timeout;
    const args = [
      'run',
      '--rm',
      `--name=${name}`,
      `--label=${runsLabel}=${runs}`,
      '--network=none',
      '--read-only',
      '--cap-drop=all',
      '--security-opt=no-new-privileges',
      `--pids-limit=${limits.processes}`,
      `--memory=${limits.memoryBytes}`,
      `--memory-swap=${limits.memoryBytes}`,
      '--tmpfs=/tmp',
      // By it the memory that it takes is seen, also where the machine does not hold a container to its limit.
      `--env=${runVariable}=${folder}`,
      ...accountOf(runtime, process.getuid?.() ?? 0, process.getgid?.() ?? 0),
      ...(program.kind === 'image' ? [] : ['--pull=never']),
      ...mountsOf(command, output),
      ...(command.startsIn === 'output' ? ['--workdir=/work/output'] : []),
      image,
      ...command.args(placesOf(command)),
    ];
    const printsTo = command.printsTo === null ? null : join(output, command.printsTo);
    let isClean = false;
    try {
      const end = await runCommand(
        { ...this.#client(runtime, args, folder), printsTo, limits: { ...limits, seconds } },
        signal,
      );
      isClean = end.exitCode === 0 && end.cutBy === null;
      if (end.exitCode === notStartedCode) {
        throw new EngineFailure(`${basename(runtime)} could not run ${image}: ${lastLine(end.log)}`, { log: end.log });
      }
      return end;
    } finally {
      if (!isClean) await this.#remove(runtime, [name], folder);
    }
  }

  async find(program: ContainerProgram): Promise<EngineFound> {
    const runtime = await this.#runtime();
    const image = program.kind === 'image' ? this.#prefixed(program.image) : tagOf(program);
    const format = '{{.Id}} {{range .RepoDigests}}{{.}} {{end}}';
    const { exitCode, log } = await this.#ask(runtime, ['image', 'inspect', `--format=${format}`, image]);
    if (exitCode === 0) {
      const [id = '', digest] = log.trim().split(/\s+/);
      return { version: versionIn(image), at: image, digest: digest?.split('@')[1] ?? id };
    }
    if (program.kind === 'image')
      return { missing: `The image ${image} is not on this machine; the first run pulls it` };
    return { missing: `The image ${image} is not built yet; the first run builds it` };
  }

  /** Pulls or builds an image anew, and tells what the runtime says meanwhile. */
  async prepare(
    program: ContainerProgram,
    folder: string,
    said: (text: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const runtime = await this.#runtime();
    if (program.kind === 'dockerfile') {
      const file = await this.#dockerfile(program);
      await this.#build(runtime, program, file.path, folder, signal, said);
      return;
    }
    const image = this.#prefixed(program.image);
    const limits = { ...this.#options.limits, seconds: pullSeconds };
    const asked = { ...this.#client(runtime, ['pull', image], folder), limits, said };
    const { exitCode, cutBy, log } = await runCommand(asked, signal);
    if (cutBy === 'time') throw new EngineFailure(`${image} was not pulled within ${pullSeconds} s`, { log });
    if (exitCode !== 0) throw new EngineFailure(`${image} could not be pulled: ${lastLine(log)}`, { log });
  }

  /** Removes the containers of runs whose folder is gone, which is when their worker is. */
  async sweep(): Promise<void> {
    const runtime = await this.#runtime().catch(() => null);
    if (runtime === null) return;
    const { runs } = this.#options;
    const filter = `--filter=label=${runsLabel}=${runs}`;
    const { exitCode, log } = await this.#ask(runtime, ['ps', '--all', filter, '--format={{.Names}}']);
    if (exitCode !== 0) return;
    const names = log.split('\n').filter((name) => name.startsWith('svc-engine-'));
    const left = await Promise.all(names.map(async (name) => ((await isThere(folderOf(runs, name))) ? null : name)));
    const gone = left.filter((name) => name !== null);
    if (gone.length > 0) await this.#remove(runtime, gone, runs);
  }

  async #imageOf(runtime: string, program: ContainerProgram, folder: string, signal: AbortSignal): Promise<string> {
    if (program.kind === 'image') return this.#prefixed(program.image);
    const file = await this.#dockerfile(program);
    const key = JSON.stringify([program, file.stamp]);
    const building = this.#built.get(key) ?? this.#build(runtime, program, file.path, folder, signal);
    this.#built.set(key, building);
    building.catch(() => this.#built.delete(key));
    return building;
  }

  async #dockerfile({
    dockerfile,
  }: Extract<ContainerProgram, { kind: 'dockerfile' }>): Promise<{ readonly path: string; readonly stamp: number }> {
    const path = resolve(this.#options.base, dockerfile);
    const stamp = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    if (stamp === null) throw new EngineUnavailable(`The Dockerfile ${path} is not on this machine`);
    return { path, stamp };
  }

  async #build(
    runtime: string,
    program: Extract<ContainerProgram, { kind: 'dockerfile' }>,
    file: string,
    folder: string,
    signal: AbortSignal,
    said: (text: string) => void = () => undefined,
  ): Promise<string> {
    const tag = tagOf(program);
    const context = program.context === null ? dirname(file) : resolve(this.#options.base, program.context);
    const args = ['build', `--file=${file}`, `--tag=${tag}`, context];
    const limits = { ...this.#options.limits, seconds: program.timeout };
    const { exitCode, cutBy, log } = await runCommand({ ...this.#client(runtime, args, folder), limits, said }, signal);
    if (cutBy === 'time') {
      throw new EngineFailure(`${file} was not built within its limit of ${program.timeout} s`, { log });
    }
    if (exitCode !== 0) throw new EngineFailure(`${file} could not be built: ${lastLine(log)}`, { log });
    return tag;
  }

  /** Whatever becomes of the signal: what is to be removed is removed. */
  async #remove(runtime: string, names: readonly string[], folder: string): Promise<void> {
    const time = basename(runtime).startsWith('podman') ? ['--time=0'] : [];
    await this.#ask(runtime, ['rm', '--force', ...time, ...names], folder).catch(() => undefined);
  }

  #ask(runtime: string, args: readonly string[], folder = this.#options.runs): Promise<CommandEnd> {
    // What is removed for what it takes does not keep whoever removes it from that.
    const [folderBytes, memoryBytes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const limits = { ...this.#options.limits, folderBytes, memoryBytes, seconds: askSeconds };
    return runCommand({ ...this.#client(runtime, args, folder), limits }, new AbortController().signal);
  }

  #client(program: string, args: readonly string[], folder: string) {
    const { environment, base, limits } = this.#options;
    const env = Object.fromEntries(
      runtimeVariables.flatMap((name): [string, string][] => {
        const value = environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    return { program, args, env, folder, cwd: base, printsTo: null, isClient: true, limits: { ...limits, seconds: 0 } };
  }

  async #runtime(): Promise<string> {
    const { containerRuntime, environment } = this.#options;
    const folders = (environment['PATH'] ?? '').split(delimiter).filter(isAbsolute);
    const names = containerRuntime === null ? ['podman', 'docker'] : [containerRuntime];
    const paths = names.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))));
    for (const path of paths) if (await isThere(path, constants.X_OK)) return path;
    throw new EngineUnavailable(`This machine has no ${names.join(' or ')}, which the task’s image needs`);
  }

  /** A reference that names no registry comes from the one that the operator has named. */
  #prefixed(image: string): string {
    const { registryPrefix } = this.#options;
    const [first = '', ...rest] = image.split('/');
    const namesHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
    return registryPrefix === '' || namesHost ? image : `${registryPrefix.replace(/\/$/, '')}/${image}`;
  }
}

/** Its run's folder, by the name of that and of the one of the process. */
function nameOf(folder: string): string {
  return `svc-engine-${basename(dirname(folder))}-${basename(folder)}`;
}

function folderOf(runs: string, name: string): string {
  return join(runs, ...name.slice('svc-engine-'.length).split('-'));
}

function tagOf({ tag, dockerfile }: Extract<ContainerProgram, { kind: 'dockerfile' }>): string {
  return (
    tag ??
    `svc-engine-${
      basename(dirname(dockerfile))
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '') || 'own'
    }`
  );
}

function versionIn(image: string): string | null {
  return /:v?(\d[\w.-]*)(?:@|$)/.exec(image)?.[1] ?? null;
}

function lastLine(log: string): string {
  return log.trim().split('\n').at(-1) ?? '';
}

/** Not root, and ours where we are not: then what it writes is ours, too. */
function accountOf(runtime: string, uid: number, gid: number): string[] {
  if (uid === 0) return [`--user=${nobody}:${nobody}`];
  const keeps = basename(runtime).startsWith('podman') ? ['--userns=keep-id'] : [];
  return [...keeps, `--user=${uid}:${gid}`];
}

/** Where a container has what it is given; a rule file keeps its name, by whose ending some engines go. */
function placesOf({ imageHome, inputName, rules, config }: EngineCommand) {
  return {
    home: imageHome,
    input: `/work/input/${inputName}`,
    rules: rules.map((path, place) => `/work/rules/${place}/${basename(path)}`),
    config: config === null ? null : `/work/config/${basename(config)}`,
    output: '/work/output',
  };
}

function mountsOf(command: EngineCommand, output: string): string[] {
  const places = placesOf(command);
  const read = [
    [command.input, places.input],
    ...command.rules.map((path, place) => [path, places.rules[place]!]),
    ...(command.config === null ? [] : [[command.config, places.config!]]),
  ];
  return [
    ...read.map(([from, to]) => `--volume=${from}:${to}:ro`),
    `--volume=${output}:${places.output}:rw`,
    ...command.mounts.map((mount) => `--volume=${mount}`),
  ];
}
