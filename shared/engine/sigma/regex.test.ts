import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../events/value-table.ts';
import { compileLookAround } from './look-around.ts';
import { rarest, requiredLiterals } from './regex-literals.ts';
import { checkRegex, compileRegex } from './regex.ts';
import { processorTime } from '../testing/processor-time.ts';

describe('compileRegex', () => {
  it.each([
    ['abc', '', 'xabcx', true],
    ['abc', '', 'ABC', false],
    ['abc', 'i', 'ABC', true],
    ['(?i)abc', '', 'ABC', true],
    ['(?i)(?m)^b$', '', 'A\nB', true],
    ['^b$', '', 'a\nb', false],
    ['^b$', 'm', 'a\nb', true],
    ['a.b', '', 'a\nb', false],
    ['a.b', 's', 'a\nb', true],
    ['(?s)a.b', '', 'a\nb', true],
    ['\\d\\w\\s', '', '1_\t', true],
    ['^[\\s]\\s\\S$', '', '\v\v_', true],
    ['\\s', '', '\u00a0', false],
    ['(?=.)\\s', '', '\v', true],
    ['\\d', '', '\u0663', false],
    ['\\w', '', 'é', false],
    ['\\bcmd\\b', '', 'x-cmd /c', true],
    ['\\bcmd\\b', '', 'xcmd', false],
    ['\\x41\\u0042', '', 'AB', true],
    ['(?P<n>a)(?<m>b)', '', 'ab', true],
    ['\\Aa\\z', '', 'a', true],
    ['a\\Z', '', 'a\n', true],
    ['a\\z', '', 'a\n', false],
    ['a\\hb[\\h]', '', 'a\tb ', true],
    ['[[:digit:]]+x', '', '12x', true],
    ['a+?b', '', 'aab', true],
    ['(?:ab){2,3}c', '', 'ababc', true],
    ['\\p{Lu}+\\x{42}', '', 'AB', true],
    ['\\é', '', 'é', true],
  ])('%s with %j on %j: %s', (source, flags, text, expected) => {
    expect(checkRegex(source, flags)).toBeNull();
    expect(compileRegex(source, flags)(text)).toBe(expected);
  });

  it.each([
    ['(?<=a)b', 'ab', true],
    ['(?<=a)b', 'cb', false],
    ['(?<!a)b', 'cb', true],
    ['a(?=b)', 'ab', true],
    ['a(?!b)', 'ab', false],
    ['(?i)(?<=PATH=)[a-z]+', 'path=X', true],
    ['^(?=.*\\d)(?=.*[a-z]).{4,}$', 'abc1', true],
    ['^(?=.*\\d)(?=.*[a-z]).{4,}$', 'abcd', false],
    ['(?<=[^\\x00-\\x7f])x', '😀x', true],
    ['(?!)', 'a', false],
  ])('%s on %j, with look-around: %s', (source, text, expected) => {
    expect(checkRegex(source, '')).toBeNull();
    expect(compileRegex(source, '')(text)).toBe(expected);
  });

  it.each([
    ['a++', 'possessive'],
    ['a{2}+', 'possessive'],
    ['(?>a)', 'atomic'],
    ['(a)\\1', 'escape'],
    ['(?=a)(b)\\1', 'escape'],
    ['a**', 'repetition'],
    ['(?=a)b**', 'repeats'],
    ['(a', 'missing'],
    ['(?=a', 'closed'],
    ['[a', 'missing'],
    ['(?=x)[b-a]', 'order'],
    ['(?=x)(?#no)', 'unknown kind'],
    ['((a{100}){100}){100}', 'repeat count'],
    ['(?=x)((((){1000}){1000}){1000})', 'too large'],
    [`(?=x)${'('.repeat(100)}${')'.repeat(100)}`, 'nested'],
    ['x'.repeat(20_000), 'longer'],
    ['[^a]{900}'.repeat(10), 'too large'],
  ])('%s is refused: %s', (source, reason) => {
    expect(checkRegex(source, '')).toContain(reason);
  });

  it.each(['a\\++', '[+]+', '\\(?>', '[a(?=b]', '\\(?=a', '\\p{L}+', '[]a]+'])('%s only looks special', (source) => {
    expect(checkRegex(source, '')).toBeNull();
  });

  it.each([
    ['(a+)+$', `${'a'.repeat(200_000)}b`],
    ['(x+x+)+y', 'x'.repeat(200_000)],
    ['(a|a)*b', 'a'.repeat(200_000)],
    ['(?:a?){1000}a{1000}', 'a'.repeat(200_000)],
    [`${'.*'.repeat(500)}x`, 'a'.repeat(200_000)],
    ['(?=x)(a|a)*b', `x${'a'.repeat(200_000)}`],
    ['(?=(a+)+b)a', 'a'.repeat(200_000)],
    ['(?<=(a|aa|aaa)*)c', `${'a'.repeat(200_000)}c`],
    ['(?=.*a)(?=.*b)(.*)*c', 'ab'.repeat(100_000)],
  ])('%s ends soon', (source, text) => {
    expect(checkRegex(source, '')).toBeNull();
    const took = processorTime();
    compileRegex(source, '')(text);
    expect(took()).toBeLessThan(3000);
  });

  it('says when a bound left a text undecided', () => {
    const long = 'x'.repeat(100_000);
    expect(compileRegex('(?:a?){1000}b', '')(`${long}b`)).toBeNull();
    expect(compileRegex('(?:a?){1000}b', '')(`b${long}`)).toBe(true);
    expect(compileRegex('(?:a?){1000}b$', '')(`b${long}`)).toBeNull();
    expect(compileRegex('(?<=(?:x|xx)*)y', '')(`${long}y`)).toBeNull();
    expect(compileRegex('x+y', '')(`${long}y`)).toBe(true);
  });
});

