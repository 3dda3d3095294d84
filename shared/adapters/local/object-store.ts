import {
  freeBytesFloor,
  type LocalCopy,
  type ObjectArea,
  type ObjectReader,
  type ObjectStore,
} from '@svc/application/ports/object-store.ts';
import type { ObjectArchive } from '@svc/application/ports/object-archive.ts';
import { AppError } from '@svc/domain';
import { access, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newObjectKey, objectKey } from '../object-key.ts';

/** An upload that has not grown for this long died with its process. */
export const abandonedMs = 3_600_000;

/** Where objects are until they are whole. */
export function incomingFolder(folder: string): string {
  return join(folder, 'incoming');
}

/** Objects as files of one folder, spread over 256 by the first two digits of their keys; each further area in its own. */
export class LocalObjectStore implements ObjectStore, ObjectArchive {
  readonly #folder: string;
  readonly #incoming: string;
  readonly #keptFree: number;
  #prepared: Promise<void> | null = null;

  /** @param keptFree bytes that outputs of analyses leave to what is needed more, such as the database. */
  constructor(folder: string, keptFree = freeBytesFloor) {
    this.#folder = folder;
    this.#keptFree = keptFree;
    this.#incoming = incomingFolder(folder);
  }

  async create(
    suffix: string,
    content: AsyncIterable<Uint8Array>,
    area?: ObjectArea,
    announce?: (key: string) => Promise<void>,
  ): Promise<{ key: string; sizeBytes: number }> {
    await this.#prepare();
    if (area === 'outputs' && !(await this.hasRoom())) {
      throw new AppError('low_space', 'The server has too little space left for outputs');
    }
    const key = newObjectKey(suffix, area);
    await announce?.(key);
    return { key, sizeBytes: await this.#write(key, content) };
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#prepare();
    await this.#write(key, content);
  }

  async #write(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.#path(key);
    const incoming = join(this.#incoming, basename(key));
    try {
      // Open before anything can fail: a stream that is still opening its file would make it after it was removed.
      const file = (await open(incoming, 'wx', 0o600)).createWriteStream();
      await pipeline(content, file);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(incoming, path);
      return file.bytesWritten;
    } catch (error) {
      await rm(incoming, { force: true });
      throw translated(error);
    }
  }

  async open(key: string): Promise<ObjectReader> {
    const file = await open(this.#path(key)).catch((error: unknown) => {
      throw translated(error);
    });
    const { size } = await file.stat();
    return {
      size,
      read: async (offset, into) => (await file.read(into, 0, into.length, offset)).bytesRead,
      close: () => file.close(),
    };
  }

  async localCopy(key: string): Promise<LocalCopy> {
    const path = this.#path(key);
    await access(path).catch((error: unknown) => {
      throw translated(error);
    });
    return { path, release: () => Promise.resolve() };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  erase(key: string): Promise<void> {
    return this.delete(key);
  }

  async exists(key: string): Promise<boolean> {
    return access(this.#path(key)).then(
      () => true,
      () => false,
    );
  }

  async hasRoom(): Promise<boolean> {
    return (await this.check()).freeBytes >= this.#keptFree;
  }

  async check(): Promise<{ freeBytes: number }> {
    await this.#prepare();
    const { bavail, bsize } = await statfs(this.#incoming);
    return { freeBytes: bavail * bsize };
  }

  #path(key: string): string {
    const name = basename(objectKey(key));
    return join(this.#folder, dirname(key), name.slice(0, 2), name);
  }

  /** Makes the folder and removes uploads that an earlier process left half-way. */
  async #prepare(): Promise<void> {
    this.#prepared ??= this.#clean();
    await this.#prepared.catch((error: unknown) => {
      this.#prepared = null;
      throw error;
    });
  }

  async #clean(): Promise<void> {
    await mkdir(this.#incoming, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#incoming)) {
      const path = join(this.#incoming, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true });
    }
  }
}

function translated(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return new AppError('upload_missing', 'The file is not in the store', { cause: error });
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('low_space', 'The server has no space left for this file', { cause: error });
  }
  return error;
}
