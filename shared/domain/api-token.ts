import type { Account } from './account.ts';
import { hasRole, type Scope } from './actor.ts';

/** A secret by which a script acts as the account that created it (resolved-platform 14.4); never the secret itself. */
export interface ApiToken {
  readonly id: number;
  readonly name: string;
  /** The first 8 characters of the secret. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Who created a token; null when the account is gone. */
export type TokenCreator = Pick<Account, 'id' | 'email' | 'role' | 'isActive'> | null;

export const tokenStates = ['active', 'expired', 'revoked', 'creator_inactive'] as const;
export type TokenState = (typeof tokenStates)[number];

/** Whether a token works, and if not, why: its creator must be active and a member or more. */
export function tokenState(token: ApiToken, creator: TokenCreator, now: Date): TokenState {
  if (token.revokedAt !== null) return 'revoked';
  if (token.expiresAt !== null && token.expiresAt <= now) return 'expired';
  const holds =
    creator?.isActive === true && hasRole({ kind: 'account', userId: creator.id, ip: '', ...creator }, 'member');
  return holds ? 'active' : 'creator_inactive';
}
