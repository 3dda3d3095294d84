import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, severities, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { panelsOf } from '../system/panels.ts';

/** What was going on in the visible jobs of an entity, which need not be what it did (resolved-intel 5.1). */
export async function getEntityThreats(
  { entities, entityLinks, settings }: Pick<Ports, 'entities' | 'entityLinks' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getEntityThreats>,
): Promise<OutputOf<typeof operations.getEntityThreats>> {
  const entity = await entities.get(id);
  if (entity === null) throw notFound('entity');
  if (!panelsOf(await settings.current()).threat_detection) return { categories: null, severity: null, total: 0 };
  const found = await entityLinks.threats(actor, entity);
  return {
    categories: found.map(({ category, label, jobs, worst, isDirect }) => ({
      category,
      label,
      jobs,
      severity: worst,
      direct: isDirect,
    })),
    severity: severities.find((severity) => found.some(({ worst }) => worst === severity)) ?? null,
    total: found.reduce((sum, { indicators }) => sum + indicators, 0),
  };
}
