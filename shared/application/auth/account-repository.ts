import type { Account, Role } from '@svc/domain';

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly displayName: string | null;
}

/** What about an account can change. */
export type AccountChanges = Partial<NewAccount & Pick<Account, 'isActive' | 'sendAtOnce'>>;

export interface AccountRepository {
  get(id: string): Promise<Account | null>;
  /** Without regard to case. */
  findByEmail(email: string): Promise<Account | null>;
  /** By address. */
  list(): Promise<Account[]>;
  hasActiveAdmin(): Promise<boolean>;
  /** Throws `email_taken` when the address is. */
  create(account: NewAccount): Promise<Account>;
  /**
   * A new password or role and a deactivation end the account's sessions. Null when there is no such account; throws
   * `email_taken`, and `last_admin` when none would be left.
   */
  update(id: string, changes: AccountChanges): Promise<Account | null>;
  /** Whether there was one; what it has made stays, without it. Throws `last_admin`. */
  delete(id: string): Promise<boolean>;
}
