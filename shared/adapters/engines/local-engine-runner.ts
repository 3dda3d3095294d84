import { EngineFailure, EngineUnavailable } from '@svc/application/ports/detection-engine.ts';
import type { EngineCommand, EngineFound, EngineLeft, EngineRunner } from '@svc/application/ports/engine-runner.ts';
import { type EngineProgram, type ExternalEngine, machineName, pathFor } from '@svc/domain';
import { chmod, constants, copyFile, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { engineFacts } from './commands.ts';
import { Containers, type ContainerCommand, type ContainerProgram } from './containers.ts';
import { isThere } from './is-there.ts';
import type { LocalRunnerOptions, Prepared } from './runner-options.ts';
import { runCommand, type CommandEnd } from './run-command.ts';
import { endOrphans } from './run-members.ts';

const versionSeconds = 20;

/** Runs engines as processes and containers of this machine. */
export class LocalEngineRunner implements EngineRunner {
  readonly #options: LocalRunnerOptions;
  readonly #containers: Containers;
  #swept: Promise<void> | null = null;

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
    this.#containers = new Containers(options);
  }

  async run<T>(command: EngineCommand, signal: AbortSignal, read: (left: EngineLeft) => Promise<T>): Promise<T> {
    const folder = await this.#options.scratch.createFolder();
    try {
      await this.sweep();
      const output = join(folder, 'output');
      await mkdir(output, { mode: 0o700 });
      const prepared = { folder, output };
      const { program } = command;
      const isContainer = program !== null && program.kind !== 'path';
      const end = isContainer
        ? await this.#runContainer({ ...command, program }, prepared, signal)
        : await this.#runProgram(command, prepared, signal);
      refuseCut(command, end, this.#options.limits);
      return await read({ folder: output, exitCode: end.exitCode, isContainer, log: end.log });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Files of root are for nobody else, as the account in a container is: that gets a copy, of the same blocks where it can. */
  async #runContainer(command: ContainerCommand, prepared: Prepared, signal: AbortSignal): Promise<CommandEnd> {
    if (process.getuid?.() !== 0) return this.#containers.run(command, prepared, signal);
    const folder = await this.#options.scratch.createFolder();
    try {
      const input = join(folder, command.inputName);
      await copyFile(command.input, input, constants.COPYFILE_FICLONE);
      await chmod(input, 0o444);
      return await this.#containers.run({ ...command, input }, prepared, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async find(engine: ExternalEngine, program: EngineProgram | null): Promise<EngineFound> {
    try {
      if (program !== null && program.kind !== 'path') return await this.#containers.find(program);
      const path = await programOf(engine, program, this.#options);
      return { version: await this.#versionOf(engine, path), at: path, digest: null };
    } catch (error) {
      if (error instanceof EngineFailure) return { missing: error.message };
      throw error;
    }
  }

  async prepare(program: ContainerProgram, said: (text: string) => void, signal: AbortSignal): Promise<void> {
    const folder = await this.#options.scratch.createFolder();
    try {
      await this.#containers.prepare(program, folder, said, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #versionOf(engine: ExternalEngine, path: string): Promise<string | null> {
    const folder = await this.#options.scratch.createFolder();
    try {
      const command = this.#commandOf(path, engineFacts[engine].version, folder);
      const home = await homeOf(engine, path);
      const limits = { ...command.limits, seconds: versionSeconds };
      const { log } = await runCommand({ ...command, cwd: home, limits }, new AbortController().signal);
      return /\bv?(\d+\.\d+(?:\.\d+)*)\b/.exec(log)?.[1] ?? null;
    } catch {
      return null;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #runProgram(command: EngineCommand, prepared: Prepared, signal: AbortSignal): Promise<CommandEnd> {
    const { engine, input, inputName, rules, config } = command;
    const path = await programOf(engine, command.program, this.#options);
    const home = await homeOf(engine, path);
    const { folder, output } = prepared;
    const seen = join(folder, inputName);
    await symlink(input, seen);
    const args = command.args({ home, input: seen, rules, config, output });
    const limits = { ...this.#options.limits, seconds: command.timeout };
    try {
      return await runCommand(
        {
          ...this.#commandOf(path, args, folder),
          cwd: command.startsIn === 'output' ? output : home,
          printsTo: command.printsTo === null ? null : join(output, command.printsTo),
          limits,
        },
        signal,
      );
    } catch (error) {
      throw notStarted(error, path);
    }
  }

  #commandOf(program: string, args: readonly string[], folder: string) {
    const { environment, limits } = this.#options;
    // Its home is the run's folder, so that what it keeps for itself goes with it.
    const env = { PATH: environment['PATH'] ?? '', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' };
    return { program, args, env, folder, printsTo: null, limits };
  }

  /** Ends and removes what a worker has left that is no more; once. */
  sweep(): Promise<void> {
    return (this.#swept ??= this.#sweep());
  }

  async #sweep(): Promise<void> {
    const { runs, scratch } = this.#options;
    // Folders go first: what has none any more is left over.
    await scratch.prepare();
    await endOrphans((folder) => folder.startsWith(`${runs}/`));
    await this.#containers.sweep();
  }
}

/** A limit that ended a run is its failure, in words (resolved-platform 2.5). */
function refuseCut({ engine, timeout }: CommandLike, end: CommandEnd, limits: LocalRunnerOptions['limits']): void {
  const { cutBy, log } = end;
  if (cutBy === 'time') throw new EngineFailure(`${engine} did not finish within its limit of ${timeout} s`, { log });
  if (cutBy === 'size') {
    throw new EngineFailure(`${engine} wrote more than the ${mib(limits.folderBytes)} MiB that it may`, { log });
  }
  if (cutBy === 'memory') {
    throw new EngineFailure(`${engine} took more than the ${mib(limits.memoryBytes)} MiB of memory that it may`, {
      log,
    });
  }
  if (end.signal !== null) {
    const why = end.signal === 'SIGKILL' ? ', as the machine does when it has no memory left' : '';
    throw new EngineFailure(`${engine} was ended by ${end.signal}${why}`, { log });
  }
}

type CommandLike = Pick<EngineCommand, 'engine' | 'timeout'>;

function mib(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

/** The program of this machine; an `EngineUnavailable` where there is none. */
async function programOf(
  engine: ExternalEngine,
  program: EngineProgram | null,
  { base, environment }: Pick<LocalRunnerOptions, 'base' | 'environment'>,
): Promise<string> {
  const machine = machineName(process.arch, process.platform);
  if (program?.kind === 'path') {
    const named = pathFor(program.path, machine);
    if (named === null) throw new EngineUnavailable(`tool_path names no program of ${engine} for ${machine}`);
    const path = resolve(base, named);
    if (!(await isProgram(path))) throw new EngineUnavailable(`${path} is no program that can be started here`);
    return path;
  }
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    for (const name of engineFacts[engine].programs) {
      if (await isProgram(join(folder, name))) return join(folder, name);
    }
  }
  const names = engineFacts[engine].programs.join(' or ');
  throw new EngineUnavailable(
    `No program ${names} is on the PATH of this machine; name one in the settings of engines`,
  );
}

function isProgram(path: string): Promise<boolean> {
  return isThere(path, constants.X_OK);
}

/** The folder with what an engine brings along; where nothing above the program looks like it, the program's. */
async function homeOf(engine: ExternalEngine, program: string): Promise<string> {
  const own = dirname(await realpath(program));
  for (let folder = own; ; folder = dirname(folder)) {
    if (await isThere(join(folder, engineFacts[engine].landmark))) return folder;
    if (folder === dirname(folder)) return own;
  }
}

function notStarted(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!['ENOENT', 'EACCES', 'ENOEXEC', 'ELIBBAD'].includes(code)) return error;
  return new EngineUnavailable(`${basename(path)} cannot be started on this machine (${code})`, { cause: error });
}
