import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { entityScope } from './entity-scope.ts';

const most = 40;

/** What visible jobs name beside an entity, by how many of them. */
export async function listEntitiesTogether(
  ports: Pick<Ports, 'entities' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.listEntitiesTogether>,
): Promise<OutputOf<typeof operations.listEntitiesTogether>> {
  await entityScope(ports, actor, id);
  const found = await ports.entityLinks.together(actor, id, most);
  return {
    items: found.map(({ id: other, value, type, isAllowlisted, jobs }) => ({
      id: other,
      value,
      entity_type: type,
      allowlisted: isAllowlisted,
      shared_jobs: jobs,
    })),
  };
}
