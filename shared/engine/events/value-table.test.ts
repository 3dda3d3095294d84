import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, ValueTable } from './value-table.ts';
import { ABSENT, EMPTY, NULL } from './value-id.ts';
import { decodeHex, decodeHexArguments, hexArgumentsInUtf8, hexInUtf8 } from '../readers/text/decoders.ts';
import { decodeUtf8 } from './utf8.ts';

describe('ValueTable', () => {
  it('gives one handle per text', () => {
    const values = new ValueTable();
    const a = values.intern('cmd.exe');
    expect(values.intern('cmd.exe')).toBe(a);
    expect(values.intern('CMD.EXE')).not.toBe(a);
    expect(values.text(a)).toBe('cmd.exe');
    expect(values.folded(values.intern('CMD.EXE'))).toBe('cmd.exe');
  });

  it('folds in passing as it does for good, more values than it holds and from generation to generation', () => {
    const values = new ValueTable();
    for (const prefix of ['One', 'Two']) {
      const ids = Array.from({ length: 1000 }, (_, i) => values.intern(`${prefix}${i}`));
      for (const at of [...ids.keys(), ...ids.keys()].reverse()) {
        expect(values.foldedInPassing(ids[at]!)).toBe(`${prefix.toLowerCase()}${at}`);
      }
      values.clear();
    }
    expect(values.foldedInPassing(ABSENT)).toBe('');
    expect(values.foldedInPassing(values.intern('X'.repeat(9000)))).toBe('x'.repeat(9000));
  });

  it('has handles for what is no text', () => {
    const values = new ValueTable();
    expect(values.intern('')).toBe(EMPTY);
    expect(values.internUtf16(utf16(''), 0, 0)).toBe(EMPTY);
    expect(values.internUtf16(utf16('\u0000x'), 0, 4)).toBe(EMPTY);
    expect([ABSENT, NULL, EMPTY].map((id) => values.text(id) + values.folded(id))).toEqual(['', '', '']);
  });

  it('interns UTF-16 wherever the bytes lie', () => {
    const values = new ValueTable();
    const bytes = new Uint8Array([9, ...utf16('Straße'), ...utf16('Straße')]);
    const id = values.internUtf16(bytes, 1, 12);
    expect(values.internUtf16(bytes, 13, 12)).toBe(id);
    expect(values.internUtf16(bytes, 13, 10)).not.toBe(id);
    expect(values.text(id)).toBe('Straße');
    expect(values.folded(id)).toBe('straße');
  });

  it('ends a UTF-16 text at the first NUL and keeps unpaired surrogates and byte order marks', () => {
    const values = new ValueTable();
    for (const text of ['ab\u0000cd', '\ud800x', `${'x'.repeat(100)}\udc00`, `\ufeff${'y'.repeat(100)}`, '\u0100']) {
      const bytes = utf16(text);
      expect(values.text(values.internUtf16(bytes, 0, bytes.length))).toBe(text.split('\u0000')[0]);
    }
  });

  it('reads an odd number of bytes as far as they go', () => {
    const values = new ValueTable();
    expect(values.text(values.internUtf16(utf16('abc'), 0, 5))).toBe('ab');
    expect(values.internUtf16(utf16('abc'), 0, 1)).toBe(EMPTY);
  });

  it('narrows UTF-16 of ASCII to bytes while no text has been made of it', () => {
    const values = new ValueTable();
    const narrow = (id: number): string | undefined => {
      const raw = values.inUtf8(id);
      return raw && String.fromCharCode(...raw.bytes.subarray(raw.offset, raw.offset + raw.byteLength));
    };
    const of = (text: string): number => values.internUtf16(utf16(text), 0, text.length * 2);
    const ids = ['Cmd.exe', 'ab\u0000cd', '\u007f', 'a\u0080', '\u0161', '\u4100'].map(of);
    expect(ids.map(narrow)).toEqual(['Cmd.exe', 'ab', '\u007f', undefined, undefined, undefined]);
    expect(values.text(ids[0]!)).toBe('Cmd.exe');
    expect(narrow(ids[0]!)).toBeUndefined();
    expect(narrow(of('x'.repeat(5000)))).toBe('x'.repeat(5000));
    const others = [ABSENT, EMPTY, values.intern('text'), values.list([ids[1]!, ids[2]!])];
    expect(others.map(narrow)).toEqual(others.map(() => undefined));
  });

  it('gives the UTF-8 of what stands there in hexadecimal, as it is in its text', () => {
    const values = new ValueTable();
    const kinds = [values.kind(decodeHex, hexInUtf8), values.kind(decodeHexArguments, hexArgumentsInUtf8)];
    const digits = ['6C73002D6C0000', 'C5BA', '414', '41'.repeat(5000)].map((text) => new TextEncoder().encode(text));
    const ids = kinds.flatMap((kind) => digits.map((bytes) => values.internBytes(kind, bytes, 0, bytes.length)));
    const texts = ids.map((id) => {
      const { bytes, offset, byteLength } = values.inUtf8(id)!;
      return decodeUtf8(bytes, offset, byteLength);
    });
    const long = 'A'.repeat(5000);
    expect(texts).toEqual(['ls\0-l\0\0', 'ź', 'A', long, 'ls -l', 'ź', 'A', long]);
    expect(ids.map((id) => values.text(id))).toEqual(texts);
    expect(values.inUtf8(ids[0]!)).toBeUndefined();
  });

  it('decodes raw values by kind, and only when asked', () => {
    const values = new ValueTable();
    let calls = 0;
    const sum = values.kind((bytes, offset, length) => {
      calls++;
      return String(bytes.subarray(offset, offset + length).reduce((a, b) => a + b, 0));
    });
    const count = values.kind((_, __, length) => String(length));
    const bytes = new Uint8Array([1, 2, 3, 1, 2, 3]);
    const id = values.internBytes(sum, bytes, 0, 3);
    expect(values.internBytes(sum, bytes, 3, 3)).toBe(id);
    expect(values.internBytes(count, bytes, 0, 3)).not.toBe(id);
    expect(calls).toBe(0);
    expect([values.text(id), values.text(id)]).toEqual(['6', '6']);
    expect(calls).toBe(1);
  });

  it('takes a guess only where it is right', () => {
    const values = new ValueTable(100_000);
    for (let round = 0; round < 3; round++) {
      const ids = Array.from({ length: 500 }, (_, i) => {
        const text = `v${(i + round) % 500}`;
        return i % 3 === 0 ? values.intern(text) : values.internUtf16(utf16(text), 0, text.length * 2);
      });
      for (const guess of ids) {
        const id = values.internUtf16(utf16('v7'), 0, 4, guess);
        expect(values.text(id)).toBe('v7');
        expect(values.text(values.internUtf16(utf16('w7'), 0, 4, guess))).toBe('w7');
      }
      while (values.size > 3) {
        values.intern(`filler ${round} ${values.size}`);
        values.nextRecord();
      }
    }
  });

  it('keeps values apart and alive while it grows', () => {
    const values = new ValueTable();
    const words = Array.from({ length: 20_000 }, (_, i) => `value ${i * 7919} ${'x'.repeat(i % 40)}`);
    const ids = words.map((word) => values.internUtf16(utf16(word), 0, word.length * 2));
    expect(new Set(ids).size).toBe(words.length);
    expect(words.map((word) => values.internUtf16(utf16(word), 0, word.length * 2))).toEqual(ids);
    expect(ids.map((id) => values.text(id))).toEqual(words);
    expect(values.size).toBe(Math.max(...ids) + 1);
  });

  it('gives long values a handle for one record', () => {
    const values = new ValueTable();
    const long = 'x'.repeat(5000);
    const ids = [values.intern(long), values.internUtf16(utf16(long), 0, 10_000)];
    expect(ids.map((id) => values.isTransient(id))).toEqual([true, true]);
    expect(ids.map((id) => values.text(id))).toEqual([long, long]);
    expect(values.folded(ids[0]!)).toBe(long);
    const size = values.size;
    values.nextRecord();
    expect(ids.map((id) => values.text(id))).toEqual(['', '']);
    expect(values.size).toBe(size);
  });

  it('gives values that are not worth keeping a handle for one record, too', () => {
    const values = new ValueTable();
    let calls = 0;
    const kind = values.kind((bytes, offset, length) => {
      calls++;
      return `T${bytes[offset]}${length}`;
    });
    const id = values.once(kind, new Uint8Array([7, 8]), 1, 1);
    expect([values.isTransient(id), calls]).toEqual([true, 0]);
    expect([values.folded(id), values.text(id), values.text(id), calls]).toEqual(['t81', 'T81', 'T81', 1]);
    expect(values.size).toBe(3);
    values.nextRecord();
    expect(values.text(id)).toBe('');
  });

  it('keeps lists, apart from texts that look like them', () => {
    const values = new ValueTable();
    const [a, b] = [values.intern('a'), values.intern('b')];
    const list = values.list([a, b]);
    expect(values.list([a, b])).toBe(list);
    expect(values.list([b, a])).not.toBe(list);
    expect(values.items(list)).toEqual([a, b]);
    expect(values.items(a)).toBeUndefined();
    expect(values.intern(`${a} ${b}`)).not.toBe(list);
    expect(values.text(list)).toBe('');
    const long = values.list([a, values.intern('x'.repeat(5000))]);
    expect(values.isTransient(long)).toBe(true);
    expect(values.items(long)).toHaveLength(2);
    values.nextRecord();
    expect(values.items(long)).toBeUndefined();
  });

  it('starts a new generation when its budget is spent, and only between records', () => {
    const values = new ValueTable(100_000);
    let held: number[] = [];
    let generations = 0;
    for (let record = 0; record < 5000; record++) {
      const before = values.generation;
      values.nextRecord();
      if (values.generation !== before) {
        generations++;
        held = [];
        expect(values.size).toBe(3);
      }
      const text = `value number ${record}`;
      const id = record % 2 === 0 ? values.intern(text) : values.internUtf16(utf16(text), 0, text.length * 2);
      held.push(id);
      expect(values.text(id)).toBe(text);
      expect(values.size).toBeLessThan(100_000 / 64 + 2);
    }
    expect(generations).toBeGreaterThan(1);
    expect(new Set(held).size).toBe(held.length);
  });

  it('agrees with a map of texts, whatever the texts', () => {
    const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('a', 'ab', '\ud800'));
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 50 }), (texts) => {
        const values = new ValueTable();
        const known = new Map<string, number>();
        for (const text of texts.map((each) => each.split('\u0000')[0]!)) {
          const id = values.internUtf16(utf16(text), 0, text.length * 2);
          expect(values.text(id)).toBe(text);
          expect(known.get(text) ?? id).toBe(id);
          known.set(text, id);
        }
        expect(new Set(known.values()).size).toBe(known.size);
      }),
      { numRuns: 100 },
    );
  });
});

