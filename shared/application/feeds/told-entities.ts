import type { EntityType, TaxiiCollectionAlias } from '@svc/domain';

/** An entity as TAXII clients were told of it. */
export interface ToldEntity {
  readonly id: number;
  /** The UUID of its id in STIX. */
  readonly stixId: string;
  /** When they were first told of it as it is now: in UTC with six digits of a second, and of no other entity. */
  readonly toldAt: string;
  readonly lastSeenAt: Date;
}

export interface ToldSearch {
  /** Those told of after this, as `toldAt` is written; null for all. */
  readonly after: string | null;
  /** Of these UUIDs; null for any. */
  readonly stixIds: readonly string[] | null;
  /** Last seen at one of these times; null for any. */
  readonly versions: readonly string[] | null;
  readonly limit: number;
}

/** What TAXII clients are told of entities, in the order in which they are told (decision 107). */
export interface ToldEntities {
  /**
   * Dates what was made, seen again or starred and committed since, of a collection at most so many: each gets a time
   * later than all that were ever given, so that whoever has read up to one has missed nothing before it. Returns
   * whether there may be more to date.
   * @param stixIdOf - null where no pattern finds it
   */
  date(
    collection: TaxiiCollectionAlias,
    most: number,
    stixIdOf: (entity: { readonly type: EntityType; readonly value: string }) => string | null,
  ): Promise<boolean>;
  /** Those that have been dated and are not allowlisted, the first told first. */
  page(collection: TaxiiCollectionAlias, search: ToldSearch): Promise<readonly ToldEntity[]>;
}
