import { expect, it } from 'vitest';
import { followedText, shownText, typedText } from './typed-text.ts';

const typing = (...texts: string[]) => texts.reduce(typedText, shownText(''));

it('keeps what is typed while older texts come back, whether one by one or the last alone', () => {
  const typed = typing('a', 'ab', 'abc');
  expect(typed.text).toBe('abc');
  expect(followedText(typed, 'a').text).toBe('abc');
  expect(followedText(followedText(typed, 'a'), 'ab')).toMatchObject({ text: 'abc', sent: ['abc'] });
  expect(followedText(typed, 'abc')).toEqual({ text: 'abc', seen: 'abc', sent: [] });
});

it('gives way to a value from elsewhere, and to one that was typed and is no longer', () => {
  expect(followedText(typing('a', 'ab'), '')).toMatchObject({ text: 'ab' });
  const settled = followedText(typing('a', 'ab'), 'ab');
  expect(followedText(settled, '').text).toBe('');
  expect(followedText(settled, 'a').text).toBe('a');
  expect(followedText(typing('a'), 'other')).toEqual(shownText('other'));
});
