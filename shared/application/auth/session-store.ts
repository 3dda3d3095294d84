import type { Account } from '@svc/domain';

/** A browser that is signed in. */
export interface StoredSession {
  /** Digest of what the session's token carries. */
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Date;
  /** To some minutes. */
  readonly lastUsedAt: Date;
  /** When its password was given last. */
  readonly confirmedAt: Date;
  /** Such as “Firefox on Windows”. */
  readonly client: string;
  /** The address without its end. */
  readonly network: string;
}

export interface SessionStore {
  /** Beyond `most` sessions of the account, those that were not used for longest end. */
  create(session: StoredSession, most: number): Promise<void>;
  /** With the account as it is now; null for one that has ended. */
  find(id: string): Promise<{ readonly session: StoredSession; readonly account: Account } | null>;
  /** Writes when it was used or its password given. */
  note(id: string, seen: Partial<Pick<StoredSession, 'lastUsedAt' | 'confirmedAt'>>): Promise<void>;
  /** Of an account, begun since then; the last used first. */
  list(accountId: string, since: Date): Promise<readonly StoredSession[]>;
  /** Ends one of the account's; whether there was one. */
  end(accountId: string, id: string): Promise<boolean>;
  /** Ends all of the account's but this one; how many. */
  endOthers(accountId: string, id: string): Promise<number>;
  /** Forgets those that began before; how many. */
  removeExpired(before: Date): Promise<number>;
}
