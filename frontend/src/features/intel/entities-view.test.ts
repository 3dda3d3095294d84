import { expect, it } from 'vitest';
import { directionOf, entitiesView, sortedBy } from './entities-view.ts';

it('reads the address, and drops what makes no sense', () => {
  const read = entitiesView({
    q: ' evil ',
    types: 'domain',
    tags: 'C2',
    job: '7',
    sort: '-jobs',
    apart: true,
    page: 3,
    cursor: 'older-1-2',
  });
  expect(read).toEqual({
    q: 'evil',
    types: ['domain'],
    tags: ['c2'],
    job: 7,
    sort: '-jobs',
    apart: true,
    page: 3,
    cursor: 'older-1-2',
  });
  expect(entitiesView({ q: 5, types: 7, job: -1, sort: 7, apart: 'x', page: 'z', cursor: 'a' })).toEqual({});
});

it('sorts by a column, then the other way round', () => {
  expect(sortedBy(undefined, 'jobs')).toBe('jobs');
  expect(sortedBy('jobs', 'jobs')).toBe('-jobs');
  expect(sortedBy('-jobs', 'jobs')).toBe('jobs');
  expect(sortedBy(undefined, 'last_seen')).toBe('-last_seen');
  expect(sortedBy('-last_seen', 'last_seen')).toBeUndefined();
  expect([directionOf(undefined, 'last_seen'), directionOf('-value', 'value'), directionOf('jobs', 'value')]).toEqual([
    'descending',
    'descending',
    undefined,
  ]);
});
