import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../events/value-table.ts';
import { holdsFor } from '../testing/rule-check.ts';
import { ANY, compilePattern, foldPattern, ONE, parsePattern, type Piece } from './pattern.ts';
import { processorTime } from '../testing/processor-time.ts';

/** A value of a rule, as YAML single quotes take it, against a value of a record. */
function matches(pattern: string, value: string): boolean {
  return holdsFor(`s: {Field: '${pattern.replaceAll("'", "''")}'}\ncondition: s`, { Field: value });
}

describe('strings (1.3.1)', () => {
  it.each([
    // A star is any run of characters, none too, and line breaks too.
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'a\r\n\u2028c', true],
    ['a*c', 'abcd', false],
    ['*', 'anything', true],
    ['**', 'anything', true],
    ['*a*', 'bab', true],
    ['a*b*c', 'a-c-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*ab*ab', 'ab', false],
    ['*ab*ab', 'abab', true],
    ['a*a', 'a', false],
    // A question mark is exactly one character, one code point at that.
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'abbc', false],
    ['a?c', 'a\nc', true],
    ['a?c', 'a😀c', true],
    ['a??c', 'a😀c', false],
    ['?', '', false],
    ['??', '😀', false],
    ['*?', '', false],
    ['*?', 'x', true],
    ['*?b', 'ab', true],
    ['*?b', 'b', false],
    ['?*?', 'x', false],
    ['*??', '😀', false],
    ['a*?', 'a', false],
    // A backslash before a wildcard makes it plain; before a backslash, one of them.
    ['a\\*c', 'a*c', true],
    ['a\\*c', 'abc', false],
    ['a\\?c', 'a?c', true],
    ['a\\?c', 'abc', false],
    ['\\\\*', '\\anything', true],
    ['\\\\*', 'anything', false],
    ['\\\\\\*', '\\*', true],
    ['\\\\\\*', '\\x', false],
    ['\\\\\\\\', '\\\\', true],
    ['\\\\\\\\', '\\', false],
    ['C:\\Windows', 'C:\\Windows', true],
    ['C:\\\\Windows', 'C:\\Windows', true],
    ['C:\\\\\\\\Windows', 'C:\\\\Windows', true],
    ['C:\\', 'C:\\', true],
    ['C:\\\\', 'C:\\', true],
    ['\\', '\\', true],
    ['a\\b', 'a\\b', true],
    ['a\\b', 'ab', false],
    // The whole value, blanks and all, whatever its case.
    ['abc', 'ABC', true],
    ['abc', 'abcd', false],
    ['abc', ' abc', false],
    [' abc ', 'abc', false],
    [' abc ', ' ABC ', true],
    ['ÄÖÜ-ñ', 'äöü-Ñ', true],
    ['ΣΟΦΌΣ', 'σοφός', true],
    ['привет', 'ПРИВЕТ', true],
    // Folding is one to one: lengths never change, so these fold to themselves.
    ['ß', 'ß', true],
    ['ß', 'SS', false],
    ['ß', 'ẞ', true],
    ['İ', 'İ', true],
    ['İ', 'i̇', false],
    ['𐐀', '𐐨', true],
    // What another language would read as special is text.
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['a|b', 'a', false],
    ['%x%', '%x%', true],
    ['(a)+$^{2}', '(a)+$^{2}', true],
  ])('%j against %j: %s', (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected);
  });

  it.each([
    ['\\\\*', ['\\', ANY]],
    ['\\\\\\*', ['\\*']],
    ['a\\?b?c*', ['a?b', ONE, 'c', ANY]],
    ['\\', ['\\']],
    ['\\x\\\\', ['\\x\\']],
    ['', []],
  ])('reads %j in one pass', (text, pieces) => {
    expect(parsePattern(text)).toEqual(pieces);
  });
});

/** The plainest matcher of wildcards there is. */
function naively(pieces: readonly Piece[], points: readonly string[]): boolean {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return points.length === 0;
  if (piece === ANY) return naively(rest, points) || (points.length > 0 && naively(pieces, points.slice(1)));
  if (piece === ONE) return points.length > 0 && naively(rest, points.slice(1));
  const literal = Array.from(piece);
  return literal.every((char, at) => points[at] === char) && naively(rest, points.slice(literal.length));
}

describe('compilePattern', () => {
  const letters = fc.constantFrom('a', 'b', '😀');
  const text = fc.array(letters, { maxLength: 9 }).map((parts) => parts.join(''));
  const pieces = fc
    .array(fc.constantFrom('a', 'b', '😀', 'ab', '*', '*', '?'), { maxLength: 7 })
    .map((parts) => parsePattern(parts.join('')));

  it('agrees with the plainest matcher there is', () => {
    fc.assert(
      fc.property(pieces, text, (pattern, value) => {
        expect(compilePattern(pattern)(value)).toBe(naively(pattern, Array.from(value)));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes time linear in the text for the worst of patterns', () => {
    const matcher = compilePattern(foldPattern(parsePattern(`${'*a'.repeat(40)}*b`)));
    const took = processorTime();
    expect(matcher('a'.repeat(200_000))).toBe(false);
    expect(took()).toBeLessThan(2000);
  });
});

describe('fold', () => {
  it('keeps lengths, and folds what is folded to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = fold(text);
        expect(folded).toHaveLength(text.length);
        expect(fold(folded)).toBe(folded);
      }),
      { numRuns: 2000 },
    );
  });

  it('folds every character to itself in the end, and keeps its length', () => {
    for (let point = 0; point < 0x1_1000; point++) {
      const char = String.fromCodePoint(point);
      const folded = fold(char);
      if (folded.length !== char.length || fold(folded) !== folded) expect.fail(`U+${point.toString(16)}`);
    }
  });
});