describe('ValueTable.utf8', () => {
  it('gives the bytes of UTF-8 until a text is made of them', () => {
    const values = new ValueTable();
    const plain = values.kind(decodeUtf8);
    const bytes = new TextEncoder().encode('kept and moved');
    const id = values.internBytes(plain, bytes, 0, 4);
    const other = values.internBytes(
      values.kind(() => 'other'),
      bytes,
      0,
      4,
    );
    bytes.copyWithin(0, 9);
    const raw = values.utf8(id)!;
    expect(decodeUtf8(raw.bytes, raw.offset, raw.byteLength)).toBe('kept');
    expect([values.utf8(other), values.utf8(values.intern('text'))]).toEqual([undefined, undefined]);
    expect(values.text(id)).toBe('kept');
    expect(values.utf8(id)).toBeUndefined();
  });
});

describe('fold', () => {
  it.each([
    ['CMD.Exe', 'cmd.exe'],
    ['ÄÖÜ', 'äöü'],
    ['ΣΑΣ', 'σασ'],
    ['Straße', 'straße'],
    ['İstanbul', 'İstanbul'],
    ['ПРИВЕТ', 'привет'],
    ['𐐀', '𐐨'],
    ['\ud800A', '\ud800a'],
  ])('%s gives %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('is of every character the small letter of its capital, unless one of them is longer', () => {
    for (let point = 0; point < 0x20000; point++) {
      const char = String.fromCodePoint(point);
      const small = char.toUpperCase().toLowerCase();
      const isKept = char.toUpperCase().length !== char.length || small.length !== char.length;
      // Compared first, as the runner takes long for each expectation.
      const [folded, expected] = [fold(`${char}ż`), `${isKept ? char : small}ż`];
      if (folded !== expected) expect(folded).toBe(expected);
    }
  });

  it('never changes the length', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => fold(text).length === text.length));
  });
});

function utf16(text: string): Uint8Array {
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
  return new Uint8Array(units.buffer);
}
