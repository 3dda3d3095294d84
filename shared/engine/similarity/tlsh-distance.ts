/** How far two digests are from each other; each part says what differs. */
export interface TlshDistance {
  /** The sum of the parts. 0 is equal or nearly so; below 30 much is shared, above 100 little. */
  readonly total: number;
  /** Lengths of the contents, in classes of about 10 %. */
  readonly length: number;
  /** How evenly the contents spread over the buckets. */
  readonly spread: number;
  /** 1 unless the checksums are equal. */
  readonly checksum: number;
  /** What the contents consist of. */
  readonly content: number;
}

/** The digest without what is compared as a whole: its length class, and its two ratios of quartiles. */
export interface TlshHead {
  readonly length: number;
  readonly q1: number;
  readonly q2: number;
}

const form = /^T1[0-9A-F]{70}$/i;

/** The distance that the reference implementation gives; throws a `RangeError` for what is no digest of this form. */
export function tlshDistance(one: string, other: string): TlshDistance {
  const [a, b] = [headOf(one), headOf(other)];
  const { length, spread } = headDistance(a, b);
  const checksum = one.slice(2, 4).toUpperCase() === other.slice(2, 4).toUpperCase() ? 0 : 1;
  const content = contentDistance(one, other);
  return { total: length + spread + checksum + content, length, spread, checksum, content };
}

/** The part of a distance that the heads make up: the whole is never less. */
export function headDistance(a: TlshHead, b: TlshHead): Pick<TlshDistance, 'length' | 'spread'> {
  const classes = around(a.length, b.length, 256);
  return {
    length: classes <= 1 ? classes : classes * 12,
    spread: ratioDistance(a.q1, b.q1) + ratioDistance(a.q2, b.q2),
  };
}

/** Throws a `RangeError` for what is no digest of this form. */
export function headOf(digest: string): TlshHead {
  if (!form.test(digest)) throw new RangeError(`Not a TLSH digest: ${digest}`);
  const digit = (place: number): number => Number.parseInt(digest.charAt(place), 16);
  return { length: digit(5) * 16 + digit(4), q1: digit(6), q2: digit(7) };
}

function ratioDistance(a: number, b: number): number {
  const steps = around(a, b, 16);
  return steps <= 1 ? steps : (steps - 1) * 12;
}

/** The shorter way round a circle. */
function around(a: number, b: number, size: number): number {
  const way = Math.abs(a - b);
  return Math.min(way, size - way);
}

/** Buckets differ by none to three levels; those that differ by all three count twice. */
function contentDistance(one: string, other: string): number {
  let sum = 0;
  for (let place = 8; place < 72; place++) {
    const [a, b] = [Number.parseInt(one.charAt(place), 16), Number.parseInt(other.charAt(place), 16)];
    sum += levels(a & 3, b & 3) + levels(a >> 2, b >> 2);
  }
  return sum;
}

function levels(a: number, b: number): number {
  const steps = Math.abs(a - b);
  return steps === 3 ? 6 : steps;
}
