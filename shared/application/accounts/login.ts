import type { InputOf, operations } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { passwordVersion } from './password-version.ts';

/** Signs in and returns the session's token, which the caller sets as a cookie. */
export async function login(
  { accounts, passwords, sessions }: Pick<Ports, 'accounts' | 'passwords' | 'sessions'>,
  _actor: Actor,
  { username, password }: InputOf<typeof operations.login>,
): Promise<{ token: string }> {
  const account = await accounts.findByEmail(username.trim());
  const matches = await passwords.verify(account?.passwordHash ?? null, password);
  // One refusal for unknown, wrong and inactive: none of them may be told apart.
  if (!account?.isActive || !matches) throw new AppError('bad_credentials', 'Wrong address or password');
  const claims = { accountId: account.id, passwordVersion: passwordVersion(account) };
  return { token: await sessions.issue(claims) };
}
