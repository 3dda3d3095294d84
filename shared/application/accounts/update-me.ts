import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { hashPassword } from './hash-password.ts';
import { presentUser } from './present-user.ts';

/** Changes one's own account; a new password ends all of its sessions, this one too. */
export async function updateMe(
  ports: Pick<Ports, 'accounts' | 'passwords'>,
  actor: Actor,
  input: InputOf<typeof operations.updateMe>,
): Promise<OutputOf<typeof operations.updateMe>> {
  const account = actor.kind === 'account' ? await ports.accounts.get(actor.userId) : null;
  if (!account) throw new AppError('unauthenticated', 'Not signed in');
  const { display_name: displayName, email, password, current_password: current } = input;
  if (email !== undefined || password !== undefined) {
    if (current === undefined) throw new AppError('current_password_required', 'Give your current password too');
    if (!(await ports.passwords.verify(account.passwordHash, current))) {
      throw new AppError('bad_password', 'The current password is wrong');
    }
  }
  const updated = await ports.accounts.update(account.id, {
    ...(displayName !== undefined && { displayName: displayName === '' ? null : displayName }),
    ...(email !== undefined && { email }),
    ...(password !== undefined && {
      passwordHash: await hashPassword(ports, { password, email: email ?? account.email }),
    }),
  });
  if (!updated) throw new AppError('unauthenticated', 'Not signed in');
  return presentUser(updated);
}
