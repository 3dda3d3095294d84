import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiteralIndex } from './literal-index.ts';
import { fileLiterals } from './literal-tables.ts';

/** What stands in a text, each literal once; dashes are all one character. */
function plainly(literals: readonly string[], text: string): number[] {
  const normal = (one: string): string => one.replace(/[/\u2013-\u2015\ue000]/g, '-');
  return literals.flatMap((literal, number) => (normal(text).includes(normal(literal)) ? [number] : []));
}

function found(index: LiteralIndex, text: string): number[] {
  const numbers: number[] = [];
  index.search(text, (number) => {
    numbers.push(number);
    return false;
  });
  return numbers.sort((a, b) => a - b);
}

describe('LiteralIndex', () => {
  it.each([
    [['cmd.exe', 'cmd', 'exe', 'powershell'], 'c:\\cmd.exe', [0, 1, 2]],
    [['abcd', 'bcde', 'cdef'], 'abcdef', [0, 1, 2]],
    [['aaaa', 'aaaaa', 'a'], 'aaaaaa', [0, 1, 2]],
    [['same', 'same'], 'the same', [0, 1]],
    [['abc'], 'ab', []],
    [['abcde'], 'abcd', []],
    [['x'], '', []],
    [['żółw', '日本語テキスト'], 'to żółw 日本語テキスト', [0, 1]],
    // The lower bytes of these are equal.
    [['\u0161\u0162\u0163\u0164'], 'abcd', []],
    [['abcd'], '\u0161\u0162\u0163\u0164', []],
    [[' -enc', ' /e'], 'x –enc /e', [0, 1]],
    [['\ue000enc', 'a\ue000b'], 'x/enc', [0]],
  ])('finds of %j in %j: %j', (literals, text, expected) => {
    expect(found(new LiteralIndex(fileLiterals(literals)), text)).toEqual(expected);
  });

  it('finds what is there and nothing else, each once, also the second time', () => {
    const letter = fc.constantFrom('a', 'b', 'c', '-', '/', '\u2013', '\ue000', '\u0161', '😀', '.');
    const literal = fc.array(letter, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));
    const text = fc.array(letter, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(literal, { minLength: 1, maxLength: 30 }), text, text, (literals, one, two) => {
        const index = new LiteralIndex(fileLiterals(literals));
        for (const given of [one, two, one]) {
          expect(found(index, given)).toEqual(plainly(literals, given));
          expect(index.search(given, () => true)).toBe(plainly(literals, given).length > 0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('stops as soon as it is told to', () => {
    const index = new LiteralIndex(fileLiterals(['abcd', 'bcde', 'x']));
    let calls = 0;
    expect(
      index.search('abcde x', () => {
        calls++;
        return true;
      }),
    ).toBe(true);
    expect(calls).toBe(1);
  });

  it('holds thousands of literals', () => {
    const literals = Array.from({ length: 20_000 }, (_, at) => `literal number ${at * 7} of many`);
    const index = new LiteralIndex(fileLiterals(literals));
    expect(found(index, 'a literal number 70007 of many, and literal number 8 of many')).toEqual([10_001]);
  });
});
