import type { Enrichment, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, filledUrl, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { Entity } from '../entity-repository.ts';
import { askService, type Asking, type AskPorts } from './ask-service.ts';
import type { EnrichmentResult } from './enrichment-results.ts';
import type { EnrichmentService } from './enrichment-services.ts';

type ShowPorts = Pick<Ports, 'enrichmentResults' | 'enrichmentServices' | 'entities' | 'offlineLookups'>;
type ShownResult = NonNullable<Enrichment['services'][number]['result']>;

/** What is known of an entity beyond its logs (resolved-intel 20); asks nobody. */
export async function getEntityEnrichment(
  ports: ShowPorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.getEntityEnrichment>,
): Promise<Enrichment> {
  return shown(ports, await known(ports, id), null);
}

/** Asks a service about an entity unless its answer is fresh; where that is not possible now, what it said before. */
export async function enrichEntity(
  ports: AskPorts & ShowPorts,
  _actor: Actor,
  { id, service_id: serviceId, force }: InputOf<typeof operations.enrichEntity>,
): Promise<Enrichment> {
  const entity = await known(ports, id);
  const service = await ports.enrichmentServices.get(serviceId);
  // Values are for nobody whom their kind was not meant for.
  if (service === null || !service.entityTypes.includes(entity.type)) throw notFound('service');
  if (!service.enabled) throw new AppError('bad_request', 'The service is switched off');
  if (service.apiTemplate === null) throw new AppError('bad_request', 'The service has no address to ask');
  const before = (await ports.enrichmentResults.of(id)).find((one) => one.serviceId === serviceId);
  const isFresh = before !== undefined && before.expiresAt > ports.clock.now();
  const asking = isFresh && !force ? null : await askService(ports, service, entity);
  return shown(ports, entity, asking === null ? null : { serviceId, asking });
}

/** The whole answer of a service. */
export async function getRawEnrichment(
  { enrichmentResults, enrichmentServices, entities }: ShowPorts,
  _actor: Actor,
  { id, service_id: serviceId }: InputOf<typeof operations.getRawEnrichment>,
): Promise<OutputOf<typeof operations.getRawEnrichment>> {
  const [entity, service] = await Promise.all([entities.get(id), enrichmentServices.get(serviceId)]);
  if (entity === null) throw notFound('entity');
  const found = service?.entityTypes.includes(entity.type) ? await enrichmentResults.raw(id, serviceId) : null;
  if (found === null) throw notFound('answer');
  return { raw: found.raw, fetched_at: found.fetchedAt.toISOString() };
}

async function known({ entities }: Pick<Ports, 'entities'>, id: number): Promise<Entity> {
  const entity = await entities.get(id);
  if (entity === null) throw notFound('entity');
  return entity;
}

async function shown(
  ports: ShowPorts,
  entity: Entity,
  tried: { readonly serviceId: number; readonly asking: Asking } | null,
): Promise<Enrichment> {
  const [all, results, offline] = await Promise.all([
    ports.enrichmentServices.all(),
    ports.enrichmentResults.of(entity.id),
    offlineOf(ports, entity),
  ]);
  const services = all.filter(({ enabled, entityTypes }) => enabled && entityTypes.includes(entity.type));
  return {
    links: services.flatMap((service) => linkOf(service, entity)),
    services: services
      .filter(({ apiTemplate }) => apiTemplate !== null)
      .map(({ id, name }) => ({
        id,
        name,
        result: shownResult(
          results.find(({ serviceId }) => serviceId === id),
          tried?.serviceId === id ? tried.asking : null,
        ),
      })),
    offline,
  };
}

function linkOf({ name, linkTemplate }: EnrichmentService, { type, value }: Entity): Enrichment['links'] {
  const url = linkTemplate === null ? null : filledUrl(linkTemplate, { type, value, token: null });
  return url === null ? [] : [{ name, url }];
}

function shownResult(result: EnrichmentResult | undefined, asking: Asking | null): ShownResult | null {
  if (result !== undefined) {
    return {
      ok: result.ok,
      summary: Object.fromEntries(
        Object.entries(result.summary).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
      ),
      ...(result.error !== null && { error: result.error }),
      verdict: result.verdict,
      fetched_at: result.fetchedAt.toISOString(),
      expires_at: result.expiresAt.toISOString(),
      has_raw: result.hasRaw,
    };
  }
  if (asking === null || asking.how === 'asked') return null;
  const nothing = { summary: {}, verdict: 'none', fetched_at: null, expires_at: null, has_raw: false } as const;
  return { ok: false, error: asking.how, ...nothing };
}

async function offlineOf(
  { offlineLookups }: Pick<Ports, 'offlineLookups'>,
  { type, value }: Entity,
): Promise<Enrichment['offline']> {
  const network = type === 'ip_address' ? await offlineLookups.network(value) : { country: null, asn: null };
  return { ...network, known_good: type === 'hash' ? await offlineLookups.knownGood(value) : null };
}
