import { open } from 'node:fs/promises';
import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { isGzip } from '../readers/compressed/gunzip.ts';
import { type ArchiveEntry, isZip, openArchive } from '../readers/compressed/open-archive.ts';
import type { RuleFile } from '../sigma/load-rules.ts';
import { fileSource } from './file-source.ts';
import { filesOfFolder } from './rule-files.ts';
import { tarEntries, unpackGzip } from './read-tar.ts';

/** What of a pack is used: its rule files, in the order of their paths, and what it says of itself. */
export interface PackFiles {
  readonly rules: readonly RuleFile[];
  /** Text of its licence file; null without one. */
  readonly licence: string | null;
  /** Text of its `pack.json`; null without one. */
  readonly manifest: string | null;
  /** Text of its `version.txt`, in which SigmaHQ's releases say which one they are; null without one. */
  readonly release: string | null;
}

/** Why a pack as a whole is refused, in a sentence. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

export const packLimits = {
  /** Of an archive as it comes. */
  packedBytes: 64 * 1024 * 1024,
  /** All SigmaHQ rules are 3,800 files of 8 MB, packed to a sixth. */
  unpackedBytes: 256 * 1024 * 1024,
  entries: 50_000,
  ratio: 100,
  fileBytes: 1024 * 1024,
} as const;

/** A file of a pack, with what reads it. */
interface Found {
  readonly path: string;
  readonly size: number;
  readonly read: () => Uint8Array | Promise<Uint8Array>;
}

/**
 * Reads a pack of rules: a folder, a zip archive or a gzipped tar, told by its content. Nothing is
 * written to disk, and nothing outside is read. Throws a {@link PackError} for what is no pack or is not
 * safe to unpack, and the file system's errors.
 */
export async function readPack(path: string): Promise<PackFiles> {
  const { files, close } = await openPack(path);
  try {
    return await packOf(files);
  } finally {
    await close();
  }
}

async function packOf(files: readonly Found[]): Promise<PackFiles> {
  const texts = new Map<string, string>();
  let unpacked = 0;
  for (const { path: name, size, read } of files) {
    if (kindOf(name) === null) continue;
    if (texts.has(name)) throw new PackError(`The pack has ${shown(name)} twice`);
    if (size > packLimits.fileBytes)
      throw new PackError(`${shown(name)} has ${size} bytes; a rule file has 1 MiB at most`);
    unpacked += size;
    if (unpacked > packLimits.unpackedBytes) throw new PackError('The pack unpacks to more than 256 MiB');
    texts.set(name, textOf(name, await read()));
  }
  const rules = [...texts].filter(([name]) => kindOf(name) === 'rule').map(([name, text]) => ({ path: name, text }));
  if (rules.length === 0) throw new PackError('The pack holds no rule file (.yml, .yaml)');
  return {
    rules: rules.sort((one, other) => (one.path < other.path ? -1 : 1)),
    licence: shallowest(texts, 'licence'),
    manifest: shallowest(texts, 'manifest'),
    release: shallowest(texts, 'release'),
  };
}

/** A pack whose files can be read until it is closed. */
interface OpenPack {
  readonly files: readonly Found[];
  readonly close: () => Promise<void>;
}

const nothingToClose = (): Promise<void> => Promise.resolve();

async function openPack(path: string): Promise<OpenPack> {
  const entry = statSync(path);
  if (entry.isDirectory()) return { files: folderFiles(path), close: nothingToClose };
  if (entry.size > packLimits.packedBytes) throw new PackError('The pack is larger than 64 MiB');
  const head = await headOf(path);
  if (isZip(head)) return openZip(path);
  if (isGzip(head)) return { files: tarFiles(readFileSync(path)), close: nothingToClose };
  throw new PackError('The file is neither a zip archive nor a gzipped tar');
}

function folderFiles(folder: string): Found[] {
  const paths = filesOfFolder(folder);
  if (paths.length > packLimits.entries) throw new PackError(`The folder has more than ${packLimits.entries} files`);
  return paths.map((path) => ({
    path: relative(folder, path).replaceAll(sep, '/'),
    size: statSync(path).size,
    read: () => readFileSync(path),
  }));
}

async function openZip(path: string): Promise<OpenPack> {
  const { entries: most, ratio, unpackedBytes: totalBytes } = packLimits;
  const source = await fileSource(path);
  const close = (): Promise<void> => source.close();
  try {
    const { entries, refused } = await openArchive(source, { entries: most, ratio, totalBytes });
    for (const { name, reason } of refused) {
      throw new PackError(name === '' ? `The archive is refused: ${reason}` : `${shown(name)} is refused: ${reason}`);
    }
    const files = entries.map((entry) => ({ path: entry.name, size: entry.size, read: () => unzipped(entry) }));
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function unzipped({ name, size, crc32: stated, source }: ArchiveEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    const count = await source.read(at, bytes.subarray(at));
    if (count === 0) break;
    at += count;
  }
  if (at < size || crc32(bytes) !== stated) throw new PackError(`The archive is damaged at ${shown(name)}`);
  return bytes;
}

function tarFiles(packed: Uint8Array): Found[] {
  const { unpackedBytes, ratio, entries } = packLimits;
  const limit = Math.min(unpackedBytes, Math.max(packed.length * ratio, packLimits.fileBytes));
  const unpacked = unpackGzip(packed, limit);
  if (typeof unpacked === 'string') throw new PackError(`The archive is refused: ${unpacked}`);
  const files = tarEntries(unpacked, entries);
  if (typeof files === 'string') throw new PackError(`The archive is refused: ${files}`);
  return files.map(({ name, bytes }) => ({ path: name, size: bytes.length, read: () => bytes }));
}

type FileKind = 'rule' | 'licence' | 'manifest' | 'release';

/** What a file is to a pack; null for what is of no use, or not meant for others. */
function kindOf(path: string): FileKind | null {
  const names = path.split('/');
  const last = names.at(-1) ?? '';
  if (names.some((name) => name.startsWith('.'))) return null;
  if (/\.ya?ml$/i.test(last)) return 'rule';
  // A rule and its test may be called so, too.
  if (/^licen[cs]e(?:[.-](?!.*\.json$)[^/]*)?$/i.test(last)) return 'licence';
  if (last === 'version.txt') return 'release';
  return last === 'pack.json' ? 'manifest' : null;
}

function depth(path: string): number {
  return path.split('/').length;
}

function shallowest(texts: ReadonlyMap<string, string>, kind: FileKind): string | null {
  const [path] = [...texts.keys()]
    .filter((name) => kindOf(name) === kind)
    .sort((one, other) => depth(one) - depth(other));
  return path === undefined ? null : texts.get(path)!;
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new PackError(`${shown(name)} is not UTF-8 text`, { cause: error });
  }
}

/** A name out of an archive, as it may stand in a sentence. */
function shown(name: string): string {
  // oxlint-disable-next-line no-control-regex -- a name may hold anything
  const plain = name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '�');
  return `“${plain.length > 120 ? `…${plain.slice(-120)}` : plain}”`;
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const head = new Uint8Array(4);
    await file.read(head, 0, 4, 0);
    return head;
  } finally {
    await file.close();
  }
}
