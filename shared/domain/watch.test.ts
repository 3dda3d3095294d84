import { expect, it } from 'vitest';
import { publicName } from './account.ts';
import { canDeleteComment, canEditComment } from './comment.ts';
import type { Actor, Role } from './actor.ts';
import { summaryOf, watchLimits } from './watch.ts';

const as = (userId: string, role: Role = 'member'): Actor => ({ kind: 'account', userId, email: '', role, ip: '' });

it('summaries are one line that is not too long, and cut no character in two', () => {
  expect(summaryOf(' ada:\n\n seen\tbefore ')).toBe('ada: seen before');
  const long = summaryOf('🦉'.repeat(201));
  expect([Array.from(long).length, long.endsWith('🦉…')]).toEqual([watchLimits.summary, true]);
  expect(summaryOf('x'.repeat(200))).toBe('x'.repeat(200));
});

it('people are called by their name, else by their address without its host', () => {
  expect(publicName({ displayName: 'Ada', email: 'a@example.org' })).toBe('Ada');
  expect(publicName({ displayName: null, email: 'ada@example.org' })).toBe('ada');
  expect(publicName({ displayName: null, email: 'admin@localhost' })).toBe('admin');
});

it('comments are changed by their author, and deleted also by administrators and owners of the thread', () => {
  const comment = { author: { id: 'ada', name: 'Ada' } };
  const orphan = { author: null };
  const may = (who: Actor) => [canEditComment(comment, who), canDeleteComment(comment, who, 'owner')];
  expect(may(as('ada', 'user'))).toEqual([true, true]);
  expect(may(as('eve'))).toEqual([false, false]);
  expect(may(as('owner'))).toEqual([false, true]);
  expect(may(as('root', 'admin'))).toEqual([false, true]);
  expect(may({ kind: 'anonymous', ip: '' })).toEqual([false, false]);
  expect([canEditComment(orphan, as('ada')), canDeleteComment(orphan, as('ada'), null)]).toEqual([false, false]);
});
