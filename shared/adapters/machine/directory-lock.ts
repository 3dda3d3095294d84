import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { evidenceOf, fileId, isRunning, parseHolder, staysSame, textOf, thisProcess } from './lock-holder.ts';
import { ask, listenAt, type Answering } from './lock-socket.ts';

export interface LockOptions {
  /** How long a holder under another kernel is watched for a sign of life; 0 leaves it the lock at once. @default 15 s */
  readonly patienceMs?: number;
  /** Told why taking the lock takes long. @default the process's error output */
  readonly onWait?: (sentence: string) => void;
  /** Answers what other processes ask of the one that has the lock, by {@link askHolder}. @default nobody is answered */
  readonly answering?: Answering;
  /** Called when somebody has taken the lock away. @default ends the process: two must not write */
  readonly onLost?: (error: Error) => void;
}

/** How often an owner shows that it lives, for processes of other kernels; seven in a row may be missed. */
const beatMs = 2000;
const usualPatienceMs = 15_000;
const socketSuffix = '.socket';
/** Of others who take the lock and release it meanwhile. */
const mostTries = 20;

/** The files of one holder in the folder of the lock; their names are never used again. */
interface Claim {
  readonly id: string;
  readonly text: string;
  readonly server: Server | null;
}

/**
 * Makes this process the only one that uses a folder, also of those in other containers and on other hosts. The lock
 * is a folder with a file of its holder and a socket that the holder listens on. A lock is taken over when its holder
 * is provably gone: this kernel says so, or a holder under another kernel has been silent for a while, which is waited
 * for. Throws when somebody else has the lock.
 */
export async function lockDirectory(path: string, options: LockOptions = {}): Promise<{ release(): Promise<void> }> {
  const claim = await take(path, options);
  const stop = keepBeating(join(path, claim.id), claim.text, options.onLost ?? fail);
  return {
    release: async () => {
      await stop();
      await clear(path, [claim.id, claim.id + socketSuffix]);
      claim.server?.close();
    },
  };
}

/** What the process that has a lock answers to a line; null when it has no way to. */
export async function askHolder(path: string, line: string): Promise<string | null> {
  const socket = (await namesIn(path)).find((name) => name.endsWith(socketSuffix));
  return socket === undefined ? null : ask(join(path, socket), line);
}

/** Moves a folder into place. Of several only one succeeds, since a folder that is not empty is never replaced. */
async function take(path: string, options: LockOptions): Promise<Claim> {
  for (let tries = 0; tries < mostTries; tries++) {
    const names = await namesIn(path);
    const holder = names.find((name) => !name.endsWith(socketSuffix));
    if (holder !== undefined) await mustBeGone(path, holder, options);
    // Names are never used again, so this removes only what was looked at.
    await clear(path, names);
    const claim = await claimed(path, options.answering);
    if (claim) return claim;
  }
  throw new Error(`Other processes keep taking this data directory; its lock is ${path}`);
}

/** Makes the folder of a lock beside its place, all that is in it included, and moves it; null when another one is there. */
async function claimed(path: string, answering?: Answering): Promise<Claim | null> {
  const id = randomBytes(8).toString('hex');
  const folder = `${path}.${id}`;
  await mkdir(folder, { mode: 0o700 });
  const socket = join(folder, id + socketSuffix);
  const server = await listenAt(socket, answering);
  let isTaken = false;
  try {
    const text = JSON.stringify(thisProcess(server && (await fileId(socket))));
    await writeFile(join(folder, id), text, { mode: 0o600 });
    isTaken = await moved(folder, path);
    return isTaken ? { id, text, server } : null;
  } finally {
    if (!isTaken) {
      server?.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function mustBeGone(path: string, holder: string, options: LockOptions): Promise<void> {
  const record = join(path, holder);
  const text = await textOf(record);
  if (text === null) return;
  const known = parseHolder(text);
  const evidence = known && (await evidenceOf(known, record + socketSuffix));
  if (evidence === 'gone') return;
  const { patienceMs = usualPatienceMs, onWait = sayOnErrorOutput } = options;
  if (evidence === 'alive' || patienceMs === 0) throw inUse(path, known);
  const seconds = Math.ceil(patienceMs / 1000);
  const where = known ? ` (${known.host})` : '';
  onWait(`Another host${where} may use this data directory: waiting ${seconds} s for a sign of life in ${path}`);
  // What is gone now was released.
  if (!(await staysSame(record, text, patienceMs)) && (await textOf(record)) !== null) throw inUse(path, known);
}

function inUse(path: string, holder: { readonly pid: number; readonly host?: string } | null): Error {
  const who = holder ? `(${holder.pid}) ` : '';
  const where = holder?.host === undefined ? '' : `, taken on ${holder.host}`;
  return new Error(`Another process ${who}uses this data directory; stop it first. Its lock is ${path}${where}`);
}

/** What is in the folder of the lock. One of an earlier version is a file, which goes unless its process runs. */
async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code !== 'ENOTDIR') throw error;
    await removeFile(path);
    return [];
  }
}

const OldHolder = z.object({ pid: z.number().int(), started: z.string().nullable() });

async function removeFile(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const old = OldHolder.safeParse(unlessBroken(text)).data;
  if (old && old.pid !== process.pid && isRunning(old)) throw inUse(path, old);
  // Never a folder, should one have taken its place.
  await rm(path, { force: true }).catch(() => undefined);
}

function unlessBroken(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Removes these and, if nothing else is in it, the folder. */
async function clear(path: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(path, name), { force: true });
  await rmdir(path).catch(() => undefined);
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const taken = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', ...(process.platform === 'win32' ? ['EPERM', 'EACCES'] : [])];
    if (taken.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Writes the holder's file anew all the time; answers with what ends that. */
function keepBeating(record: string, text: string, onLost: (error: Error) => void): () => Promise<void> {
  let beats = 0;
  let beating: Promise<void> | null = null;
  const beat = async (): Promise<void> => {
    try {
      const file = await open(record, 'r+');
      beats += 1;
      // The number only grows longer, so that nothing of an earlier text stays.
      await file.write(`${text.slice(0, -1)},"beat":${beats}}`, 0).finally(() => file.close());
    } catch (error) {
      // A disk that is full or away is no reason to end.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
      clearInterval(timer);
      onLost(new Error(`Another process has taken over this data directory: ${record} is gone`));
    }
  };
  const timer = setInterval(() => {
    beating ??= beat().finally(() => (beating = null));
  }, beatMs).unref();
  return async () => {
    clearInterval(timer);
    await beating;
  };
}

function sayOnErrorOutput(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function fail(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
