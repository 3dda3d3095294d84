import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64, base64Offsets, wideText } from './encodings.ts';

describe('base64', () => {
  it('is what others write', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });
});

describe('base64Offsets', () => {
  it.each([
    // Lengths 1, 2 and 3 modulo 3: what the specification cuts.
    ['f', ['Z', '', 'm']],
    ['fo', ['Zm', 'Zv', 'mb']],
    ['foo', ['Zm9v', 'Zvb', 'mb2']],
    ['foobar', ['Zm9vYmFy', 'Zvb2Jhc', 'mb29iYX']],
  ])('cuts what the neighbours of %j decide', (text, expected) => {
    expect(base64Offsets(new TextEncoder().encode(text))).toEqual(expected);
  });

  it('finds bytes wherever they stand in what was encoded', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 8 }),
        fc.uint8Array({ minLength: 1, maxLength: 12 }),
        fc.uint8Array({ maxLength: 8 }),
        (before, bytes, after) => {
          const whole = Buffer.concat([before, bytes, after]).toString('base64');
          expect(whole).toContain(base64Offsets(bytes)[before.length % 3]);
        },
      ),
    );
  });
});

describe('wideText', () => {
  it.each([
    ['wide', 'a😀', Buffer.from('a😀', 'utf16le')],
    ['utf16le', 'é', Buffer.from('é', 'utf16le')],
    ['utf16be', 'aé', Buffer.from('aé', 'utf16le').swap16()],
    ['utf16', 'a', Buffer.from('\ufeffa', 'utf16le')],
    ['wide', '', Buffer.alloc(0)],
  ] as const)('%s of %j', (encoding, text, expected) => {
    expect([...wideText(text, encoding)]).toEqual([...expected]);
  });
});
