import type { ObjectListing, ObjectPage, StoredObject } from '@svc/application/ports/object-listing.ts';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isObjectKey } from '../object-key.ts';
import { abandonedMs, incomingFolder } from './object-store.ts';

/** Folders of areas, in which objects are spread over 256 by the beginnings of their keys. */
const areas = ['', 'outputs', 'packs'] as const;
const spread = 256;
/** So many at least are read for a page, as most folders of a small store are empty. */
const pageSize = 1000;

/** All objects of a {@link LocalObjectStore}, some of its folders a page. */
export class LocalObjectListing implements ObjectListing {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async page(after: string | null): Promise<ObjectPage> {
    const objects: StoredObject[] = [];
    for (let at = after === null ? 0 : Number(after) + 1; at < areas.length * spread; at += 1) {
      const area = areas[Math.floor(at / spread)] ?? '';
      const part = (at % spread).toString(16).padStart(2, '0');
      objects.push(...(await this.#in(area, part)));
      if (objects.length >= pageSize) return { objects, next: String(at) };
    }
    return { objects, next: null };
  }

  async room(): Promise<{ free: number; total: number }> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { bavail, blocks, bsize } = await statfs(this.#folder);
    return { free: bavail * bsize, total: blocks * bsize };
  }

  /** One that has not grown for an hour is nobody's any more. */
  async removeUnfinished(by: Date): Promise<number> {
    const incoming = incomingFolder(this.#folder);
    let removed = 0;
    for (const name of await namesIn(incoming)) {
      const path = join(incoming, name);
      const found = await stat(path).catch(gone);
      if (found === null || by.getTime() - found.mtimeMs <= abandonedMs) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  async #in(area: string, part: string): Promise<StoredObject[]> {
    const folder = join(this.#folder, area, part);
    const found: StoredObject[] = [];
    for (const name of await namesIn(folder)) {
      const key = area === '' ? name : `${area}/${name}`;
      if (!isObjectKey(key) || !name.startsWith(part)) continue;
      const file = await stat(join(folder, name)).catch(gone);
      if (file?.isFile()) found.push({ key, sizeBytes: file.size, storedAt: file.mtime });
    }
    return found;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Others remove objects meanwhile. */
function gone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
