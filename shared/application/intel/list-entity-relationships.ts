import type { InputOf, operations, OutputOf, RelationGroup } from '@svc/contracts';
import { relationshipKinds, relationshipLabels, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { EntityRelation } from './entity-links.ts';
import { entityScope } from './entity-scope.ts';

/** Of each direction (resolved-intel 6.4). */
const most = 1000;

/** Relationships of an entity by type and direction; that there are any is for every member to know. */
export async function listEntityRelationships(
  ports: Pick<Ports, 'entities' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { id, job: asked, kinds: wanted, from, to }: InputOf<typeof operations.listEntityRelationships>,
): Promise<OutputOf<typeof operations.listEntityRelationships>> {
  const { job, notices } = await entityScope(ports, actor, id, asked);
  const found = await ports.entityLinks.relations(actor, id, {
    job,
    kinds: wanted === undefined || wanted.length === 0 ? null : wanted,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
    most,
  });
  const groups = new Map<string, EntityRelation[]>();
  for (const relation of found.relations) {
    const key = `${relation.type} ${relation.isOut}`;
    groups.set(key, [...(groups.get(key) ?? []), relation]);
  }
  return {
    groups: [...groups.values()].map(toGroup),
    kinds: relationshipKinds.flatMap((kind) => {
      const count = found.kinds.get(kind);
      return count === undefined ? [] : [{ rel_type: kind, label: relationshipLabels[kind], count }];
    }),
    total: found.total,
    capped: found.isCapped,
    notices,
  };
}

function toGroup(relations: readonly EntityRelation[]): RelationGroup {
  const { type, isOut } = relations[0]!;
  return {
    rel_type: type,
    label: relationshipLabels[type],
    direction: isOut ? 'out' : 'in',
    count: relations.length,
    rows: relations.map((relation) => ({
      relationship_id: relation.id,
      other: { id: relation.other.id, value: relation.other.value, entity_type: relation.other.type },
      occurrence_count: relation.occurrences,
      last_seen_at: relation.lastSeenAt.toISOString(),
    })),
  };
}
