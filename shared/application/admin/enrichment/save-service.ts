import type { EnrichmentService as Shown, InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor, type EnrichmentContent } from '@svc/domain';
import { enrichmentTokenPlace, type EnrichmentService } from '../../intel/enrichment/enrichment-services.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TransactionPorts } from '../../ports/transaction.ts';
import { checkedService } from './check-service.ts';

type ListPorts = Pick<Ports, 'clock' | 'enrichmentResults' | 'enrichmentServices'>;
type SavePorts = ListPorts & Pick<Ports, 'outbound' | 'secretBox' | 'transaction'>;
type Sent = InputOf<typeof operations.changeEnrichmentService>;

/** All services, and how each does. */
export async function listEnrichmentServices(
  ports: ListPorts & Pick<Ports, 'deployment'>,
): Promise<OutputOf<typeof operations.listEnrichmentServices>> {
  const [services, counts] = await Promise.all([ports.enrichmentServices.all(), ports.enrichmentResults.counts()]);
  const { perMinute, publicOnly } = ports.deployment.enrichment;
  return {
    services: services.map((service) => present(service, counts, ports.clock.now())),
    default_per_minute: perMinute,
    public_only: publicOnly,
  };
}

/** Sets a service up; its token is sealed for the row that it stands in. */
export async function createEnrichmentService(
  ports: SavePorts,
  _actor: Actor,
  { api_token: token, ...input }: InputOf<typeof operations.createEnrichmentService>,
): Promise<Shown> {
  const content = checkedService(ports, contentOf(input));
  return shown(
    ports,
    await ports.transaction(async (tx) => {
      const id = await tx.enrichmentServices.add(content, ports.clock.now());
      await sealToken(ports, tx, id, token);
      return id;
    }),
  );
}

/** Changes what the request names. */
export async function changeEnrichmentService(
  ports: SavePorts,
  _actor: Actor,
  { id, api_token: token, ...input }: Sent,
): Promise<Shown> {
  await ports.transaction(async (tx) => {
    const before = await read(tx, id);
    const said = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const content = checkedService(ports, contentOf({ ...sentOf(before), ...said }));
    const changed = Object.entries(content).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof EnrichmentContent]),
    );
    if (changed.length > 0) await tx.enrichmentServices.change(id, Object.fromEntries(changed), ports.clock.now());
    await sealToken(ports, tx, id, token ?? '');
  });
  return shown(ports, id);
}

export async function toggleEnrichmentService(
  ports: ListPorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.toggleEnrichmentService>,
): Promise<Shown> {
  const { enabled } = await read(ports, id);
  await ports.enrichmentServices.change(id, { enabled: !enabled }, ports.clock.now());
  return shown(ports, id);
}

export async function clearEnrichmentToken(
  ports: ListPorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.clearEnrichmentToken>,
): Promise<Shown> {
  await read(ports, id);
  await ports.enrichmentServices.change(id, { sealedToken: null }, ports.clock.now());
  return shown(ports, id);
}

/** Deletes a service, and with it all that it has said. */
export async function deleteEnrichmentService(
  ports: ListPorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.deleteEnrichmentService>,
): Promise<OutputOf<typeof operations.deleteEnrichmentService>> {
  const { name } = await read(ports, id);
  await ports.enrichmentServices.remove(id);
  return { id, name };
}

async function read(
  { enrichmentServices }: Pick<TransactionPorts, 'enrichmentServices'>,
  id: number,
): Promise<EnrichmentService> {
  const service = await enrichmentServices.get(id);
  if (service === null) throw notFound('service');
  return service;
}

async function sealToken(
  { clock, secretBox }: Pick<Ports, 'clock' | 'secretBox'>,
  tx: Pick<TransactionPorts, 'enrichmentServices'>,
  id: number,
  token: string,
): Promise<void> {
  if (token === '') return;
  await tx.enrichmentServices.change(
    id,
    { sealedToken: await secretBox.seal(token, enrichmentTokenPlace(id)) },
    clock.now(),
  );
}

async function shown(ports: ListPorts, id: number): Promise<Shown> {
  return present(await read(ports, id), await ports.enrichmentResults.counts(), ports.clock.now());
}

type Said = Omit<InputOf<typeof operations.createEnrichmentService>, 'api_token'>;

function contentOf(sent: Said): EnrichmentContent {
  return {
    name: sent.name,
    providerKey: sent.provider_key,
    entityTypes: sent.entity_types,
    linkTemplate: sent.link_template,
    apiTemplate: sent.api_template,
    apiMethod: sent.api_method,
    apiHeaders: sent.api_headers,
    apiBody: sent.api_body,
    cacheTtlSeconds: sent.cache_ttl_seconds,
    perMinute: sent.per_minute,
    summaryFields: sent.summary_fields,
    verdictRules: sent.verdict_rules.map(({ verdict, pointer, at_least: atLeast, is }) => ({
      verdict,
      pointer,
      ...(atLeast !== undefined && { atLeast }),
      ...(is !== undefined && { is }),
    })),
    enabled: sent.enabled,
    displayOrder: sent.display_order,
    notes: sent.notes,
  };
}

function sentOf(content: EnrichmentContent): Said {
  return {
    name: content.name,
    provider_key: content.providerKey,
    entity_types: [...content.entityTypes],
    link_template: content.linkTemplate,
    api_template: content.apiTemplate,
    api_method: content.apiMethod,
    api_headers: { ...content.apiHeaders },
    api_body: content.apiBody,
    cache_ttl_seconds: content.cacheTtlSeconds,
    per_minute: content.perMinute,
    summary_fields: content.summaryFields.map((field) => ({ ...field })),
    verdict_rules: content.verdictRules.map(({ verdict, pointer, atLeast, is }) => ({
      verdict,
      pointer,
      ...(atLeast !== undefined && { at_least: atLeast }),
      ...(is !== undefined && { is }),
    })),
    enabled: content.enabled,
    display_order: content.displayOrder,
    notes: content.notes,
  };
}

function present(service: EnrichmentService, counts: ReadonlyMap<number, number>, now: Date): Shown {
  const { failures, lastError, openUntil } = service.circuit;
  const state = openUntil === null ? 'closed' : openUntil > now ? 'open' : 'half_open';
  return {
    id: service.id,
    ...sentOf(service),
    has_token: service.sealedToken !== null,
    circuit: { state, failures, retry_at: openUntil?.toISOString() ?? null, last_error: lastError },
    results: counts.get(service.id) ?? 0,
    created_at: service.createdAt.toISOString(),
    updated_at: service.updatedAt.toISOString(),
  };
}
