import { openSession, type SessionPorts } from '@svc/application/auth/open-session.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Role } from '@svc/domain';

export const password = 'correct horse battery';

/** Creates `<name>@example.org` and returns the cookie of its session; every role's default name is its own. */
export async function signIn(
  ports: SessionPorts & Pick<Ports, 'accounts' | 'passwords'>,
  role: Role,
  name: string = role,
): Promise<string> {
  const account = await ports.accounts.create({
    email: `${name}@example.org`,
    passwordHash: await ports.passwords.hash(password),
    role,
    displayName: null,
  });
  return `svc_auth=${await openSession(ports, account, { ip: '192.0.2.1', userAgent: undefined })}`;
}
