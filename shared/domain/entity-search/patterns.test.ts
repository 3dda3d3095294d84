import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { patternLengths } from './patterns.ts';

it.each([
  ['^[0-9a-f]{32}$', { least: 32, most: 32 }],
  [String.raw`^\\\\srv\d{1,3}\b$`, { least: 6, most: 8 }],
  ['^ab?c{0}[]x]{2,4}?$', { least: 3, most: 6 }],
  ['^a{,2}$', { least: 5, most: 5 }],
  ['^a*$', null],
  ['^a{2,}$', null],
  ['^(ab)$', null],
  ['^a|b$', null],
  ['[0-9]{3}$', null],
  [String.raw`^a\$`, null],
])('tells how long what %s matches is', (pattern, lengths) => {
  expect(patternLengths(pattern)).toEqual(lengths);
});

it('leaves out no text that a pattern matches', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', String.raw`\w`, String.raw`\b`, String.raw`\.`);
  const times = fc.constantFrom('', '', '?', '??', '{2}', '{0,2}', '{1,3}?');
  const pieces = fc.array(fc.tuple(atom, times), { minLength: 1, maxLength: 5 });
  const pattern = pieces.map((made) => `^${made.map(([one, many]) => (one === '\\b' ? one : one + many)).join('')}$`);
  let matched = 0;
  fc.assert(
    fc.property(pattern, fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }), (text, letters) => {
      const lengths = patternLengths(text);
      if (lengths === null || !new RegExp(text).test(letters.join(''))) return;
      matched += 1;
      expect(letters.length).toBeGreaterThanOrEqual(lengths.least);
      expect(letters.length).toBeLessThanOrEqual(lengths.most);
    }),
    { numRuns: 2000 },
  );
  expect(matched).toBeGreaterThan(20);
});
