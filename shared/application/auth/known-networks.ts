/** Networks from which accounts were signed in, by keyed digests. */
export interface KnownNetworks {
  has(accountId: string, digest: string, since: Date): Promise<boolean>;
  /** Keeps the `most` latest of the account. */
  remember(accountId: string, digest: string, at: Date, most: number): Promise<void>;
  /** Forgets networks last signed in from before this time; returns how many. */
  removeBefore(before: Date): Promise<number>;
}
