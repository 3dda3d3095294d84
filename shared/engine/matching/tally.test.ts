import { expect, it } from 'vitest';
import { type Statistics, Tally } from './tally.ts';

const parts: readonly Statistics[] = [
  {
    first: '2026-03-01T10:00:00Z',
    last: '2026-03-01T10:00:00.5Z',
    kinds: [
      { channel: 'Security', eventId: '4624', count: 2 },
      { channel: null, eventId: null, count: 2 },
    ],
  },
  { first: null, last: null, kinds: [] },
  {
    first: '2026-03-01T09:59:59.999Z',
    last: '2026-03-01T10:00:00Z',
    kinds: [
      { channel: 'Security', eventId: '4625', count: 5 },
      { channel: 'Security', eventId: '4624', count: 1 },
    ],
  },
];

it('merges the parts of a log in any order to the same', () => {
  const merged = (order: readonly Statistics[]): Statistics => {
    const tally = new Tally();
    for (const part of order) tally.merge(part);
    return tally.result();
  };
  expect(merged(parts)).toEqual({
    first: '2026-03-01T09:59:59.999Z',
    last: '2026-03-01T10:00:00.5Z',
    kinds: [
      { channel: 'Security', eventId: '4625', count: 5 },
      { channel: 'Security', eventId: '4624', count: 3 },
      { channel: null, eventId: null, count: 2 },
    ],
  });
  expect(merged(parts.toReversed())).toEqual(merged(parts));
});
