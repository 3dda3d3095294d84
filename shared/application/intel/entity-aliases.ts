import type { EntityType } from '@svc/domain';
import type { OtherEntity } from './entity-links.ts';
import type { Change } from './entity-repository.ts';

export interface LikelyAlias extends OtherEntity {
  /** Of all jobs, private ones included. */
  readonly jobCount: number;
}

/** Entities that are one subject, as members say (resolved-intel 24). Every member sees all of it. */
export interface EntityAliases {
  /** The whole group of each of these and of all that are in one with them, by id, the lowest first; what is alone has none. */
  groupsOf(ids: readonly number[]): Promise<ReadonlyMap<number, readonly OtherEntity[]>>;
  /** Types of those of the entities that exist, once each. */
  typesOf(ids: readonly number[]): Promise<readonly EntityType[]>;
  /** Makes these one group. Part of a transaction that holds them and all that are in a group with one. */
  unite(ids: readonly number[], change: Change): Promise<void>;
  /** Takes one out of its group; `rest` are the others. Part of a transaction that holds all of them. */
  separate(id: number, rest: readonly number[]): Promise<void>;
  /** Of its type and not in its group: what its value is likely to be written as, too, or what a text is in; of the most jobs first. */
  likely(
    entity: Pick<OtherEntity, 'id' | 'type' | 'value'>,
    text: string,
    limit: number,
  ): Promise<readonly LikelyAlias[]>;
}
