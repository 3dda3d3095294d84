import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damaged, jsonObjects, parsedExactly } from '../../testing/json-texts.ts';
import { entry, JsonScan, mostEntries } from './json-scan.ts';
import { plainValue, treeOf } from './json-tree.ts';

describe('JsonScan', () => {
  it('reads what JSON.parse does, and long integers as they stand', () => {
    fc.assert(
      fc.property(fc.array(jsonObjects, { minLength: 1, maxLength: 5 }), (texts) => {
        const scan = new JsonScan();
        for (const text of texts) expect(read(scan, new TextEncoder().encode(text))).toEqual(parsedExactly(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses what JSON.parse does', () => {
    fc.assert(
      fc.property(damaged(jsonObjects), (bytes) => {
        expect(read(new JsonScan(), bytes)).toEqual(
          parsedExactly(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
        );
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":-}',
    '{"a":1e}',
    '{"a":tru}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\n"}',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a" 1}',
    '{a:1}',
    '{"a":1]',
    '{"a":[1}',
    '{,}',
    '{"a":1',
    '{"a":"b',
  ])('refuses %s', (text) => {
    expect(read(new JsonScan(), new TextEncoder().encode(text))).toBeUndefined();
  });

  it('reads on to a depth of 1,024', () => {
    const scan = new JsonScan();
    const nested = (depth: number): Uint8Array =>
      new TextEncoder().encode(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
    expect(scan.scan(nested(1024), 0)).toBe(true);
    expect(scan.scan(nested(1025), 0)).toBe(false);
  });

  it('keeps the first values of a record that has very many, and says so', () => {
    const scan = new JsonScan();
    const items = Array.from({ length: mostEntries + 1000 }, (_, i) => i).join(',');
    expect(scan.scan(new TextEncoder().encode(`{"a":{"b":[${items}],"c":[1]}}`), 0)).toBe(true);
    expect(scan.isCut).toBe(true);
    const kinds = Array.from({ length: scan.count }, (_, at) => scan.entry(at));
    expect(kinds.filter((kind) => kind === entry.close)).toHaveLength(3);
    expect(scan.count).toBe(mostEntries + 3);
  });
});

/** The object that makes up all of the bytes; undefined where the scan refuses it. */
function read(scan: JsonScan, bytes: Uint8Array): unknown {
  const isRead = bytes[0] === 0x7b && scan.scan(bytes, 0) && scan.end === bytes.length;
  return isRead ? plainValue(treeOf(scan)) : undefined;
}
