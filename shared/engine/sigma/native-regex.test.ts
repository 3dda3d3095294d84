import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { nativeRegex } from './native-regex.ts';
import { processorTime } from '../testing/processor-time.ts';

const mostSteps = 16_000_000;

describe('nativeRegex', () => {
  it.each([
    ['^[A-Za-z0-9]{16}$', 100_000],
    ['a{1,32}\\.b{1,6}', 50_000],
    ['(?:foo|bar)?baz', 100_000],
    ['.{1000,}', 10_000],
    ['(?:ab)*c\\w+', 100_000],
    ['a.*b.*c', 150],
  ])('%s is safe on texts of %i characters', (source, length) => {
    expect(nativeRegex(source, '', mostSteps)?.longest).toBeGreaterThan(length);
  });

  it.each(['(?:a?){1000}b', '(?=a)b', '(a|a){60}', '\\p{L}', 'x((a{1,9}){1,9}){1,9}b', 'x(a+)+$'])(
    '%s is for others',
    (source) => {
      expect(nativeRegex(source, '', mostSteps)?.longest ?? 0).toBeLessThan(10);
    },
  );

  it('takes no longer than it says', () => {
    for (const source of ['[ab]a*a*c', '[ab]a*a*a*c', '(?:a?a?){5}b', '(?:a{1,20}|aa){3}b', '.*a.*a.*b']) {
      const { regex, longest } = nativeRegex(source, '', mostSteps)!;
      const took = processorTime();
      expect(regex.test('a'.repeat(longest))).toBe(false);
      expect(took()).toBeLessThan(2000);
    }
  });

  it('agrees with RE2 on patterns and texts of ASCII at random', () => {
    const atom = fc
      .tuple(
        fc.constantFrom(
          'a',
          'b',
          '.',
          '[ab]',
          '[^a]',
          '\\w',
          '\\S',
          '\\d',
          '\\x41',
          '[[:upper:]]',
          'é',
          '😀',
          '\u212a',
          'k',
        ),
        fc.constantFrom('', '', '*', '+', '?', '{1,2}', '{2}', '*?'),
      )
      .map(([one, quantifier]) => one + quantifier);
    const part = fc.oneof(
      { weight: 10, arbitrary: atom },
      { weight: 2, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z') },
      atom.map((one) => `(?i:${one})`),
    );
    const sequence = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const pattern = fc
      .tuple(sequence, fc.array(sequence, { minLength: 1, maxLength: 2 }), fc.constantFrom('', '?', '{2}'), sequence)
      .map(([before, parts, times, after]) => `${before}(?:${parts.join('|')})${times}${after}`);
    const flags = fc.constantFrom('', 'm', 's', 'i');
    const letters = ['a', 'b', 'B', ' ', '\n', '_', 'A', '1', '\r', '\0', 'k'];
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(''));
    let matched = 0;
    fc.assert(
      fc.property(pattern, flags, fc.array(text, { minLength: 5, maxLength: 5 }), (source, given, texts) => {
        const native = nativeRegex(source, given, mostSteps);
        const bits = { '': 0, m: RE2JS.MULTILINE, s: RE2JS.DOTALL, i: RE2JS.CASE_INSENSITIVE }[given] ?? 0;
        const linear = RE2JS.compile(source, bits);
        for (const one of texts) {
          expect([source, given, one, native!.regex.test(one)]).toEqual([source, given, one, linear.test(one)]);
          if (linear.test(one)) matched++;
        }
      }),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(300);
  });
});
