import { open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { HashFilter } from './hash-filter.ts';
import { digestBytes, digestKindOf, digestKinds, type DigestKind } from './sort-hashes.ts';

interface Sorted {
  readonly filter: HashFilter;
  readonly file: FileHandle;
  readonly count: number;
}

/** The hashes of a folder that `sortHashes` has made: a filter in memory, and what it lets through looked up in the file. */
export class KnownHashes {
  readonly #kinds: ReadonlyMap<DigestKind, Sorted>;

  private constructor(kinds: ReadonlyMap<DigestKind, Sorted>) {
    this.#kinds = kinds;
  }

  static async open(folder: string): Promise<KnownHashes> {
    const names = new Set(await readdir(folder));
    const kinds = new Map<DigestKind, Sorted>();
    for (const kind of digestKinds.filter((one) => names.has(`${one}.sorted`))) {
      const file = await open(join(folder, `${kind}.sorted`));
      const filter = new HashFilter(await readFile(join(folder, `${kind}.filter`)));
      kinds.set(kind, { filter, file, count: (await file.stat()).size / digestBytes[kind] });
    }
    return new KnownHashes(kinds);
  }

  /** Whether it is one of them; null where there is none of its kind. */
  async has(hash: string): Promise<boolean | null> {
    const kind = digestKindOf(hash);
    const sorted = kind && this.#kinds.get(kind);
    if (!kind || !sorted) return null;
    const digest = Buffer.from(hash, 'hex');
    return sorted.filter.mayHave(digest) && isIn(sorted, digest);
  }

  async close(): Promise<void> {
    for (const { file } of this.#kinds.values()) await file.close();
  }
}

async function isIn({ file, count }: Sorted, digest: Uint8Array): Promise<boolean> {
  const here = Buffer.alloc(digest.length);
  let [from, to] = [0, count];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    await file.read(here, 0, digest.length, middle * digest.length);
    const order = here.compare(digest);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** What the form of a list is called that was made of it as it is now; null where there is no such file. */
export async function formNameOf(path: string): Promise<string | null> {
  const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
  return size === 0 ? null : `${size}-${Math.round(mtimeMs)}`;
}

/** Removes forms of a list as it was before. */
export async function removeOtherForms(folder: string, but: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => /^\d+-\d+$/.test(name) && name !== but);
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
