import { ownService } from '@svc/adapters/testing/enrichment-content.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { randomUUID } from 'node:crypto';

/** Nothing has these ids. */
export const noEnrichment = { service: 2_000_000_000, lookup: 2_000_000_000 };

/** A service that has said something of the entity, and a look-up that the owner asked for, for operations on them. */
export async function anyEnrichment(ports: Ports, name: string, entityId: number): Promise<typeof noEnrichment> {
  if (!/enrich/i.test(name)) return noEnrichment;
  const at = new Date();
  const entityTypes = [(await ports.entities.get(entityId))?.type ?? 'domain'];
  const service = await ports.enrichmentServices.add(
    // Refused before anybody is asked.
    { ...ownService, name: randomUUID(), entityTypes, apiTemplate: 'http://127.0.0.1/{value}' },
    at,
  );
  const kept = { ok: true, summary: {}, verdict: 'none', error: null, fetchedAt: at, expiresAt: at } as const;
  await ports.enrichmentResults.save({ entityId, serviceId: service, ...kept }, '{}');
  const { id: requestedBy } = (await ports.accounts.findByEmail('owner@example.org'))!;
  const asked = { serviceId: service, caseId: null, requestedBy, entityIds: [entityId], createdAt: at };
  const lookup = await ports.enrichmentRuns.add(asked);
  await ports.backgroundTasks.request({ kind: 'bulk_enrich', targetId: lookup, requestedBy: '' }, at);
  return { service, lookup };
}
