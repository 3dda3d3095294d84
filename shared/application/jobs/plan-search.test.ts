import type { Actor } from '@svc/domain';
import { expect, it } from 'vitest';
import { planSearch } from './plan-search.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const member: Actor = { kind: 'account', userId: 'u', email: 'm@example.org', role: 'member', ip: '192.0.2.1' };
const now = new Date('2026-08-01T10:00:00Z');

function plan(viewer: Actor, q: string, tags: string[] = []) {
  const { search, chips, errors, tags: active } = planSearch(viewer, { q, tags }, now);
  const told = ({ negated, condition }: (typeof search.filters)[number]) => {
    if (condition === null) return 'nothing';
    const isTold = condition.key === 'tag' || condition.key === 'technique';
    return `${negated ? '-' : ''}${isTold ? condition.values.join(',') : condition.key}`;
  };
  const asked = search.filters.map(told);
  const either = search.alternatives?.map((all) => all.map(told));
  return {
    asked,
    ...(either && { either }),
    chips: chips.map(({ text, error }) => [text, error === null]),
    errors,
    active,
  };
}

it.each([
  ['', ['b', 'c'], ['b,c']],
  ['tag:a', ['b', 'c'], ['a,b,c']],
  ['tag:a x -tag:d', ['a', 'b'], ['name', '-d', 'a,b']],
  ['-tag:a', ['b'], ['-a', 'b']],
  ['tag:a tag:d', ['b'], ['a', 'd', 'b']],
  ['tag:', ['b'], ['nothing', 'b']],
  ['tag:a', [], ['a']],
])('merges %j with the tags %j', (q, tags, asked) => {
  expect(plan(member, q, tags).asked).toEqual(asked);
});

it('tells members which tags are asked for', () => {
  expect(plan(member, 'tag:a -tag:x', ['b', 'a'])).toMatchObject({ active: ['a', 'b'], errors: [] });
});

it('makes one term that matches nothing of all that others ask about tags, and says it once', () => {
  for (const tags of [[], ['b']]) {
    expect(plan(visitor, 'x tag:a,"" -tag:c', tags)).toEqual({
      asked: ['name', 'nothing'],
      chips: [
        ['x', true],
        ['tag:a', false],
        ['-tag:c', false],
      ],
      errors: [{ start: 2, end: 10, term: 'tag:a,""', reason: expect.stringContaining('members') }],
      active: [],
    });
  }
  expect(plan(visitor, '', ['b'])).toMatchObject({ asked: ['nothing'], errors: [{ term: 'tags=b' }], active: [] });
});

it('gives each term a chip, with the reason where it cannot be used', () => {
  const { chips, errors } = plan(member, 'STATUS:done status:Failed,done HASH:AB');
  expect(chips).toEqual([
    ['STATUS:done', false],
    ['status:failed', true],
    ['hash:ab', true],
  ]);
  expect(errors.map(({ start }) => start)).toEqual([0, 12]);
});

it('keeps alternatives apart, and asks for tags beside them', () => {
  expect(plan(member, 'host:a x OR tag:b', ['c'])).toMatchObject({
    asked: ['c'],
    either: [['host', 'name'], ['b']],
    active: ['b', 'c'],
  });
  expect(plan(visitor, 'host:a x OR tag:b OR -case:c ip:::1')).toMatchObject({
    asked: [],
    either: [['host', 'name'], ['nothing'], ['ip', 'nothing']],
    errors: [{ term: 'tag:b' }, { term: '-case:c', reason: expect.stringContaining('members') }],
  });
});

it('tells others that cases are for members', () => {
  expect(plan(visitor, 'case:7 x')).toMatchObject({
    asked: ['name', 'nothing'],
    chips: [
      ['case:7', false],
      ['x', true],
    ],
  });
  expect(plan(member, 'case:7 x')).toMatchObject({ asked: ['case', 'name'], errors: [] });
});

it('asks for techniques as they are numbered now', () => {
  expect(plan(visitor, 'technique:t1086,T1003')).toMatchObject({ asked: ['T1059.001,T1003'], errors: [] });
});
