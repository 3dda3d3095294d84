import type { EntityType, Tag } from '@svc/domain';

/** Something that logs name, shared by all jobs (service 2.5). Members see all of this, whatever jobs it is from. */
export interface Entity {
  readonly id: number;
  readonly type: EntityType;
  readonly value: string;
  /** Of all jobs, private ones included. */
  readonly jobCount: number;
  /** When the first and the last job that name it were analysed. */
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly isWatched: boolean;
  readonly isAllowlisted: boolean;
  readonly allowlistReason: string | null;
  readonly allowlistedAt: Date | null;
  readonly note: string | null;
  readonly noteAt: Date | null;
  /** What its value says (resolved-intel 2). */
  readonly attributes: Readonly<Record<string, string | number | boolean>> | null;
  /** The keys by which searches ask for these, in the order in which they are shown. */
  readonly attributeKeys: readonly string[];
}

/** Who changes something, as an account id, and when. */
export interface Change {
  readonly by: string | null;
  readonly at: Date;
}

/** What people say of entities. What jobs say of them is in `IntelRepository`. */
export interface EntityRepository {
  get(id: number): Promise<Entity | null>;
  /** Those of these that there are, in this order. */
  some(ids: readonly number[]): Promise<readonly Entity[]>;
  /** The id of the one of this type and value, in whatever spelling. */
  find(of: { readonly type: EntityType; readonly value: string }): Promise<number | null>;
  /** Locks those of the entities that exist, until the transaction ends; returns their ids. */
  hold(ids: readonly number[]): Promise<readonly number[]>;
  /** Allowlists entities, or takes them off; returns those that this changes. Part of a transaction that holds them. */
  allowlist(
    ids: readonly number[],
    change: Change & { readonly isAllowlisted: boolean; readonly reason: string | null },
  ): Promise<readonly number[]>;
  /** Part of a transaction that holds it. */
  writeNote(id: number, note: string | null, change: Change): Promise<void>;
  /** Tags of each of these, by name. */
  tagsOf(ids: readonly number[]): Promise<ReadonlyMap<number, readonly Tag[]>>;
}
