import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HashFilter } from './hash-filter.ts';

/** Bytes of the digests that are looked up, by kind. */
export const digestBytes = { md5: 16, sha1: 20, sha256: 32 } as const;
export type DigestKind = keyof typeof digestBytes;
export const digestKinds = Object.keys(digestBytes) as DigestKind[];

/** The kind of a hash by its length; null for none of these. */
export function digestKindOf(hash: string): DigestKind | null {
  if (!/^[0-9a-f]+$/i.test(hash)) return null;
  return digestKinds.find((kind) => digestBytes[kind] * 2 === hash.length) ?? null;
}

/** Digests that begin alike are sorted together, in memory; and what of them is not yet written. */
const [parts, heldBytes] = [256, 262_144] as const;

/**
 * Writes what a list of known files holds into a folder, by kind: the digests in order, and a filter over them. Lines are
 * those of NSRL, of hashdeep, of `sha256sum`, or bare hashes: digests and numbers up to the first field that is neither,
 * so that no name of a file is taken for a hash. Half of it is never seen: the folder has its name in the end.
 */
export async function sortHashes(source: string, folder: string): Promise<void> {
  const making = `${folder}.${process.pid}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  try {
    const counts = await split(source, making);
    for (const kind of digestKinds) if (counts[kind] > 0) await sortKind(making, kind, counts[kind]);
    // Another process may have made the same meanwhile.
    await rename(making, folder).catch(() => undefined);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Digests of a line, up to its first blank: what follows one is a name. */
export function digestsOf(line: string): string[] {
  const found: string[] = [];
  for (const field of line
    .trim()
    .split(/\s/, 1)[0]!
    .split(/[,;"]+/)) {
    if (field === '') continue;
    if (!/^[0-9a-f]+$/i.test(field)) break;
    if (digestKindOf(field) !== null) found.push(field);
  }
  return found;
}

async function split(source: string, making: string): Promise<Record<DigestKind, number>> {
  const counts = { md5: 0, sha1: 0, sha256: 0 };
  const held = new Map<string, string[]>();
  let waiting = 0;
  const write = async (): Promise<void> => {
    for (const [name, hashes] of held) await appendFile(join(making, name), Buffer.from(hashes.join(''), 'hex'));
    held.clear();
    waiting = 0;
  };
  const lines = createInterface({ input: createReadStream(source), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    for (const hash of digestsOf(line)) {
      const kind = digestKindOf(hash)!;
      counts[kind] += 1;
      const name = `${kind}.${hash.slice(0, 2).toLowerCase()}`;
      const before = held.get(name);
      if (before === undefined) held.set(name, [hash]);
      else before.push(hash);
      waiting += hash.length;
    }
    if (waiting > parts * heldBytes) await write();
  }
  await write();
  return counts;
}

async function sortKind(making: string, kind: DigestKind, most: number): Promise<void> {
  const size = digestBytes[kind];
  const filter = HashFilter.for(most);
  const sorted = await open(join(making, `${kind}.sorted`), 'w');
  try {
    for (let part = 0; part < parts; part += 1) {
      const file = join(making, `${kind}.${part.toString(16).padStart(2, '0')}`);
      const bytes = await readFile(file).catch(() => null);
      if (bytes === null) continue;
      const digests = Array.from({ length: bytes.length / size }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      digests.sort((one, other) => one.compare(other));
      const distinct = digests.filter((digest, at) => at === 0 || digest.compare(digests[at - 1]!) !== 0);
      for (const digest of distinct) filter.add(digest);
      await sorted.write(Buffer.concat(distinct));
      await rm(file);
    }
  } finally {
    await sorted.close();
  }
  await writeFile(join(making, `${kind}.filter`), filter.bytes);
}
