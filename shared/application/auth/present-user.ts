import type { Me, User } from '@svc/contracts';
import type { Account } from '@svc/domain';

/** One's own account, with what it prefers. */
export function presentMe(account: Account): Me {
  const { created_at: _created, ...fields } = presentUser(account);
  return { ...fields, send_at_once: account.sendAtOnce };
}

/** An account as answers show it. */
export function presentUser(account: Account): User {
  return {
    id: account.id,
    email: account.email,
    display_name: account.displayName,
    role: account.role,
    is_superuser: account.role === 'admin',
    is_active: account.isActive,
    created_at: account.createdAt.toISOString(),
  };
}
