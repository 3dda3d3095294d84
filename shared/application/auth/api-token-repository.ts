import type { ApiToken, Scope, TokenCreator } from '@svc/domain';

export interface NewApiToken {
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly creatorId: string;
  readonly expiresAt: Date | null;
}

export interface StoredApiToken {
  readonly token: ApiToken;
  readonly creator: TokenCreator;
}

export interface ApiTokenRepository {
  create(token: NewApiToken): Promise<ApiToken>;
  /** Newest first. */
  list(): Promise<StoredApiToken[]>;
  findByDigest(digest: string): Promise<StoredApiToken | null>;
  /** Whether there is such a token; a second time changes nothing. */
  revoke(id: number, at: Date): Promise<boolean>;
  /** Removes what was revoked before; returns how many. */
  removeRevoked(before: Date): Promise<number>;
  /** Notes a use, at most one a minute. */
  touch(id: number, at: Date): Promise<void>;
}
