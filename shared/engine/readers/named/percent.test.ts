import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentDecoded, percentDecodedBytes } from './percent.ts';

function inBytes(text: string): string | undefined {
  const bytes = new TextEncoder().encode(`%41${text}%42`);
  const decoded = percentDecodedBytes(bytes, 3, bytes.length - 3);
  return decoded && new TextDecoder('utf-8', { ignoreBOM: true }).decode(decoded);
}

describe('percentDecodedBytes', () => {
  it.each([
    ['/a%20b', '/a b'],
    ['%e2%82%ac', '€'],
    ['%u0041%20', 'A '],
    ['ż%20', 'ż '],
    ['%2', undefined],
    ['100%', undefined],
    ['%zz', undefined],
    ['', undefined],
  ])('%j is %j', (text, decoded) => {
    expect(inBytes(text)).toBe(decoded);
  });

  it('gives what the text gives', () => {
    const part = fc.constantFrom('%', 'a', '4', '1', 'u', 'F', '%41', '%c3%a9', '%c3', '%u00e9', 'é', ' ', '%2', '%25');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(inBytes(parts.join(''))).toBe(percentDecoded(parts.join('')));
      }),
      { numRuns: 2000 },
    );
  });
});
