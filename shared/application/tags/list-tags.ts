import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { tagName, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { maintainedTags } from './maintained-tags.ts';

const per = 100;

/** The vocabulary with how often each tag is used, for whoever keeps it in order (resolved-intel 9.2). */
export async function listTags(
  { tags, ...rules }: Pick<Ports, 'alertRules' | 'settings' | 'tags'>,
  actor: Actor,
  { q, sort, page }: InputOf<typeof operations.listTags>,
): Promise<OutputOf<typeof operations.listTags>> {
  const found = await tags.list(actor, { text: tagName(q), sort, page, per });
  const maintained = await maintainedTags(rules);
  return {
    tags: found.tags.map(({ name, color, description, entities, jobs, lastUsedAt }) => ({
      tag: name,
      color,
      description,
      count: entities,
      job_count: jobs,
      last_used: lastUsedAt?.toISOString() ?? null,
      maintained_by: maintained.get(name) ?? [],
    })),
    total: found.total,
    tagged_entities: found.taggedEntities,
    page: found.page,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
  };
}
