import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { graphSubject } from './graph/graph-subject.ts';

/** What there is to expand an entity by, before anything of it is fetched. */
export async function countGraphNeighbours(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityGraphs' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  input: InputOf<typeof operations.countGraphNeighbours>,
): Promise<OutputOf<typeof operations.countGraphNeighbours>> {
  const { job, isUsable } = await graphSubject(ports, actor, input);
  if (!isUsable) return { groups: [] };
  const scope = { job, hidesAllowlisted: !input.include_allowlisted };
  const counts = await ports.entityGraphs.counts(actor, input.id, scope);
  return {
    groups: counts.map(({ by, neighbours, isFloor }) => ({
      ...(by === 'job' || by === 'finding' ? { kind: by, rel_type: null } : { kind: 'typed' as const, rel_type: by }),
      neighbours,
      is_floor: isFloor,
    })),
  };
}
