import type { InputOf, operations } from '@svc/contracts';
import type { Actor, EntityType } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { entityScope, foldedIds } from '../entity-scope.ts';
import type { GraphAsked } from './build-graph.ts';
import type { Followed } from './entity-graphs.ts';

export interface GraphSubject {
  /** The entity; where aliases are folded, behind it all that is the same as it and that the job names. */
  readonly seeds: readonly { readonly id: number; readonly type: EntityType }[];
  readonly job: number | null;
  /** False for a job that is missing, private or does not name the entity: nobody learns which. */
  readonly isUsable: boolean;
}

/** The entity that a graph is about and the job that it is narrowed to. Throws `not_found` where there is no such entity. */
export async function graphSubject(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityLinks' | 'jobViews'>,
  viewer: Actor,
  {
    id,
    job: asked,
    fold_aliases: folds = false,
  }: { readonly id: number; readonly job: number | null; readonly fold_aliases?: boolean },
): Promise<GraphSubject> {
  const { entity, job } = await entityScope(ports, viewer, id, asked);
  const seeds = [{ id, type: entity.type }];
  for (const other of await foldedIds(ports, id, folds)) {
    const isNamed = other !== id && (job === null || (await ports.entityLinks.isOf(other, job)));
    if (isNamed) seeds.push({ id: other, type: entity.type });
  }
  return { seeds, job, isUsable: job === asked };
}

/** What a request says of a walk that begins with its subject. */
export function walkFrom(
  { seeds, job }: GraphSubject,
  input: Omit<InputOf<typeof operations.exportEntityGraph>, 'mixed'>,
): Omit<GraphAsked, 'jobEdges' | 'most' | 'search'> {
  const { hops, limit, include_allowlisted: includesAllowlisted } = input;
  return {
    seeds,
    job,
    hidesAllowlisted: !includesAllowlisted,
    hops,
    limit,
    follow: followed(input),
    foldsAliases: input.fold_aliases,
  };
}

/** What a walk follows: nothing but `only`, where it names anything. */
function followed({ via, only }: { readonly via: string; readonly only: readonly Followed[] }): Followed[] {
  if (only.length > 0) return [...only];
  return via === 'typed' ? ['typed', 'job'] : ['job'];
}
