import type { EntityRow } from '@svc/contracts';
import { entityAttributeKey } from '@svc/domain';
import { shownTags } from '../tags/tag-job.ts';
import type { ListedEntity } from './entity-lists.ts';
import type { Entity } from './entity-repository.ts';

/** What lists and pages show of an entity. */
export function shownEntity(entity: Entity) {
  return {
    id: entity.id,
    value: entity.value,
    entity_type: entity.type,
    job_count: entity.jobCount,
    first_seen_at: entity.firstSeenAt.toISOString(),
    last_seen_at: entity.lastSeenAt.toISOString(),
    watchlist: entity.isWatched,
    allowlisted: entity.isAllowlisted,
  } satisfies Partial<EntityRow>;
}

/** An entity as lists show it. */
export function toEntityRow(entity: ListedEntity): EntityRow {
  return {
    ...shownEntity(entity),
    attributes: entity.attributeKeys.flatMap((key) => entityAttributeKey(key) ?? []),
    ...shownTags(entity.tags),
    alias_count: entity.aliases,
  };
}
