import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Entity } from './entity-repository.ts';

/** The job that what hangs on an entity is narrowed to, if the viewer sees it and it names the entity. */
export interface EntityScope {
  readonly entity: Entity;
  readonly job: number | null;
  readonly notices: string[];
}

/** One wording for jobs that are missing, private or do not name it: nobody learns which. */
export const jobLeftOut = 'The job cannot be used here, so all are shown';

/** Throws `not_found` where there is no such entity. */
export async function entityScope(
  { entities, entityLinks, jobViews }: Pick<Ports, 'entities' | 'entityLinks' | 'jobViews'>,
  viewer: Actor,
  entityId: number,
  job: number | null = null,
): Promise<EntityScope> {
  const entity = await entities.get(entityId);
  if (entity === null) throw notFound('entity');
  if (job === null) return { entity, job, notices: [] };
  const [seen] = await jobViews.among(viewer, [job]);
  const isUsable = seen !== undefined && (await entityLinks.isOf(entityId, job));
  return isUsable ? { entity, job, notices: [] } : { entity, job: null, notices: [jobLeftOut] };
}

/** The entity, and with its aliases all that it is the same as. */
export async function foldedIds(
  { entityAliases }: Pick<Ports, 'entityAliases'>,
  id: number,
  folds: boolean,
): Promise<readonly number[]> {
  const group = folds ? (await entityAliases.groupsOf([id])).get(id) : undefined;
  return group?.map((member) => member.id) ?? [id];
}
