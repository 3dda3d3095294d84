import type { Random } from '../samples/random.ts';
import { oddNumber, writeNumber } from './bytes.ts';

const header = 4096;
const chunkBytes = 65_536;
const firstRecord = 512;
const recordHead = 24;
const instanceHead = [0x0f, 1, 1, 0, 0x0c];
const valueTypes = [
  0, 1, 2, 3, 4, 8, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x21, 0x23,
];
const tokenBytes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f];

/** A number of an EVTX file that a reader relies on. */
export interface Spot {
  readonly at: number;
  readonly width: 1 | 2 | 4;
  readonly kind: 'number' | 'type' | 'token';
}

/** The first records of a file's first chunk, as a file cut to them. */
export function shortened(file: Uint8Array, mostBytes: number): Uint8Array | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const end = Math.min(file.length, header + chunkBytes);
  let at = header + firstRecord;
  while (at + 28 <= end && view.getUint32(at, true) === 0x2a2a) {
    const next = at + view.getUint32(at + 4, true);
    if (next > end || next <= at || next - header > mostBytes) break;
    at = next;
  }
  if (at === header + firstRecord) return undefined;
  const short = file.slice(0, at);
  new DataView(short.buffer).setUint32(header + 48, at - header, true);
  return short;
}

/** A log of several chunks, each with the records of one of these shortened files. */
export function chunksOf(files: readonly Uint8Array[]): Uint8Array {
  const file = new Uint8Array(header + files.length * chunkBytes);
  file.set(files[0]!.subarray(0, header));
  for (const [i, one] of files.entries()) file.set(one.subarray(header), header + i * chunkBytes);
  return file;
}

/** Where the numbers of a shortened file stand: of its header, chunk, records, definitions and value tables. */
export function spotsOf(file: Uint8Array): readonly Spot[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const spots: Spot[] = [32, 36, 40, 42, 120].map((at) => ({ at, width: 2, kind: 'number' }));
  for (const at of [40, 44, 48, 52, 120, 128, 384]) spots.push({ at: header + at, width: 4, kind: 'number' });
  for (let at = header + firstRecord; at + 28 <= file.length; at += view.getUint32(at + 4, true)) {
    const size = view.getUint32(at + 4, true);
    if (view.getUint32(at, true) !== 0x2a2a || size < 28 || at + size > file.length) break;
    spots.push({ at: at + 4, width: 4, kind: 'number' }, { at: at + size - 4, width: 4, kind: 'number' });
    for (let i = at + recordHead; i < at + size - 40; i++) {
      if (instanceHead.every((byte, k) => file[i + k] === byte)) spots.push(...instanceSpots(view, i + 5));
    }
  }
  return spots.filter((spot) => spot.at + spot.width <= file.length);
}

/** The spots of a template instance after its token: ids, definition, value descriptors. */
function instanceSpots(view: DataView, at: number): readonly Spot[] {
  const spots: Spot[] = [{ at: at + 5, width: 4, kind: 'number' }];
  let table = at + 9;
  if (header + view.getUint32(at + 5, true) === table && table + 24 < view.byteLength) {
    const size = view.getUint32(table + 20, true);
    spots.push({ at: table, width: 4, kind: 'number' }, { at: table + 20, width: 4, kind: 'number' });
    for (let i = 0; i < size && i < 4000; i++) {
      const token = (view.byteLength > table + 24 + i ? view.getUint8(table + 24 + i) : 0) & 0xbf;
      if (token > 0 && token < 0x10) spots.push({ at: table + 24 + i, width: 1, kind: 'token' });
    }
    table += 24 + size;
  }
  if (table + 4 > view.byteLength) return spots;
  spots.push({ at: table, width: 4, kind: 'number' });
  const count = Math.min(view.getUint32(table, true), 100);
  for (let i = 0; i < count; i++) {
    spots.push({ at: table + 4 + i * 4, width: 2, kind: 'number' }, { at: table + 6 + i * 4, width: 1, kind: 'type' });
  }
  return spots;
}

/** Writes something else at one of the spots. */
export function mutateSpot(bytes: Uint8Array, spots: readonly Spot[], random: Random): Uint8Array {
  const { at, width, kind } = random.pick(spots);
  const present = bytes.subarray(at, at + width).reduceRight((sum, byte) => sum * 256 + byte, 0);
  if (kind === 'type') bytes[at] = random.pick(valueTypes) | (random.int(0, 3) === 0 ? 0x80 : 0);
  else if (kind === 'token') bytes[at] = random.pick(tokenBytes) | (random.int(0, 2) === 0 ? 0x40 : 0);
  else writeNumber(bytes, at, width, offsetOr(random, oddNumber(random, present), bytes.length));
  return bytes;
}

/** Now and then an offset that does lie within the chunk, so that things refer to each other. */
function offsetOr(random: Random, other: number, length: number): number {
  return random.int(0, 2) === 0 ? random.int(firstRecord, Math.max(firstRecord, length - header)) : other;
}
