import { expect, it } from 'vitest';
import { faded } from './faded.ts';

it('is half the colour and half the ground, however short these are written', () => {
  expect(faded('#0284c7', '#ffffff')).toBe('#81c2e3');
  expect(faded('#0284c7', '#fff')).toBe('#81c2e3');
  expect(faded('#000', '#14171c')).toBe('#0a0c0e');
});
