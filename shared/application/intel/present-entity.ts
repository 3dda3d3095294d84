import type { EntityRow } from '@svc/contracts';
import { entityAttributeKey, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
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

/** Those of some entities that the viewer has starred. */
export async function starredBy(
  { alertRules }: Pick<Ports, 'alertRules'>,
  viewer: Actor,
  entityIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return viewer.kind === 'anonymous' ? new Set() : alertRules.starred(viewer.userId, entityIds);
}

/** An entity as lists show it; `starred` are those that the viewer watches. */
export function toEntityRow(entity: ListedEntity, starred: ReadonlySet<number>): EntityRow {
  return {
    ...shownEntity(entity),
    watched_by_me: starred.has(entity.id),
    attributes: entity.attributeKeys.flatMap((key) => entityAttributeKey(key) ?? []),
    ...shownTags(entity.tags),
    alias_count: entity.aliases,
  };
}
