import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { feedLimits, notFound, stixPattern, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { indicatorsOf } from './find-indicators.ts';

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
  return {
    version: '1.0',
    generated_at: ports.clock.now().toISOString(),
    source: 'svc',
    scope: 'entity',
    focal: entity.value,
    indicators: indicators.map((one) => ({
      value: one.value,
      type: one.type,
      first_seen: one.firstSeenAt.toISOString(),
      last_seen: one.lastSeenAt.toISOString(),
      sightings: one.jobCount,
      threat_categories: [...one.categories],
      severity: one.severity ?? '',
      stix_pattern: stixPattern(one) ?? '',
      tags: one.tags.map(({ name }) => name),
    })),
  };
}