describe('compileLookAround', () => {
  it('agrees with the host on patterns and texts at random', () => {
    const pattern = fc.letrec<{ choice: string; one: string }>((tie) => ({
      choice: fc
        .array(fc.array(tie('one'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
        .map((parts) => parts.map((part) => part.join('')).join('|')),
      one: fc.oneof(
        { maxDepth: 2 },
        fc
          .tuple(
            fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w'),
            fc.constantFrom('', '*', '+', '?', '{1,2}', '*?'),
          )
          .map(([atom, quantifier]) => atom + quantifier),
        fc.constantFrom('^', '$', '\\b', '\\B'),
        tie('choice').map((inner) => `(?:${inner})*`),
        fc.tuple(fc.constantFrom('=', '!', '<=', '<!'), tie('choice')).map(([kind, inner]) => `(?${kind}${inner})`),
      ),
    })).choice;
    const text = fc
      .array(fc.constantFrom('a', 'b', 'B', ' ', '\n', '_', 'é'), { maxLength: 8 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(pattern, fc.constantFrom('', 'i', 'm', 's'), text, (source, flags, subject) => {
        expect(compileLookAround(source, flags)(subject)).toBe(new RegExp(source, flags).test(subject));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('requiredLiterals', () => {
  it.each<[string, string[][]]>([
    ['abc', [['abc']]],
    ['a.bcd*e', [['a'], ['bc'], ['e']]],
    ['(?i)AbC', [['AbC']]],
    ['a|bcd', [['a', 'bcd']]],
    ['a|bcd*', [['a', 'bc']]],
    ['a|', []],
    ['a|\\d', []],
    ['(abc)?de', [['de']]],
    ['docx?m', [['docm', 'docxm']]],
    ['docx?', [['doc']]],
    ['x{0,2}yz', [['yz']]],
    ['x{2}yz', [['xxyz']]],
    ['ab+c', [['ab'], ['bc']]],
    ['(?:ab)+c', [['ab'], ['abc']]],
    ['(?:a.b)+', [['a'], ['b']]],
    ['(?:a.b)*', []],
    ['\\.exe\\b', [['.exe']]],
    ['[abc]def', [['adef', 'bdef', 'cdef']]],
    ['[a-z]def', [['def']]],
    ['[^a]def', [['def']]],
    ['(a|b)', [['a', 'b']]],
    ['x(?:key[34]\\.db|login data|\\w)$', [['x']]],
    ['x(?:key[34]\\.db|login\\s+data)$', [['x'], ['key3.db', 'key4.db', 'login']]],
    ['^http://', [['http://']]],
    ['\\d{4}-\\w', [['-']]],
    ['[|]ab', [['|ab']]],
    ['(?!x)ab', [['ab']]],
    ['(?i:a)b', [['ab']]],
    ['(?-i:a)b', []],
  ])('%s: %j', (source, sets) => {
    expect(requiredLiterals(source)).toEqual(sets);
  });

  it.each(['ab😀?c', '\\😀?', '😀*', 'a😀{0,1}b'])('%s: no half of a character', (source) => {
    const plain = source.replace(/\\?😀[?*]|😀\{0,1\}/u, '');
    expect(compileRegex(source, '')(plain)).toBe(true);
    for (const set of requiredLiterals(source)) expect(set.some((one) => plain.includes(one))).toBe(true);
  });

  it('gives up where there are too many spellings', () => {
    expect(requiredLiterals('[ab]{6}x')).toEqual([
      ['a', 'b'],
      ['ax', 'bx'],
    ]);
    expect(requiredLiterals('(?:aa|bb|cc|dd){3}x')).toEqual([
      ['aa', 'bb', 'cc', 'dd'],
      ['aax', 'bbx', 'ccx', 'ddx'],
    ]);
  });

  it('the rarest is long and has few texts, none of several being short', () => {
    expect(rarest(requiredLiterals('set.*&&\\s?longer.*(a|b).*&&.*"'))).toEqual(['longer']);
    expect(rarest([['ab', 'abc']])).toBeNull();
    expect(rarest([['a'], ['abc', 'abd']])).toEqual(['abc', 'abd']);
    expect(rarest([])).toBeNull();
  });

  it('stands in every text that matches', () => {
    const letter = fc.constantFrom(
      'a',
      'b',
      'B',
      '.',
      '\\.',
      '\\d',
      '[ab]',
      '[^a|]',
      '\\|',
      '\\x41',
      '😀',
      '-',
      '^',
      '$',
    );
    const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '{0}', '{1,}', '+?', '*?', '{2}?');
    const sequence = fc
      .array(fc.tuple(letter, quantifier), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.map(([one, times]) => (/^[$^]$/.test(one) ? one : one + times)).join(''));
    const grouped = fc
      .tuple(fc.constantFrom('(?:', '(', '(?i:'), fc.array(sequence, { minLength: 1, maxLength: 2 }), quantifier)
      .map(([open, parts, times]) => `${open}${parts.join('|')})${times}`);
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '(?i)'),
        fc.array(fc.oneof(sequence, sequence, grouped), { minLength: 1, maxLength: 4 }),
      )
      .map(([flags, parts]) => flags + parts.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', 'B', '.', '1', '|', '😀', '-', '\n'), { maxLength: 12 })
      .map((all) => all.join(''));
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const sets = requiredLiterals(source).map((set) => set.map(fold));
        const holds = compileRegex(source, '');
        for (const one of texts) {
          if (holds(one) !== true) continue;
          matched++;
          for (const set of sets) expect(set.some((literal) => fold(one).includes(literal))).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(1000);
  });
});
