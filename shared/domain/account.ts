import type { Role } from './actor.ts';

/** A person who can sign in (resolved-platform 14.1). */
export interface Account {
  /** UUID. */
  readonly id: string;
  /** As entered; compared without regard to case. */
  readonly email: string;
  readonly displayName: string | null;
  readonly passwordHash: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** Whether its files are sent as soon as they are chosen. */
  readonly sendAtOnce: boolean;
  readonly createdAt: Date;
}

/** What everybody may call a person: the name that the account gives, else its address up to the `@`. */
export function publicName({ displayName, email }: Pick<Account, 'displayName' | 'email'>): string {
  return displayName ?? email.slice(0, Math.max(1, email.lastIndexOf('@')));
}
