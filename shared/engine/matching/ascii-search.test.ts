import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AsciiSearch } from './ascii-search.ts';
import { fold } from '../events/value-table.ts';
import { fileLiterals, normal } from './literal-tables.ts';

/** What stands in a text, each literal once; dashes are all one character. */
function plainly(literals: readonly string[], text: string): number[] {
  const folded = (one: string): string => one.replaceAll('/', '-').toLowerCase();
  return literals.flatMap((literal, number) => (folded(text).includes(folded(literal)) ? [number] : []));
}

function found(search: AsciiSearch, before: string, text: string): number[] {
  const bytes = new TextEncoder().encode(before + text + before);
  const numbers: number[] = [];
  expect(search.search(bytes, before.length, before.length + text.length, numbers)).toBe(true);
  return numbers.sort((one, two) => one - two);
}

describe('AsciiSearch', () => {
  it.each([1, 2, 3, 4, 5, 6, 9])(
    'finds what is there and nothing beyond: literals of %i characters and more',
    (least) => {
      const letter = fc.constantFrom('a', 'B', 'b', 'C', 'c', '-', '/', '.', '@', '`');
      const literal = fc
        .array(letter, { minLength: least, maxLength: least + 4 })
        .map((parts) => parts.join('').toLowerCase());
      const text = fc.array(fc.oneof(letter, literal), { maxLength: 12 }).map((parts) => parts.join(''));
      fc.assert(
        fc.property(fc.array(literal, { minLength: 1, maxLength: 20 }), text, text, (literals, before, given) => {
          const search = new AsciiSearch(fileLiterals(literals), false);
          for (const one of [given, before, given]) expect(found(search, before, one)).toEqual(plainly(literals, one));
        }),
        { numRuns: 500 },
      );
    },
  );

  it.each(['abcd', 'abcdefgh'])('looks past characters of which none counts as one of ASCII: %s', (literal) => {
    const search = new AsciiSearch(fileLiterals([literal]), false);
    const sure = new Set<string>();
    for (let unit = 0x80; unit < 0xd800; unit++) {
      const char = String.fromCharCode(unit);
      const bytes = new TextEncoder().encode(`${' '.repeat(unit % 16)}${char} ${literal}${char}`);
      const numbers: number[] = [];
      if (!search.search(bytes, 0, bytes.length, numbers)) continue;
      expect(numbers).toEqual([0]);
      sure.add(char);
    }
    expect(['ä', 'я', '日'].filter((char) => !sure.has(char))).toEqual([]);
    expect([...sure].filter((char) => normal(fold(char).charCodeAt(0)) < 0x80)).toEqual([]);
  });

  it('leaves bytes of other characters to the text, wherever they stand, where literals have such', () => {
    const search = new AsciiSearch(fileLiterals(['abcd', 'żółw']), false);
    for (let at = 0; at < 12; at++) {
      const text = `${'abcdabcdabcd'.slice(0, at)}ż${'abcd'.slice(at % 4)}`;
      const bytes = new TextEncoder().encode(text);
      expect(search.search(bytes, 0, bytes.length, [])).toBe(false);
      expect(search.search(bytes, 0, at, [])).toBe(true);
    }
  });

  it('holds no literals at all', () => {
    expect(found(new AsciiSearch(fileLiterals(['żółw']), false), 'x', 'any text')).toEqual([]);
  });
});
