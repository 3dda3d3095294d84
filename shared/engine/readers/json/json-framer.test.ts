import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damaged, jsonObjects } from '../../testing/json-texts.ts';
import { JsonFramer } from './json-framer.ts';
import { JsonScan } from './json-scan.ts';

const wrapperKeys = new Set(['a', 'Records']);
const separator = fc.constantFrom('\n', '\n', ',', ' ', '\r\n', ']', '\n  ');
const stream = fc.tuple(
  fc.constantFrom('', '', '[', '{"Records":[', '{"x":{},"a":['),
  fc.array(fc.tuple(jsonObjects, separator), { minLength: 1, maxLength: 5 }),
);
const streams = stream.map(([opening, parts]) => opening + parts.flat().join(''));

describe('JsonFramer with a scan', () => {
  it.each([
    ['sound', streams.map((text) => new TextEncoder().encode(text)), 2000],
    ['damaged', damaged(streams), 6000],
  ] as const)('finds in %s streams what it finds without, in pieces', (_, given, numRuns) => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 20 }), (bytes, step) => {
        expect(framed(bytes, bytes.length, true)).toEqual(framed(bytes, step, false));
        expect(framed(bytes, step, true)).toEqual(framed(bytes, step, false));
      }),
      { numRuns },
    );
  });
});

/** What is found when ever more bytes can be seen. */
function framed(bytes: Uint8Array, step: number, hasScan: boolean): string[] {
  const found: string[] = [];
  const scan = hasScan ? new JsonScan((key) => wrapperKeys.has(key)) : undefined;
  const framer = new JsonFramer((problem, at) => found.push(`${problem} ${at}`), wrapperKeys, scan);
  for (let seen = 0; seen < bytes.length;) {
    seen = Math.min(bytes.length, seen + step);
    const visible = bytes.subarray(0, seen);
    while (framer.next(visible)) found.push(`${framer.start}-${framer.end}`);
  }
  return found;
}
