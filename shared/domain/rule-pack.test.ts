import { expect, it } from 'vitest';
import { isNoisy } from './rule-pack.ts';

it.each([
  ['critical', 1, false],
  ['high', 2, true],
  ['medium', 2, true],
  ['low', 50, false],
  ['low', 51, true],
  ['informational', 50_000, false],
] as const)('holds a rule of level %s with %i matches in 50,000 records against its level', (level, events, noisy) => {
  expect(isNoisy(level, events, 50_000)).toBe(noisy);
  expect(isNoisy(level, events * 2, 100_000)).toBe(noisy);
});

it('calls nothing noisy in few records', () => {
  expect(isNoisy('high', 40, 49_999)).toBe(false);
});
