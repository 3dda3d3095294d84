import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const Holder = z.object({ pid: z.number().int(), started: z.string().nullable(), id: z.string() });
type Holder = z.output<typeof Holder>;

/** Locks that this process holds: its own id in a lock file may be an earlier process's. */
const own = new Set<string>();

/**
 * Makes this process the only one that uses a folder, by a file in it. The lock of a process that is
 * no more is taken over. Throws when another one is alive.
 */
export async function lockDirectory(path: string): Promise<{ release(): Promise<void> }> {
  const mine: Holder = { pid: process.pid, started: startOf(process.pid), id: randomBytes(8).toString('hex') };
  if (!(await created(path, mine))) await takeOver(path, mine);
  own.add(mine.id);
  return {
    release: async () => {
      own.delete(mine.id);
      if ((await holderOf(path))?.id === mine.id) await rm(path, { force: true });
    },
  };
}

async function created(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function takeOver(path: string, mine: Holder): Promise<void> {
  const holder = await holderOf(path);
  if (holder && isAlive(holder)) {
    throw new Error(`Another process (${holder.pid}) uses this data directory; stop it first. Its lock is ${path}`);
  }
  await rm(path, { force: true });
  const taken = await created(path, mine);
  // Two processes may have found the same stale lock; the file says which of them has it.
  await sleep(50);
  if (!taken || (await holderOf(path))?.id !== mine.id) {
    throw new Error(`Another process has just begun to use this data directory; its lock is ${path}`);
  }
}

/** Null when the file is gone or unreadable, as after a crash while it was written. */
async function holderOf(path: string): Promise<Holder | null> {
  try {
    return Holder.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return own.has(holder.id);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Ids are used again, at once in a restarted container: the start time tells.
  const started = startOf(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

/** Start of a process in ticks since boot; null where the system does not say. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
