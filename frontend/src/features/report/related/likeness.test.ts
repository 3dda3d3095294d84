import { expect, it } from 'vitest';
import { differences, likeness } from './likeness.ts';

const one = 'T1A6A17D0C38995ADB38187B7C121B81D500C1A76EE519CD38EC486E4C83F8E4829E4AED';

it('says what a distance is made of, the largest part first', () => {
  expect(differences(one, one)).toBe('no difference in the digests');
  const other = `T1A7C18D${one.slice(8, -2)}E2`;
  expect(differences(one, other)).toBe('length 24 · content 7 · spread 1 · checksum 1');
});

it('says what a distance means', () => {
  expect([0, 1, 30, 31, 70, 71, 100, 101].map(likeness)).toEqual([
    'equal',
    'nearly equal',
    'nearly equal',
    'much alike',
    'much alike',
    'alike',
    'alike',
    'related',
  ]);
});
