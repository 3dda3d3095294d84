import type { InputOf, operations } from '@svc/contracts';
import { AppError, type Account, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { confirmationBuckets, guess } from './guesses.ts';
import { signedIn } from './signed-in.ts';

type ConfirmPorts = Pick<Ports, 'accounts' | 'passwords' | 'rateLimiter'>;

/** Takes the password of the session's account again, so that operations which ask for that go on. */
export async function confirmPassword(
  ports: ConfirmPorts & Pick<Ports, 'clock' | 'sessionStore'>,
  actor: Actor,
  { password }: InputOf<typeof operations.confirmPassword>,
): Promise<void> {
  await checkPassword(ports, actor, password);
  const { session } = signedIn(actor);
  if (session) await ports.sessionStore.note(session.id, { confirmedAt: ports.clock.now() });
}

/** The caller's account, whose password this is; throws `bad_password`, and `rate_limited` for guesses. */
export async function checkPassword(ports: ConfirmPorts, actor: Actor, password: string): Promise<Account> {
  const { userId, ip } = signedIn(actor);
  const account = await ports.accounts.get(userId);
  if (!account) throw new AppError('unauthenticated', 'Not signed in');
  const check = () => ports.passwords.verify(account.passwordHash, password);
  if (await guess(ports, confirmationBuckets(userId, ip), check)) return account;
  throw new AppError('bad_password', 'The current password is wrong');
}
