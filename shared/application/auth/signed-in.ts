import { AppError, type Actor } from '@svc/domain';

/** The actor as the account that they are signed in with; throws `unauthenticated` for a visitor. */
export function signedIn(actor: Actor): Extract<Actor, { kind: 'account' }> {
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Sign in first');
  return actor;
}
