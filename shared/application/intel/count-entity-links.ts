import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { entityScope, foldedIds } from './entity-scope.ts';

/** How much there is behind the tabs of an entity. */
export async function countEntityLinks(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { id, job: asked, fold_aliases: folds }: InputOf<typeof operations.countEntityLinks>,
): Promise<OutputOf<typeof operations.countEntityLinks>> {
  const { job } = await entityScope(ports, actor, id, asked);
  const entityIds = await foldedIds(ports, id, folds);
  const { jobs, findings, relations } = await ports.entityLinks.counts(actor, id, { entityIds, job });
  return { jobs, findings, relationships: relations };
}
