import { expect, it } from 'vitest';
import { lineDifferences } from './line-differences.ts';

it.each([
  ['a\nb\nc', 'a\nb\nc\n', ['same a', 'same b', 'same c']],
  ['a\nb\nc', 'a\nx\nc', ['same a', 'gone b', 'new x', 'same c']],
  ['a', 'b\na', ['new b', 'same a']],
  ['a\nb', 'b', ['gone a', 'same b']],
])('of %j and %j', (before, after, lines) => {
  expect(lineDifferences(before, after).map(({ kind, text }) => `${kind} ${text}`)).toEqual(lines);
});
