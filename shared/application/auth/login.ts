import type { InputOf, operations } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { guess, rememberNetwork, standingOf } from './guesses.ts';
import { openSession, type SessionPorts } from './open-session.ts';

/** Signs in and returns the session's token, which the caller sets as a cookie. */
export async function login(
  ports: SessionPorts & Pick<Ports, 'accounts' | 'deployment' | 'knownNetworks' | 'passwords' | 'rateLimiter'>,
  { ip }: Actor,
  { username, password, userAgent }: InputOf<typeof operations.login> & { readonly userAgent?: string | undefined },
): Promise<{ token: string }> {
  const email = username.trim();
  const account = await ports.accounts.findByEmail(email);
  const { isKnown, buckets } = await standingOf(ports, { account, email, ip });
  const isRight = await guess(ports, buckets, async () => {
    const matches = await ports.passwords.verify(
      account?.passwordHash ?? null,
      password,
      isKnown ? 'known' : 'stranger',
    );
    return matches && account?.isActive === true;
  });
  // One refusal for unknown, wrong and inactive: none of them may be told apart.
  if (!account || !isRight) throw new AppError('bad_credentials', 'Wrong address or password');
  await rememberNetwork(ports, account, ip);
  return { token: await openSession(ports, account, { ip, userAgent }) };
}
