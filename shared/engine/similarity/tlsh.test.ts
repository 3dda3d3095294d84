import { describe, expect, it } from 'vitest';
import { TlshHasher } from './tlsh.ts';
import { tlshOf } from './tlsh-of.ts';
import { headDistance, headOf, tlshDistance } from './tlsh-distance.ts';

function content(length: number, factor: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Math.floor(((i * i * 7 + i * 13 + (i >> 3)) * factor) / 4) % 256);
}

function digestOf(...pieces: Uint8Array[]): string | null {
  const hasher = new TlshHasher();
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest();
}

// What py-tlsh 5.0.0 makes of the same.
const vectors = [
  [50, 1, 'T1389002602D55490194C703E04A5514744772499001A4618E29CC05135F761950580668'],
  [51, 3, 'T1EF900260471044DB908E01C42424A595513E14556621AD40C751A4E614EB45049E4D64'],
  [300, 1, 'T171E072312B28AE9B960717608A1234B08C3A887420ECF07E21E4EC2383123EA2290890'],
  [5000, 5, 'T1A6A17D0C38995ADB38187B7C121B81D500C1A76EE519CD38EC486E4C83F8E4829E4AED'],
  [5000, 3, 'T12FA19EB04ED859B33EAA399EDC51F81B0D3D0A9EBCC4E6876965803790EED441C4D4BC'],
  [70_001, 3, 'T1FB639E71C6D86677AA1E738F9CB1F41B8E384B95A4C4FA8265B6D03790FCE505D880BC'],
  [1_300_000, 9, 'T16155C04756F6F2AF104D1AB628DF7EE9184B520C0D0E1264345ECB7BE116F39C8EA4B9'],
] as const;

describe('the digest', () => {
  it.each(vectors)('of %d bytes (%d) is that of the reference', (length, factor, digest) => {
    expect(digestOf(content(length, factor))).toBe(digest);
  });

  it.each([1, 2, 3, 4, 5, 7, 4999])('is the same in pieces of %d bytes', (size) => {
    const whole = content(5000, 5);
    const pieces = Array.from({ length: Math.ceil(5000 / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size));
    expect(digestOf(new Uint8Array(0), ...pieces)).toBe(vectors[3][2]);
  });

  it('is none for what is too small or too uniform', () => {
    for (const bytes of [new Uint8Array(0), content(49, 1), new Uint8Array(100_000), Buffer.from('abcd'.repeat(500))]) {
      expect(digestOf(bytes)).toBeNull();
    }
  });

  it('is read from a source once, front to back, however little a read gives', async () => {
    const bytes = content(300, 1);
    const offsets: number[] = [];
    const read = async (offset: number, into: Uint8Array): Promise<number> => {
      offsets.push(offset);
      const part = bytes.subarray(offset, offset + 100);
      into.set(part);
      return part.length;
    };
    expect(await tlshOf({ size: bytes.length, read })).toBe(vectors[2][2]);
    expect(offsets).toEqual([0, 100, 200, 300]);
    await expect(tlshOf({ size: 300, read }, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('the distance', () => {
  const some = [vectors[2], vectors[3], vectors[5], vectors[4]].map(([, , digest]) => digest);
  // What py-tlsh 5.0.0 says of the same.
  const distances = [
    [0, 420, 719, 391],
    [420, 0, 578, 230],
    [719, 578, 0, 403],
    [391, 230, 403, 0],
  ];

  it('is that of the reference, and the sum of what differs', () => {
    for (const [i, one] of some.entries()) {
      for (const [j, other] of some.entries()) {
        const { total, length, spread, checksum, content: bytes } = tlshDistance(one, other);
        expect(total).toBe(distances[i]![j]);
        expect(length + spread + checksum + bytes).toBe(total);
        expect(headDistance(headOf(one), headOf(other))).toEqual({ length, spread });
      }
    }
  });

  it('is asked of digests only', () => {
    expect(() => tlshDistance(some[0]!, 'TNULL')).toThrow(RangeError);
  });
});
