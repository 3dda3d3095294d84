import { expect, it } from 'vitest';
import { clockText, readClock } from './clock-text.ts';

it('writes clocks as it reads them', () => {
  for (const seconds of [0, 1, -5, 59, 60, 3600, -5400, 7199, 90_061])
    expect(readClock(clockText(seconds))).toBe(seconds);
  expect(clockText(5400)).toBe('+1:30:00');
  expect(clockText(-5)).toBe('-0:00:05');
});

it.each([
  ['2', 7200],
  ['+2', 7200],
  ['-1:30', -5400],
  ['−1:30', -5400],
  [' 5400 s', 5400],
  ['-5s', -5],
  ['1:60', null],
  ['1:00:75', null],
  ['two', null],
  ['', null],
])('reads %j', (text, seconds) => {
  expect(readClock(text)).toBe(seconds);
});
