import { headDistance, headOf, type TlshHead } from '@svc/engine';
import type { fileDigests } from '../schema/index.ts';

type DigestColumns = Omit<typeof fileDigests.$inferInsert, 'fileId'>;

/**
 * The parts of a TLSH digest as they are stored. Each of its 128 levels, 0 to 3, is three bits, of which as many are set:
 * one in each third of the code. The levels of two digests then differ by the bits that do, and by all three where the
 * bits of the first and the last third both do.
 */
export function digestColumns(digest: string): DigestColumns {
  const levels = digest
    .slice(8)
    .split('')
    .flatMap((digit) => {
      const two = Number.parseInt(digit, 16);
      return [two >> 2, two & 3];
    });
  const third = (least: number): string => levels.map((level) => (level >= least ? '1' : '0')).join('');
  return {
    head: headNumber(headOf(digest)),
    checksum: Number.parseInt(digest.slice(2, 4), 16),
    code: third(1) + third(2) + third(3),
  };
}

/** Every head within a distance of the digest's, and how far heads are by each of their parts. */
export function headsNear(digest: string, most: number) {
  const own = headOf(digest);
  const lengths = Array.from({ length: 256 }, (_, length) => headDistance(own, { ...own, length }).length);
  const firsts = Array.from({ length: 16 }, (_, q1) => headDistance(own, { ...own, q1 }).spread);
  const seconds = Array.from({ length: 16 }, (_, q2) => headDistance(own, { ...own, q2 }).spread);
  const heads: number[] = [];
  for (let head = 0; head < 65_536; head++) {
    if (lengths[head >> 8]! + firsts[(head >> 4) & 15]! + seconds[head & 15]! <= most) heads.push(head);
  }
  return { heads, lengths, firsts, seconds };
}

function headNumber({ length, q1, q2 }: TlshHead): number {
  return length * 256 + q1 * 16 + q2;
}
