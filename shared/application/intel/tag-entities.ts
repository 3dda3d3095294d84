import type { InputOf, JobTags, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from '../tags/tag-job.ts';
import type { WantedTag } from '../tags/tag-repository.ts';
import { unwantedTags, wantedTags } from '../tags/wanted-tags.ts';

type TagPorts = Pick<Ports, 'clock' | 'entities' | 'transaction'>;

/** Gives an entity tags, which take their colours everywhere (resolved-intel 9.3). */
export async function tagEntity(
  ports: TagPorts,
  actor: Actor,
  { id, ...sent }: InputOf<typeof operations.tagEntity>,
): Promise<JobTags> {
  const { tagged } = await give(ports, actor, wantedTags(sent), [id]);
  if (tagged === 0) throw notFound('entity');
  return tagsOf(ports, id);
}

/** Gives entities tags; ids that are of none are skipped. */
export function tagEntities(
  ports: TagPorts,
  actor: Actor,
  { entity_ids: ids, ...sent }: InputOf<typeof operations.tagEntities>,
): Promise<OutputOf<typeof operations.tagEntities>> {
  return give(ports, actor, wantedTags(sent), ids);
}

/** Takes tags off an entity; one that it does not carry changes nothing. */
export async function untagEntity(
  ports: TagPorts,
  _actor: Actor,
  { id, ...sent }: InputOf<typeof operations.untagEntity>,
): Promise<JobTags> {
  if ((await take(ports, unwantedTags(sent), [id])) === null) throw notFound('entity');
  return tagsOf(ports, id);
}

/** Takes tags off entities. */
export async function untagEntities(
  ports: TagPorts,
  _actor: Actor,
  { entity_ids: ids, ...sent }: InputOf<typeof operations.untagEntities>,
): Promise<OutputOf<typeof operations.untagEntities>> {
  const removed = (await take(ports, unwantedTags(sent), ids)) ?? [];
  return { removed: removed.length, entity_ids: [...new Set(removed)] };
}

function give(
  { clock, transaction }: TagPorts,
  actor: Actor,
  wanted: readonly WantedTag[],
  ids: readonly number[],
): Promise<OutputOf<typeof operations.tagEntities>> {
  const by = actor.kind === 'account' ? actor.userId : null;
  return transaction(async (tx) => {
    const entityIds = await tx.entities.hold(ids);
    if (entityIds.length === 0) return { tagged: 0, links: 0, entity_ids: [] };
    const links = await tx.tags.addToEntities(wanted, { entityIds, by, at: clock.now() });
    return { tagged: entityIds.length, links: links.length, entity_ids: [...new Set(links)] };
  });
}

/** Of each link that there was, its entity; null where there are no such entities. */
function take(
  { transaction }: TagPorts,
  names: readonly string[],
  ids: readonly number[],
): Promise<readonly number[] | null> {
  return transaction(async (tx) => {
    const held = await tx.entities.hold(ids);
    if (held.length === 0) return null;
    return tx.tags.removeFromEntities(names, held);
  });
}

async function tagsOf({ entities }: TagPorts, id: number): Promise<JobTags> {
  return shownTags((await entities.tagsOf([id])).get(id) ?? []);
}
