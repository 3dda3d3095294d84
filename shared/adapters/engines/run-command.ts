import { spawn, type ChildProcess } from 'node:child_process';
import { open, readdir, lstat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeptText } from './kept-text.ts';
import { endMembers, membersOf, runVariable, signalGroup } from './run-members.ts';

export interface Command {
  readonly program: string;
  /** No shell reads them. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** All variables that it has, beside the one that marks the run. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder of the run: what is in it counts, and its path marks the processes. */
  readonly folder: string;
  /**
   * It only asks others to do it, as `docker run` does: what they have started is not ended with it, and counts where it
   * carries the variable of the run. @default false
   */
  readonly isClient?: boolean;
  /** File that gets its standard output; null where that goes to the log. */
  readonly printsTo: string | null;
  /** Gets what it prints as it comes, but for what goes to a file. */
  readonly said?: (text: string) => void;
  readonly limits: CommandLimits;
}

export interface CommandLimits {
  /** Of the text kept of what it prints. */
  readonly logBytes: number;
  /** Of all files in the folder. */
  readonly folderBytes: number;
  /** Of all its processes together, where the machine tells. */
  readonly memoryBytes: number;
  readonly seconds: number;
}

/** What ended a command before its time. */
export type CutBy = 'time' | 'size' | 'memory';

export interface CommandEnd {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly cutBy: CutBy | null;
  readonly log: string;
}

/** Below whatever the machine does beside it. */
const niceness = 10;
const watchMs = 500;
/** From the polite signal to the other. */
const politeMs = 1000;
/** For what is still in the pipes when it has ended. */
const drainMs = 5000;

/**
 * Runs a command in a process group of its own, and ends the whole of it at a limit or when the signal aborts. Nothing of
 * it is left when this settles. Rejects with the signal's reason, and with the error of a program that cannot be started.
 */
export async function runCommand(command: Command, signal: AbortSignal): Promise<CommandEnd> {
  signal.throwIfAborted();
  const log = new KeptText(command.limits.logBytes);
  const printed = command.printsTo === null ? null : await open(command.printsTo, 'w', 0o600);
  try {
    const child = spawn(command.program, command.args, {
      cwd: command.cwd,
      env: command.isClient ? command.env : { ...command.env, [runVariable]: command.folder },
      detached: true,
      stdio: ['ignore', printed?.fd ?? 'pipe', 'pipe'],
    });
    await started(child);
    return await attend(child, command, log, signal);
  } finally {
    await printed?.close();
  }
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

async function attend(child: ChildProcess, command: Command, log: KeptText, signal: AbortSignal): Promise<CommandEnd> {
  const leader = child.pid!;
  const ended = new AbortController();
  let cutBy: CutBy | null = null;
  let ending = null as Promise<void> | null;
  const cut = (why: CutBy | null): void => {
    cutBy ??= why;
    ending ??= end(leader, command, ended.signal);
  };
  child.on('error', () => cut(null));
  const closed = drained(child, log, command.said);
  const exit = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (exitCode, name) => resolve({ exitCode, signal: name }));
  });
  const onAbort = (): void => cut(isTimeLimit(signal) ? 'time' : null);
  signal.addEventListener('abort', onAbort);
  const timer = setTimeout(() => cut('time'), command.limits.seconds * 1000);
  const watching = watch(leader, command, ended.signal, cut);
  try {
    setPriority(leader, niceness);
  } catch {
    // It has ended already.
  }
  if (signal.aborted) onAbort();
  const how = await exit;
  ended.abort();
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  await watching;
  await ending;
  await endAll(leader, command);
  await Promise.race([closed, sleep(drainMs, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  // Whoever asks for a limit of time wants to know what was said until then.
  if (!isTimeLimit(signal)) signal.throwIfAborted();
  return { ...how, cutBy, log: log.text() };
}

function isTimeLimit({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

/** Gathers what it prints; resolves when the pipes are closed. */
async function drained(child: ChildProcess, log: KeptText, said?: (text: string) => void): Promise<void> {
  await Promise.all(
    [child.stdout, child.stderr].map(async (pipe) => {
      if (pipe === null) return;
      pipe.on('data', (piece: Buffer) => {
        log.add(piece);
        said?.(piece.toString());
      });
      await new Promise<void>((resolve) => {
        pipe.once('close', resolve);
        pipe.on('error', () => resolve());
      });
    }),
  );
}

/** Asks the group to end, and then does not ask. */
async function end(leader: number, command: Command, hasEnded: AbortSignal): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  await sleep(politeMs, undefined, { signal: hasEnded }).catch(() => undefined);
  await endAll(leader, command);
}

async function endAll(leader: number, { folder, isClient = false }: Command): Promise<void> {
  if (isClient) signalGroup(leader, 'SIGKILL');
  else await endMembers(leader, folder);
}

/** Ends it when its files or its memory grow beyond what they may. */
async function watch(
  leader: number,
  { folder, limits, isClient = false }: Command,
  ended: AbortSignal,
  cut: (why: CutBy) => void,
): Promise<void> {
  while (!ended.aborted) {
    if ((await bytesIn(folder)) > limits.folderBytes) return cut('size');
    const members = await membersOf(isClient ? null : leader, folder);
    if (members.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) > limits.memoryBytes) return cut('memory');
    await sleep(watchMs, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Room that the files of a folder take on the disk. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? await bytesIn(path) : ((await lstat(path).catch(() => null))?.blocks ?? 0) * 512;
  }
  return sum;
}
