/** Networks from which accounts were signed in, by keyed digests. */
export interface KnownNetworks {
  has(accountId: string, digest: string, since: Date): Promise<boolean>;
  /** Keeps the `most` latest of the account. */
  remember(accountId: string, digest: string, at: Date, most: number): Promise<void>;
  /** Forgets those that were last signed in from before; how many. */
  removeBefore(before: Date): Promise<number>;
}
