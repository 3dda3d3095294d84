import { Inflate } from 'fflate';
import type { ByteSource } from '../reader.ts';
import { ForwardSource, type NextPieces } from './forward-source.ts';
import { pushBytes } from './gunzip.ts';

/** A log in an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** Bytes of the log itself. */
  readonly size: number;
  /** In milliseconds since 1970, by the clock of its place taken for UTC, as archives know no zones; null when unset. */
  readonly modified: number | null;
  /** Of the log itself, as the archive states it. */
  readonly crc32: number;
  readonly source: ByteSource;
}

/** What of an archive is not opened, and why; without a name it is the whole of it. */
export interface RefusedEntry {
  readonly name: string;
  readonly reason: string;
}

export interface Archive {
  readonly entries: readonly ArchiveEntry[];
  readonly refused: readonly RefusedEntry[];
}

export interface ArchiveLimits {
  readonly entries: number;
  /** Unpacked size of all entries by the size of the archive. */
  readonly ratio: number;
  /** Unpacked bytes of all entries. */
  readonly totalBytes: number;
}

export const archiveLimits: ArchiveLimits = { entries: 1000, ratio: 200, totalBytes: 16 * 1024 ** 3 };

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const longestComment = 65_535;
const entryBytes = 46;
const localBytes = 30;
const mostDirectory = 64 * 1024 * 1024;
const wide = 0xffff_ffff;
const stepBytes = 16 * 1024;

/** Whether the bytes begin a zip archive. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * Lists the logs in a zip archive, each as a source of its own, in the archive's order. Nothing is
 * unpacked yet. What is not safe to unpack is refused with its reason; only the source's own errors reject.
 */
export async function openArchive(source: ByteSource, limits = archiveLimits): Promise<Archive> {
  const directory = await readDirectory(source);
  if (typeof directory === 'string') return whole(directory);
  if (directory.count > limits.entries) return whole(`it has ${directory.count} entries, more than ${limits.entries}`);
  const found = listEntries(directory);
  if (typeof found === 'string') return whole(found);
  const files = found.filter(({ name }) => !name.endsWith('/'));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > limits.totalBytes) return whole(`it unpacks to ${total} bytes, more than ${limits.totalBytes}`);
  if (total > source.size * limits.ratio) return whole(`it unpacks to more than ${limits.ratio} times its size`);
  const refused: RefusedEntry[] = [];
  const entries: ArchiveEntry[] = [];
  let last = 0;
  for (const entry of files.toSorted((one, other) => one.offset - other.offset)) {
    const reason = refusal(entry) ?? (entry.offset < last ? 'it overlaps another entry' : undefined);
    const opened = reason ?? (await openEntry(source, entry, directory.offset));
    last = Math.max(last, entry.offset + localBytes + entry.packedSize);
    if (typeof opened === 'string') refused.push({ name: entry.name, reason: opened });
    else entries.push(opened);
  }
  return { entries, refused };
}

interface Directory {
  readonly count: number;
  readonly offset: number;
  readonly view: DataView;
}

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly packedSize: number;
  readonly size: number;
  readonly modified: number | null;
  readonly crc32: number;
  readonly offset: number;
}

function whole(reason: string): Archive {
  return { entries: [], refused: [{ name: '', reason }] };
}

