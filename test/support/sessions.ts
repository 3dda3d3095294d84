import { passwordVersion } from '@svc/application/accounts/password-version.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Role } from '@svc/domain';

export const password = 'correct horse battery';

/** Creates `<name>@example.org` and returns the cookie of its session; every role's default name is its own. */
export async function signIn(
  { accounts, passwords, sessions }: Pick<Ports, 'accounts' | 'passwords' | 'sessions'>,
  role: Role,
  name: string = role,
): Promise<string> {
  const account = await accounts.create({
    email: `${name}@example.org`,
    passwordHash: await passwords.hash(password),
    role,
    displayName: null,
  });
  return `svc_auth=${await sessions.issue({ accountId: account.id, passwordVersion: passwordVersion(account) })}`;
}
