import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { feedLimits, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { indicatorsOf } from './find-indicators.ts';
import { packed } from './packed.ts';

/** An entity and what most visible jobs name with it (resolved-intel 17.4). */
export async function getEntityIocPack(
  ports: Pick<Ports, 'clock' | 'entities' | 'entityBlame' | 'entityLinks'>,
  viewer: Actor,
  { id }: InputOf<typeof operations.getEntityIocPack>,
): Promise<OutputOf<typeof operations.getEntityIocPack>> {
  const entity = await ports.entities.get(id);
  if (entity === null) throw notFound('entity');
  const together = await ports.entityLinks.together(viewer, id, feedLimits.packed);
  const beside = await ports.entities.some(together.map((one) => one.id));
  const indicators = await indicatorsOf(ports, viewer, [entity, ...beside]);
  return { ...packed(indicators, ports.clock.now()), scope: 'entity', focal: entity.value };
}
