import { expect, it } from 'vitest';
import { noiseText, totalsOf } from './tested.ts';

const rule = (count: number, of_source: number | null = 50) => ({ title: 'T', count, of_source });

it('adds up what was found, and estimates noise from whole logs alone', () => {
  const totals = totalsOf([
    { checked: 'log', records: 900, rules: [rule(3), rule(0, 7)] },
    { checked: 'log', records: 100, rules: [rule(0)] },
    { checked: 'events', records: 20, rules: [rule(5, null)] },
  ]);
  expect(totals).toEqual({ hit: 2, matches: 8, records: 1020, ofSource: 107, noise: 3 });
  expect(totalsOf([{ checked: 'events', records: 20, rules: [rule(5, null)] }])).toMatchObject({
    noise: null,
    ofSource: null,
  });
  expect(totalsOf([])).toEqual({ hit: 0, matches: 0, records: 0, ofSource: null, noise: null });
});

it('writes noise with as many digits as say something', () => {
  expect([0, 0.001, 0.1234, 12.34, 456.7].map(noiseText)).toEqual(['0', 'below 0.01', '0.12', '12.3', '457']);
});
