import type { User } from '@svc/contracts';
import type { Account } from '@svc/domain';

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
