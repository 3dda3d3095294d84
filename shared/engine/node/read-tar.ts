import { gunzipSync } from 'node:zlib';

/** A file in a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const block = 512;

/** What is in a gzip file, or why not: it is damaged, or unfolds to more than the limit. */
export function unpackGzip(packed: Uint8Array, maxOutputLength: number): Uint8Array | string {
  try {
    return gunzipSync(packed, { maxOutputLength });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'it unpacks to too much for what it weighs';
    return 'its compression is damaged, or it is cut';
  }
}

/** The files in a tar archive, or why it is refused as a whole: links, names that lead out of it, damage. */
export function tarEntries(archive: Uint8Array, most: number): TarEntry[] | string {
  const entries: TarEntry[] = [];
  let longName: string | null = null;
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return entries;
    if (!hasChecksum(header)) return entries.length === 0 ? 'it holds no tar' : 'its headers are damaged';
    const size = octal(header.subarray(124, 136));
    const bytes = archive.subarray(at + block, at + block + size);
    if (bytes.length < size) return 'it is cut';
    at += block + Math.ceil(size / block) * block;
    const kind = String.fromCharCode(header[156]!);
    const name: string = longName ?? nameOf(header);
    longName = null;
    if (kind === 'L') longName = text(bytes);
    else if (kind === 'x') longName = paxPath(text(bytes));
    else if (kind === '0' || kind === '\0') {
      if (leadsOut(name)) return `the name “${name.slice(0, 120)}” leads out of it`;
      if (entries.length >= most) return `it has more than ${most} files`;
      entries.push({ name: name.replace(/^(\.\/)+/, ''), bytes });
    } else if (kind !== '5' && kind !== 'g') return `“${name.slice(0, 120)}” is a link or device, no file`;
  }
  return 'it is cut';
}

function nameOf(header: Uint8Array): string {
  const isUstar = text(header.subarray(257, 262)) === 'ustar';
  const prefix = isUstar ? text(header.subarray(345, 500)) : '';
  const name = text(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The path that a pax header gives to the next entry; null where it gives none. */
function paxPath(records: string): string | null {
  return /^\d+ path=(.*)$/m.exec(records)?.[1] ?? null;
}

function leadsOut(name: string): boolean {
  return /^([\\/]|[A-Za-z]:)/.test(name) || name.split(/[\\/]/).includes('..');
}

/** A field's text up to its end or its first NUL. */
function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Numbers too large for octal digits come out as NaN, and so as no content at all. */
function octal(field: Uint8Array): number {
  const digits = text(field).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function hasChecksum(header: Uint8Array): boolean {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  return sum === octal(header.subarray(148, 156)) && Number.isFinite(octal(header.subarray(124, 136)));
}
