import { AppError } from '@svc/domain';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock.ts';

const lockSuffix = '.lock';
/** Left free on the disk, for logs and whatever else grows there. */
const spareBytes = 67_108_864;

/** Losing a scratch folder does not end the process: only the next read from it fails. */
const unconcerned = { onLost: () => undefined };

/** A file to be filled by whoever asked for it; must be removed. */
export interface ScratchFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Closes it, too. */
  remove(): Promise<void>;
}

interface OwnFolder {
  readonly path: string;
  readonly lock: { release(): Promise<void> };
}

/**
 * Temporary files, in a folder of this process within one that processes of this machine may share.
 * What processes left that are no more is removed at the first use.
 */
export class ScratchFolder {
  readonly #shared: string;
  #own: Promise<OwnFolder> | null = null;

  constructor(folder: string) {
    this.#shared = folder;
  }

  /** Throws when the folder cannot be written. */
  async prepare(): Promise<void> {
    await this.#prepared();
  }

  /** An empty file; throws `low_space` when the disk has no room for this many bytes. */
  async create(sizeBytes: number): Promise<ScratchFile> {
    const { path: own } = await this.#prepared();
    const { bavail, bsize } = await statfs(own);
    if (bavail * bsize - sizeBytes < spareBytes) throw noRoom(this.#shared);
    const path = join(own, randomBytes(16).toString('hex'));
    const handle = await open(path, 'wx', 0o600);
    return {
      path,
      handle,
      remove: async () => {
        await handle.close();
        await rm(path, { force: true });
      },
    };
  }

  /** An empty folder, which the caller removes. */
  async createFolder(): Promise<string> {
    const { path: own } = await this.#prepared();
    const path = join(own, randomBytes(16).toString('hex'));
    await mkdir(path, { mode: 0o700 });
    return path;
  }

  /** The error itself, or `low_space` when it says that the disk is full. */
  fault(error: unknown): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOSPC' || code === 'EDQUOT' ? noRoom(this.#shared, error) : error;
  }

  /** Removes the folder of this process, if there is one. */
  async close(): Promise<void> {
    const own = await this.#own?.catch(() => null);
    this.#own = null;
    if (!own) return;
    await rm(own.path, { recursive: true, force: true });
    await own.lock.release();
  }

  async #prepared(): Promise<OwnFolder> {
    this.#own ??= this.#take();
    return this.#own.catch((error: unknown) => {
      this.#own = null;
      throw error;
    });
  }

  async #take(): Promise<OwnFolder> {
    await mkdir(this.#shared, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#shared)) {
      if (!name.endsWith(lockSuffix)) continue;
      const other = name.slice(0, -lockSuffix.length);
      // Watching a holder on another host takes long, and nothing here waits for it.
      if (!(await this.#removeIfAbandoned(other, { patienceMs: 0 }))) void this.#removeIfAbandoned(other, {});
    }
    const path = join(this.#shared, randomBytes(8).toString('hex'));
    const lock = await lockDirectory(path + lockSuffix, unconcerned);
    await mkdir(path, { mode: 0o700 });
    return { path, lock };
  }

  async #removeIfAbandoned(name: string, patience: { patienceMs?: number }): Promise<boolean> {
    try {
      const folder = join(this.#shared, name);
      const lock = await lockDirectory(folder + lockSuffix, { ...patience, onWait: () => undefined, ...unconcerned });
      await rm(folder, { recursive: true, force: true });
      await lock.release();
      return true;
    } catch {
      return false;
    }
  }
}

function noRoom(folder: string, cause?: unknown): AppError {
  return new AppError('low_space', `Too little space left in ${folder} for a copy of the file`, { cause });
}
