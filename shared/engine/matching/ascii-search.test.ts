import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AsciiSearch } from './ascii-search.ts';
import { fileLiterals } from './literal-tables.ts';

/** What stands in a text, each literal once; dashes are all one character. */
function plainly(literals: readonly string[], text: string): number[] {
  const normal = (one: string): string => one.replaceAll('/', '-').toLowerCase();
  return literals.flatMap((literal, number) => (normal(text).includes(normal(literal)) ? [number] : []));
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
          const search = new AsciiSearch(fileLiterals(literals));
          for (const one of [given, before, given]) expect(found(search, before, one)).toEqual(plainly(literals, one));
        }),
        { numRuns: 500 },
      );
    },
  );

  it('leaves bytes of other characters to the text, wherever they stand', () => {
    const search = new AsciiSearch(fileLiterals(['abcd', 'żółw']));
    for (let at = 0; at < 12; at++) {
      const text = `${'abcdabcdabcd'.slice(0, at)}ż${'abcd'.slice(at % 4)}`;
      const bytes = new TextEncoder().encode(text);
      expect(search.search(bytes, 0, bytes.length, [])).toBe(false);
      expect(search.search(bytes, 0, at, [])).toBe(true);
    }
  });

  it('holds no literals at all', () => {
    expect(found(new AsciiSearch(fileLiterals(['żółw'])), 'x', 'any text')).toEqual([]);
  });
});
