import type { InputOf, operations, User } from '@svc/contracts';
import { AppError, notFound, type Account, type Actor } from '@svc/domain';
import type { AccountChanges } from '../auth/account-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { hashPassword } from '../auth/hash-password.ts';
import { openSession, type Browser, type SessionPorts } from '../auth/open-session.ts';
import { presentUser } from '../auth/present-user.ts';

type AccountPorts = Pick<Ports, 'accounts'>;

/** Changes another account's role, which ends its sessions; throws `self_change` or `last_admin`. */
export async function setUserRole(
  ports: AccountPorts,
  actor: Actor,
  { id, role }: InputOf<typeof operations.setUserRole>,
): Promise<User> {
  refuseOwn(actor, id, 'role');
  return presentUser(await update(ports, id, { role }));
}

/** Activates or deactivates another account, which ends its sessions; throws `self_change` or `last_admin`. */
export async function setUserActive(
  ports: AccountPorts,
  actor: Actor,
  { id, is_active: isActive }: InputOf<typeof operations.setUserActive>,
): Promise<User> {
  refuseOwn(actor, id, 'activation');
  return presentUser(await update(ports, id, { isActive }));
}

/**
 * Sets any account's password, one's own too, and with it ends its sessions; for one's own, a new one is
 * given. Throws `weak_password`.
 */
export async function setUserPassword(
  ports: SessionPorts & Pick<Ports, 'accounts' | 'passwords'>,
  actor: Actor,
  { id, password, userAgent }: InputOf<typeof operations.setUserPassword> & Pick<Browser, 'userAgent'>,
): Promise<User & { session: string | null }> {
  const account = await changePassword(ports, { id, password });
  const isOwn = actor.kind === 'account' && actor.userId === id;
  const session = isOwn ? await openSession(ports, account, { ip: actor.ip, userAgent }) : null;
  return { ...presentUser(account), session };
}

/** Gives an account a new password, which ends its sessions; throws `weak_password`. */
export async function changePassword(
  ports: Pick<Ports, 'accounts' | 'passwords'>,
  { id, password }: InputOf<typeof operations.setUserPassword>,
): Promise<Account> {
  const { email } = (await ports.accounts.get(id)) ?? {};
  if (email === undefined) throw notFound('user');
  return update(ports, id, { passwordHash: await hashPassword(ports, { password, email }) });
}

/** Deletes another account; throws `self_change` or `last_admin`. */
export async function deleteUser(
  { accounts }: AccountPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteUser>,
): Promise<void> {
  refuseOwn(actor, id, 'account');
  if (!(await accounts.delete(id))) throw notFound('user');
}

async function update({ accounts }: AccountPorts, id: string, changes: AccountChanges): Promise<Account> {
  const account = await accounts.update(id, changes);
  if (!account) throw notFound('user');
  return account;
}

function refuseOwn(actor: Actor, id: string, what: string): void {
  if (actor.kind === 'account' && actor.userId === id) {
    throw new AppError('self_change', `Another administrator has to change your own ${what}`);
  }
}
