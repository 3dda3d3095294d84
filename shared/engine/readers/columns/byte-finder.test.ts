import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteFinder } from './byte-finder.ts';

describe('ByteFinder', () => {
  it('tells what a look at each record tells, whatever was asked before', () => {
    const buffer = fc.uint8Array({ max: 3, minLength: 1, maxLength: 20 });
    const question = fc.record({ buffer: fc.nat(1), start: fc.nat(19), length: fc.nat(6) });
    fc.assert(
      fc.property(fc.tuple(buffer, buffer), fc.array(question, { maxLength: 20 }), (buffers, questions) => {
        const finder = new ByteFinder(0);
        for (const { buffer: which, start, length } of questions) {
          const bytes = buffers[which]!;
          const end = Math.min(start + length, bytes.length);
          expect(finder.isIn(bytes, start, end)).toBe(bytes.subarray(start, Math.max(start, end)).includes(0));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
