import type { Entity as Shown, InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from '../tags/tag-job.ts';

/** An entity, as every member sees it. */
export async function getEntity(
  { comments, entities }: Pick<Ports, 'comments' | 'entities'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.getEntity>,
): Promise<Shown> {
  const entity = await entities.get(id);
  if (entity === null) throw notFound('entity');
  const tags = (await entities.tagsOf([id])).get(id) ?? [];
  return {
    id,
    value: entity.value,
    entity_type: entity.type,
    job_count: entity.jobCount,
    first_seen_at: entity.firstSeenAt.toISOString(),
    last_seen_at: entity.lastSeenAt.toISOString(),
    watchlist: entity.isWatched,
    allowlisted: entity.isAllowlisted,
    allowlist_reason: entity.allowlistReason,
    allowlisted_at: entity.allowlistedAt?.toISOString() ?? null,
    notes: entity.note,
    notes_updated_at: entity.noteAt?.toISOString() ?? null,
    attributes: { ...entity.attributes },
    attribute_keys: [...entity.attributeKeys],
    ...shownTags(tags),
    comment_count: await comments.count({ target: 'entity', id }),
  };
}
