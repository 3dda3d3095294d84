import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from '../tags/tag-job.ts';
import { entityScope } from './entity-scope.ts';
import { shownEntity, starredBy } from './present-entity.ts';
import { othersOf } from './unite-entities.ts';

const mostCases = 10;

/** An entity, as every member sees it, and which of its jobs the caller’s address shows of it. */
export async function getEntity(
  ports: Pick<
    Ports,
    'alertRules' | 'caseLists' | 'comments' | 'entities' | 'entityAliases' | 'entityLinks' | 'jobViews' | 'settings'
  >,
  actor: Actor,
  { id, job: asked }: InputOf<typeof operations.getEntity>,
): Promise<OutputOf<typeof operations.getEntity>> {
  const { alertRules, caseLists, comments, entities, entityAliases, entityLinks } = ports;
  const { entity, job, notices } = await entityScope(ports, actor, id, asked || null);
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
    job,
    auto_job: asked === null ? await entityLinks.onlyJob(actor, id) : null,
    notices,
    markdown: (await ports.settings.current()).renderMarkdown,
  };
}
