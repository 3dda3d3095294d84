import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentProcessTree } from '../report/shown/process-tree.ts';
import { panelsOf } from '../system/panels.ts';
import { entityScope } from './entity-scope.ts';
import { isLineageType, pruneToEntity } from './process-lineage.ts';

/** The processes of a job that are an entity or name it, with their ancestors and all that they started. */
export async function getEntityProcessTree(
  ports: Pick<Ports, 'derivations' | 'entities' | 'entityLinks' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id, job: asked }: InputOf<typeof operations.getEntityProcessTree>,
): Promise<OutputOf<typeof operations.getEntityProcessTree>> {
  const { entity, job, notices } = await entityScope(ports, actor, id, asked);
  if (!isLineageType(entity.type)) throw notFound('process tree');
  if (!panelsOf(await ports.settings.current()).process_tree) return { forest: null, reason: 'disabled', notices };
  if (job === null) return { forest: null, reason: 'job_required', notices };
  const tree = presentProcessTree(await ports.derivations.processes(job));
  return { forest: pruneToEntity(tree, { type: entity.type, value: entity.value }), reason: null, notices };
}
