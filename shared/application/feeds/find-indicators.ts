import type { Actor } from '@svc/domain';
import type { Entity } from '../intel/entity-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { Indicator } from './indicators.ts';

/** What is said of entities, in their order, to this viewer. */
export async function indicatorsOf(
  { entities, entityBlame }: Pick<Ports, 'entities' | 'entityBlame'>,
  viewer: Actor,
  found: readonly Entity[],
): Promise<Indicator[]> {
  const ids = found.map(({ id }) => id);
  const [blame, tags] = [await entityBlame.of(viewer, ids), await entities.tagsOf(ids)];
  return found.map((entity) => ({
    ...entity,
    tags: tags.get(entity.id) ?? [],
    severity: blame.get(entity.id)?.severity ?? null,
    categories: blame.get(entity.id)?.categories ?? [],
  }));
}
