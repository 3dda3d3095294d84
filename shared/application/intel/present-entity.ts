import type { EntityRow } from '@svc/contracts';
import { entityAttributeKey } from '@svc/domain';
import type { ListedEntity } from './entity-lists.ts';

/** An entity as lists show it. */
export function toEntityRow(entity: ListedEntity): EntityRow {
  return {
    id: entity.id,
    value: entity.value,
    entity_type: entity.type,
    job_count: entity.jobCount,
    first_seen_at: entity.firstSeenAt.toISOString(),
    last_seen_at: entity.lastSeenAt.toISOString(),
    watchlist: entity.isWatched,
    allowlisted: entity.isAllowlisted,
    attributes: entity.attributeKeys.flatMap((key) => entityAttributeKey(key) ?? []),
    tags: entity.tags.map(({ name, color }) => ({ tag: name, color })),
  };
}
