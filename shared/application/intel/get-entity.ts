import type { Entity as Shown, InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from '../tags/tag-job.ts';
import { shownEntity, starredBy } from './present-entity.ts';
import { othersOf } from './unite-entities.ts';

const mostCases = 10;

/** An entity, as every member sees it. */
export async function getEntity(
  {
    caseLists,
    comments,
    entities,
    entityAliases,
    alertRules,
  }: Pick<Ports, 'alertRules' | 'caseLists' | 'comments' | 'entities' | 'entityAliases'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getEntity>,
): Promise<Shown> {
  const entity = await entities.get(id);
  if (entity === null) throw notFound('entity');
  const tags = (await entities.tagsOf([id])).get(id) ?? [];
  return {
    ...shownEntity(entity),
    watched_by_me: (await starredBy({ alertRules }, actor, [id])).has(id),
    allowlist_reason: entity.allowlistReason,
    allowlisted_at: entity.allowlistedAt?.toISOString() ?? null,
    notes: entity.note,
    notes_updated_at: entity.noteAt?.toISOString() ?? null,
    attributes: { ...entity.attributes },
    attribute_keys: [...entity.attributeKeys],
    ...shownTags(tags),
    aliases: othersOf(await entityAliases.groupsOf([id]), id),
    cases: (await caseLists.holding(actor, { kind: 'entity', id }, mostCases)).map((one) => ({ ...one })),
    comment_count: await comments.count({ target: 'entity', id }),
  };
}