async function readDirectory(source: ByteSource): Promise<Directory | string> {
  const tail = await readAt(source, Math.max(0, source.size - endBytes - longestComment), endBytes + longestComment);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  let end = tail.length - endBytes;
  while (end >= 0 && view.getUint32(end, true) !== endSignature) end--;
  if (end < 0) return 'it has no directory, so it is cut or no archive';
  const count = view.getUint16(end + 10, true);
  const length = view.getUint32(end + 12, true);
  const offset = view.getUint32(end + 16, true);
  if (count === 0xffff || length === wide || offset === wide) return 'it is of the 64-bit kind (zip64)';
  if (view.getUint16(end + 4, true) !== 0) return 'it is one of several parts';
  if (length > mostDirectory) return 'its directory is too long';
  const bytes = await readAt(source, offset, length);
  if (bytes.length < length) return 'its directory is cut';
  return { count, offset, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

function listEntries({ count, view }: Directory): Entry[] | string {
  const entries: Entry[] = [];
  for (let i = 0, at = 0; i < count; i++) {
    if (at + entryBytes > view.byteLength || view.getUint32(at, true) !== entrySignature) {
      return 'its directory is damaged';
    }
    const nameLength = view.getUint16(at + 28, true);
    const after = at + entryBytes + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (after > view.byteLength) return 'its directory is damaged';
    const name = new Uint8Array(view.buffer, view.byteOffset + at + entryBytes, nameLength);
    entries.push({
      name: new TextDecoder().decode(name),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      modified: timeOf(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
      crc32: view.getUint32(at + 16, true),
      offset: view.getUint32(at + 42, true),
    });
    at = after;
  }
  return entries;
}

/** The date of MS-DOS: years since 1980, and seconds by twos. */
function timeOf(day: number, clock: number): number | null {
  const time = Date.UTC(
    1980 + (day >> 9),
    ((day >> 5) & 15) - 1,
    day & 31,
    clock >> 11,
    (clock >> 5) & 63,
    (clock & 31) * 2,
  );
  return (day & 31) === 0 ? null : time;
}

function refusal({ name, flags, method, packedSize, size, offset }: Entry): string | undefined {
  if (isUnsafe(name)) return 'its name leads out of the archive';
  if ((flags & 1) !== 0) return 'it is encrypted';
  if (packedSize === wide || size === wide || offset === wide) return 'it is of the 64-bit kind (zip64)';
  if (method !== 0 && method !== 8) return `it is packed by method ${method}, which is not known`;
  return method === 0 && packedSize !== size ? 'its sizes do not agree' : undefined;
}

function isUnsafe(name: string): boolean {
  return name.includes('\0') || /^(?:[\\/]|[A-Za-z]:)/.test(name) || name.split(/[\\/]/).includes('..');
}

async function openEntry(source: ByteSource, entry: Entry, directory: number): Promise<ArchiveEntry | string> {
  const { name, size, modified, crc32, method, packedSize, offset } = entry;
  const header = await readAt(source, offset, localBytes);
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (header.length < localBytes || view.getUint32(0, true) !== localSignature) return 'its header is damaged';
  const start = offset + localBytes + view.getUint16(26, true) + view.getUint16(28, true);
  if (start + packedSize > directory) return 'its content is cut or overlaps the directory';
  const packed = part(source, start, packedSize);
  const content = method === 0 ? packed : new ForwardSource(() => inflatePieces(packed, size), size);
  const head = await readAt(content, 0, 4);
  return isZip(head) ? 'it is an archive itself' : { name, size, modified, crc32, source: content };
}

/** A stretch of a source. */
function part(source: ByteSource, start: number, size: number): ByteSource {
  return {
    size,
    read: (offset, into) =>
      offset >= size ? Promise.resolve(0) : source.read(start + offset, into.subarray(0, Math.max(0, size - offset))),
  };
}

/** Never more than the announced size comes out, however much there is. */
function inflatePieces(packed: ByteSource, size: number): NextPieces {
  let pieces: Uint8Array[] = [];
  let at = 0;
  let left = size;
  const inflate = new Inflate((piece) => {
    pieces.push(piece.subarray(0, left));
    left = Math.max(0, left - piece.length);
  });
  return async () => {
    pieces = [];
    const step = new Uint8Array(stepBytes);
    const count = left === 0 ? 0 : await packed.read(at, step);
    if (count === 0) return undefined;
    at += count;
    try {
      for (let from = 0; from < count; from += pushBytes) {
        inflate.push(step.subarray(from, Math.min(from + pushBytes, count)));
      }
    } catch {
      at = packed.size;
    }
    return pieces;
  };
}

async function readAt(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(length, Math.max(0, source.size - offset)));
  let filled = 0;
  while (filled < bytes.length) {
    const count = await source.read(offset + filled, bytes.subarray(filled));
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
