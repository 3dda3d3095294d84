import type { InputOf, operations, User } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { hashPassword } from '../auth/hash-password.ts';
import { presentUser } from '../auth/present-user.ts';

/** Creates an account; throws `email_taken` or `weak_password`. */
export async function createUser(
  ports: Pick<Ports, 'accounts' | 'passwords'>,
  _actor: Actor,
  { email, password, role, display_name: displayName }: InputOf<typeof operations.createUser>,
): Promise<User> {
  const passwordHash = await hashPassword(ports, { password, email });
  return presentUser(await ports.accounts.create({ email, passwordHash, role, displayName: displayName || null }));
}
