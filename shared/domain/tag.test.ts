import { describe, expect, it } from 'vitest';
import { pairedTags, tagColor, tagNames } from './tag.ts';

describe('tag names', () => {
  it.each([
    ['Phishing', ['phishing']],
    [' APT/29 , needs triage,,apt/29 ', ['apt/29', 'needs triage']],
    [
      ['A', 'b,C', ' '],
      ['a', 'b', 'c'],
    ],
    ['a\u0000b,\ud800', ['a b']],
    ['', []],
  ])('of %j are %j', (sent, names) => expect(tagNames(sent)).toEqual(names));

  it('are cut at 50 characters, which may be outside the basic plane', () => {
    expect(tagNames('😀'.repeat(60))).toEqual(['😀'.repeat(50)]);
    expect(tagNames(`${'x'.repeat(49)} y`)).toEqual(['x'.repeat(49)]);
  });
});

it.each([
  ['a,b,c', 'red,teal', ['a red', 'b teal', 'c teal']],
  [['a', 'b'], [], ['a null', 'b null']],
  ['a,,A,b', 'red,blue,green,pink', ['a red', 'b gray']],
])('names %j with colours %j are %j', (names, colors, paired) => {
  expect(pairedTags(names, colors).map(({ name, color }) => `${name} ${color}`)).toEqual(paired);
});

it('a colour that is none is gray', () => {
  expect(['Red', ' teal ', '#ff0000', ''].map(tagColor)).toEqual(['red', 'teal', 'gray', 'gray']);
});
