import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor, type EntityType, type RelationshipKind } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

type Way = readonly [label: string, type: RelationshipKind, direction: 'out' | 'in'];

const most = 10;

/** What tells most of a type, in the order in which it is shown (resolved-intel 5.1). */
const ways: Readonly<Record<EntityType, readonly Way[]>> = {
  executable: [
    ['Hashes', 'hashes_to', 'out'],
    ['Parent processes', 'parent_of', 'in'],
    ['Child processes', 'parent_of', 'out'],
    ['Created files', 'creates', 'out'],
    ['Loaded modules', 'loads', 'out'],
    ['Loaded by', 'loads', 'in'],
    ['Run by users', 'runs_as', 'out'],
    ['Seen on hosts', 'runs_on', 'out'],
    ['Network peers', 'communicates_with', 'out'],
  ],
  hash: [['File names', 'hashes_to', 'in']],
  domain: [
    ['Resolves to', 'resolves_to', 'out'],
    ['Queried by', 'queries', 'in'],
  ],
  ip_address: [
    ['Domains', 'resolves_to', 'in'],
    ['Logons from this address', 'logs_on_from', 'in'],
    ['Connects to', 'connects_to', 'out'],
    ['Inbound connections', 'connects_to', 'in'],
    ['Contacted by', 'communicates_with', 'in'],
  ],
  user: [
    ['Computers', 'logs_on_to', 'out'],
    ['Logon source addresses', 'logs_on_from', 'out'],
    ['Executables', 'runs_as', 'in'],
  ],
  computer: [
    ['Users', 'logs_on_to', 'in'],
    ['Executables', 'runs_on', 'in'],
  ],
  cmdline_file: [['Created by', 'creates', 'in']],
  service: [['Installed by', 'installs', 'in']],
  task: [['Scheduled by', 'schedules', 'in']],
};

/** What an entity is related to in the ways that tell most of its type; that it is, every member knows. */
export async function listAssociatedEntities(
  { entities, entityLinks }: Pick<Ports, 'entities' | 'entityLinks'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.listAssociatedEntities>,
): Promise<OutputOf<typeof operations.listAssociatedEntities>> {
  const entity = await entities.get(id);
  if (entity === null) throw notFound('entity');
  const asked = ways[entity.type].map(([label, type, direction]) => ({
    label,
    type,
    direction,
    isOut: direction === 'out',
  }));
  const found = await entityLinks.associated(id, asked, most);
  return {
    groups: asked.flatMap(({ label, type, direction, isOut }) => {
      const group = found.find((one) => one.type === type && one.isOut === isOut);
      if (group === undefined) return [];
      const rows = group.strongest.map(({ other, occurrences }) => ({
        other: { id: other.id, value: other.value, entity_type: other.type },
        occurrence_count: occurrences,
      }));
      return [{ label, rel_type: type, direction, total: group.total, rows }];
    }),
  };
}
