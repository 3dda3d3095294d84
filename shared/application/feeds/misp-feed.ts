/** An event of the feed: what was first seen on a day, and where that is much, a part of it. */
export interface MispPart {
  /** In UTC, `2026-08-01`. */
  readonly day: string;
  /** From 0; an entity stays in its part. */
  readonly part: number;
  readonly lastSeenAt: Date;
}

/** Entities as MISP reads feeds: events that stay, of entities that stay in theirs. Allowlisted ones are left out. */
export interface MispFeed {
  /** By day. */
  parts(): Promise<readonly MispPart[]>;
  /** Ids of the entities of a part. */
  entitiesOf(part: Pick<MispPart, 'day' | 'part'>): Promise<readonly number[]>;
  /** The MD5 of each value, by part. */
  digests(): Promise<readonly (Pick<MispPart, 'day' | 'part'> & { readonly digests: readonly string[] })[]>;
}
