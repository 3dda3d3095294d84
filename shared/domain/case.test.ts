import { expect, it } from 'vitest';
import type { Actor, Role } from './actor.ts';
import { canEditCase, canManageCase, canViewCase } from './case.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const account = (userId: string, role: Role): Actor => ({ kind: 'account', userId, email: userId, role, ip: '' });

const everyone = [
  visitor,
  account('ada', 'user'),
  account('ada', 'member'),
  account('bea', 'member'),
  account('eve', 'member'),
  account('root', 'admin'),
];

it.each([
  // [owner, shared, who works on it, seen, edited, managed]
  ['ada', true, [], '..AbeR', '..A..R', '..A..R'],
  ['ada', false, [], '..A..R', '..A..R', '..A..R'],
  ['ada', false, ['bea'], '..Ab.R', '..Ab.R', '..A..R'],
  ['ada', false, ['ada'], '..A..R', '..A..R', '..A..R'],
  [null, false, [], '.....R', '.....R', '.....R'],
  [null, true, ['bea'], '..AbeR', '...b.R', '.....R'],
] as const)('case of %s, shared %s, with %s', (ownerId, isShared, collaboratorIds, ...expected) => {
  const may = (can: typeof canEditCase): string =>
    everyone.map((actor, at) => (can({ ownerId, isShared, collaboratorIds }, actor) ? 'vuAbeR'[at] : '.')).join('');
  expect([canViewCase, canEditCase, canManageCase].map(may)).toEqual(expected);
});
