import type { EntityKind, EntityType } from './entities.ts';
import type { RelationshipType } from './intel.ts';

/** What stands at one end of a relationship. */
export interface End {
  readonly type: EntityType;
  /** What the values are looked at for. */
  readonly kind: EntityKind;
  /** The first of them that names any, or all of them. */
  readonly fields: readonly string[];
  readonly isEach: boolean;
  /** Whether what it names is counted as a thing of the job, as it is where fields that always name one have it. */
  readonly isNamed?: boolean;
}

/** How a relationship is read from an event (resolved-intel 6.1 and 6.5). */
export interface RelationshipRule {
  readonly type: RelationshipType;
  readonly source: End;
  readonly target: End;
  /** Event ids, or categories of records that have one in place of it. @default all events that have the fields */
  readonly eventIds?: readonly string[];
  /** Only where the value of a field, empty for one that is not there, is so. */
  readonly when?: { readonly field: string; readonly holds: (value: string) => boolean };
  /** Only between addresses that are routed globally. */
  readonly isPublic?: true;
}
