import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { knock } from './lock-socket.ts';

/** Who has a lock, and what tells later that he is no more. */
export const LockHolder = z.object({
  pid: z.number().int(),
  host: z.string(),
  /** The run of the kernel that it lives in; null where the system does not say. */
  boot: z.string().nullable(),
  /** Within which its number means something. */
  namespace: z.string().nullable(),
  /** When it began, in ticks since the boot. */
  started: z.string().nullable(),
  /** Device and number of the socket that it listens on; null where there is none. */
  socket: z.string().nullable(),
});
export type LockHolder = z.output<typeof LockHolder>;

/** Looks at another's signs of life this often. */
const lookMs = 250;

/** This process, as the holder of a lock. */
export function thisProcess(socket: string | null): LockHolder {
  const { pid } = process;
  return { pid, host: hostname(), boot: bootId(), namespace: namespaceId(), started: startOf(pid), socket };
}

/** Which file it is, however it is called; null when there is none. */
export async function fileId(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.dev}:${found.ino}`;
}

/** Null of what no holder has written. */
export function parseHolder(text: string): LockHolder | null {
  try {
    return LockHolder.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What this kernel can tell of a holder; null when it may be a process of another one. */
export async function evidenceOf(holder: LockHolder, socketPath: string): Promise<'alive' | 'gone' | null> {
  const answer = holder.socket === null ? 'unclear' : await knock(socketPath);
  const isOfThisKernel = holder.boot !== null && holder.boot === bootId();
  const isSeen = isOfThisKernel && holder.namespace !== null && holder.namespace === namespaceId();
  // A child that it was starting when it was killed has its socket for a moment.
  if (answer === 'answered') return isSeen && !isRunning(holder) ? 'gone' : 'alive';
  if (!isOfThisKernel) return null;
  // A file system that is mounted twice may show the same socket as another one, which nobody listens on.
  if (answer === 'refused' && (await fileId(socketPath)) === holder.socket) return 'gone';
  if (!isSeen) return null;
  return isRunning(holder) ? 'alive' : 'gone';
}

/** Whether a file, which its owner writes anew all the time, keeps this text for so long. */
export async function staysSame(path: string, text: string, forMs: number): Promise<boolean> {
  // Counted, since the clock goes on while this process cannot look.
  for (let looks = Math.ceil(forMs / lookMs); looks > 0; looks--) {
    await sleep(lookMs);
    if ((await textOf(path)) !== text) return false;
  }
  return true;
}

/** Null when there is no such file. */
export async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Only for a process of this namespace. */
export function isRunning({ pid, started }: Pick<LockHolder, 'pid' | 'started'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Ids are used again, at once in a restarted container: the start time tells.
  const now = startOf(pid);
  return now === null || started === null || now === started;
}

/** Start of a process in ticks since boot; null where the system does not say. */
function startOf(pid: number): string | null {
  const line = unlessMissing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function bootId(): string | null {
  if (process.platform !== 'darwin')
    return unlessMissing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return unlessMissing(() => execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim());
}

function namespaceId(): string | null {
  return process.platform === 'darwin' ? 'the only one' : unlessMissing(() => readlinkSync('/proc/self/ns/pid'));
}

function unlessMissing<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
