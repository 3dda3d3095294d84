import { expect, it } from 'vitest';
import type { Actor, Role } from './actor.ts';
import { canViewCase } from './case.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const account = (userId: string, role: Role): Actor => ({ kind: 'account', userId, email: userId, role, ip: '' });

it('shared cases are for members, others for their owner and administrators', () => {
  const seen = (ownerId: string | null, isShared: boolean): boolean[] =>
    [visitor, account('ada', 'user'), account('ada', 'member'), account('eve', 'member'), account('root', 'admin')].map(
      (actor) => canViewCase({ ownerId, isShared }, actor),
    );
  expect(seen('ada', true)).toEqual([false, false, true, true, true]);
  expect(seen('ada', false)).toEqual([false, false, true, false, true]);
  expect(seen(null, false)).toEqual([false, false, false, false, true]);
});
