/** Jobs of a run of ids that share a bitmap. */
export const chunkSize = 1024;
export const chunkBytes = chunkSize / 8;

/** A set of job ids: for each run of ids a bitmap; a run without one has none of them. Never changed once made. */
export type JobSet = ReadonlyMap<number, Uint8Array>;

export const noJobs: JobSet = new Map();

/** The run that an id belongs to. */
export function chunkOf(id: number): number {
  return Math.floor(id / chunkSize);
}

/** The set of these ids. */
export function setOf(ids: readonly number[]): JobSet {
  const set = new Map<number, Uint8Array>();
  for (const id of ids) {
    const chunk = chunkOf(id);
    let bits = set.get(chunk);
    if (!bits) set.set(chunk, (bits = new Uint8Array(chunkBytes)));
    const place = id % chunkSize;
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return set;
}

/** Ids of a run, ascending. */
export function idsIn(set: JobSet, chunk: number): number[] {
  const ids: number[] = [];
  for (const [at, byte] of (set.get(chunk) ?? []).entries()) {
    for (let bit = 0; bit < 8; bit += 1) if ((byte >> bit) & 1) ids.push(chunk * chunkSize + at * 8 + bit);
  }
  return ids;
}

export function union(sets: readonly JobSet[]): JobSet {
  const [first = noJobs, ...others] = sets.filter(({ size }) => size > 0);
  if (others.length === 0) return first;
  const joined = new Map(first);
  for (const set of others) for (const [chunk, bits] of set) joined.set(chunk, either(joined.get(chunk), bits));
  return joined;
}

export function intersection(a: JobSet, b: JobSet): JobSet {
  return combined(a, (bits, chunk) => {
    const others = b.get(chunk);
    return others ? bits.map((byte, at) => byte & (others[at] ?? 0)) : null;
  });
}

export function difference(a: JobSet, b: JobSet): JobSet {
  return combined(a, (bits, chunk) => {
    const others = b.get(chunk);
    return others ? bits.map((byte, at) => byte & ~(others[at] ?? 0)) : bits;
  });
}

/** How many ids a run has. */
export function sizeIn(set: JobSet, chunk: number): number {
  let size = 0;
  for (const byte of set.get(chunk) ?? []) size += ones[byte] ?? 0;
  return size;
}

export function sizeOf(set: JobSet): number {
  let size = 0;
  for (const chunk of set.keys()) size += sizeIn(set, chunk);
  return size;
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function combined(set: JobSet, combine: (bits: Uint8Array, chunk: number) => Uint8Array | null): JobSet {
  const made = new Map<number, Uint8Array>();
  for (const [chunk, bits] of set) {
    const some = combine(bits, chunk);
    if (some) made.set(chunk, some);
  }
  return made;
}

function either(a: Uint8Array | undefined, b: Uint8Array): Uint8Array {
  return a ? a.map((byte, at) => byte | (b[at] ?? 0)) : b;
}
