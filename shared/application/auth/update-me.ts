import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { checkPassword } from './confirm-password.ts';
import { hashPassword } from './hash-password.ts';
import { presentMe } from './present-user.ts';
import { signedIn } from './signed-in.ts';

/** Changes one's own account; a new password ends all of its sessions, this one too. */
export async function updateMe(
  ports: Pick<Ports, 'accounts' | 'passwords' | 'rateLimiter'>,
  actor: Actor,
  input: InputOf<typeof operations.updateMe>,
): Promise<OutputOf<typeof operations.updateMe>> {
  const { userId } = signedIn(actor);
  const { display_name: displayName, send_at_once: sendAtOnce, email, password, current_password: current } = input;
  let address = '';
  if (email !== undefined || password !== undefined) {
    if (current === undefined) throw new AppError('current_password_required', 'Give your current password too');
    const account = await checkPassword(ports, actor, current);
    address = email ?? account.email;
  }
  const updated = await ports.accounts.update(userId, {
    ...(displayName !== undefined && { displayName: displayName === '' ? null : displayName }),
    ...(sendAtOnce !== undefined && { sendAtOnce }),
    ...(email !== undefined && { email }),
    ...(password !== undefined && {
      passwordHash: await hashPassword(ports, { password, email: address }),
    }),
  });
  if (!updated) throw new AppError('unauthenticated', 'Not signed in');
  return presentMe(updated);
}
