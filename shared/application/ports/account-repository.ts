import type { Account, Role } from '@svc/domain';

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly displayName: string | null;
}

export interface AccountRepository {
  get(id: string): Promise<Account | null>;
  /** Without regard to case. */
  findByEmail(email: string): Promise<Account | null>;
  hasActiveAdmin(): Promise<boolean>;
  /** Throws `conflict` when the address is taken. */
  create(account: NewAccount): Promise<Account>;
}
