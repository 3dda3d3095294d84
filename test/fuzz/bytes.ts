import type { Random } from '../samples/random.ts';

/** Numbers at which code that counts goes wrong. */
const edges = [0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x100, 0x1ff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0xffffffff];
/** Inputs are kept short, so that many can be tried; what grows with the length is tried by repeating. */
const longest = 32 * 1024;

type Mutation = (bytes: Uint8Array, random: Random, others: readonly Uint8Array[]) => Uint8Array;

/** Changes of bytes that know nothing of what they mean. */
export const byteMutations: readonly Mutation[] = [
  flipBits,
  setBytes,
  writeEdge,
  copyBlock,
  removeBlock,
  repeatBlock,
  cut,
  splice,
  fillBlock,
];

/** Writes a number as so many bytes, little-endian, as far as they fit. */
export function writeNumber(bytes: Uint8Array, at: number, width: number, value: number): void {
  for (let i = 0; i < width && at + i < bytes.length; i++) bytes[at + i] = Math.floor(value / 256 ** i) & 0xff;
}

/** A number that code may not expect: one of the edges, or one near what stands there. */
export function oddNumber(random: Random, present: number): number {
  return random.int(0, 2) === 0 ? Math.max(0, present + random.int(-9, 9)) : random.pick(edges);
}

/** The bytes with others put in at a place, in place of `removed` ones, as far as there are so many. */
export function replaceBytes(bytes: Uint8Array, at: number, removed: number, piece: Uint8Array): Uint8Array {
  const rest = bytes.subarray(at + removed);
  const changed = new Uint8Array(at + piece.length + rest.length);
  changed.set(bytes.subarray(0, at));
  changed.set(piece, at);
  changed.set(rest, at + piece.length);
  return changed;
}

function flipBits(bytes: Uint8Array, random: Random): Uint8Array {
  for (let i = random.int(1, 4); i > 0; i--) bytes[place(bytes, random)]! ^= 1 << random.int(0, 7);
  return bytes;
}

function setBytes(bytes: Uint8Array, random: Random): Uint8Array {
  for (let i = random.int(1, 4); i > 0; i--) bytes[place(bytes, random)] = random.int(0, 255);
  return bytes;
}

function writeEdge(bytes: Uint8Array, random: Random): Uint8Array {
  const at = place(bytes, random);
  writeNumber(bytes, at, random.pick([1, 2, 4]), oddNumber(random, bytes[at] ?? 0));
  return bytes;
}

function copyBlock(bytes: Uint8Array, random: Random): Uint8Array {
  const [from, length] = block(bytes, random);
  bytes.copyWithin(place(bytes, random), from, from + length);
  return bytes;
}

function removeBlock(bytes: Uint8Array, random: Random): Uint8Array {
  const [at, length] = block(bytes, random);
  return replaceBytes(bytes, at, length, new Uint8Array(0));
}

function repeatBlock(bytes: Uint8Array, random: Random): Uint8Array {
  const [at, length] = block(bytes, random);
  const piece = bytes.slice(at, at + length);
  const most = Math.floor((longest - bytes.length) / Math.max(1, length));
  // Seldom very often: that is what shows work that grows by the square, and takes time anyway.
  const times = Math.max(0, Math.min(random.int(0, 99) === 0 ? most : random.int(1, 3), most));
  const pieces = new Uint8Array(length * times);
  for (let i = 0; i < times; i++) pieces.set(piece, i * length);
  return replaceBytes(bytes, at, 0, pieces);
}

function cut(bytes: Uint8Array, random: Random): Uint8Array {
  return bytes.subarray(0, place(bytes, random));
}

function splice(bytes: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  const other = random.pick(others);
  const [from, length] = block(other, random);
  const at = place(bytes, random);
  const removed = random.int(0, 1) === 0 ? 0 : Math.min(length, bytes.length - at);
  return replaceBytes(bytes, at, removed, other.subarray(from, from + length));
}

function fillBlock(bytes: Uint8Array, random: Random): Uint8Array {
  const [at, length] = block(bytes, random);
  return bytes.fill(random.pick([0, 0xff, 0x20, 0x41, random.int(0, 255)]), at, at + length);
}

function place(bytes: Uint8Array, random: Random): number {
  return random.int(0, Math.max(0, bytes.length - 1));
}

function block(bytes: Uint8Array, random: Random): [at: number, length: number] {
  const at = place(bytes, random);
  const length = random.int(0, 3) === 0 ? random.int(1, 2000) : random.int(1, 40);
  return [at, Math.min(length, bytes.length - at)];
}
