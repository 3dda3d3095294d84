import { enrichmentLimits, graphVerdicts } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, idList, OptionalId, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** What a service has said of an entity, or why it has not. */
const Result = z.object({
  ok: z.boolean(),
  /** Names of what is known, with texts, numbers, or lists of these. */
  summary: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])),
  /** `no_endpoint`, `blocked_target`, `network_error`, `too_large`, `http_404`, `rate_limited`, `paused`, or a type. */
  error: z.string().optional(),
  verdict: z.enum(graphVerdicts),
  /** Null for what was not kept. */
  fetched_at: Timestamp.nullable(),
  /** Until when it is not asked again unless somebody wants it. */
  expires_at: Timestamp.nullable(),
  has_raw: z.boolean(),
});

const Service = z.object({ id: z.number().int(), name: z.string(), result: Result.nullable() });
export type EnrichedService = z.output<typeof Service>;

const Enrichment = z.object({
  /** Pages of others about it, to open in the browser. */
  links: z.array(z.object({ name: z.string(), url: z.string() })),
  /** Services that can be asked about it. */
  services: z.array(Service),
  /** What files on this machine say of it; null where there is no such file, or it says nothing. */
  offline: z.object({
    country: z.object({ code: z.string(), name: z.string() }).nullable(),
    asn: z.object({ number: z.number().int(), organization: z.string() }).nullable(),
    /** Whether the hash is in the list of known files; null without a list, and for what is no hash of its kinds. */
    known_good: z.boolean().nullable(),
  }),
});
export type Enrichment = z.output<typeof Enrichment>;

const Run = z.object({
  id: z.number().int(),
  service_id: z.number().int(),
  service: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
  /** Entities that it is about, and those that it is done with. */
  total: z.number().int(),
  done: z.number().int(),
  detail: z.string().nullable(),
  created_at: Timestamp,
});
export type EnrichmentRun = z.output<typeof Run>;
const Runs = z.object({ runs: z.array(Run) });

const common = { area: 'intel', access: 'member' } as const;
const ofService = z.object({ id: Id, service_id: Id });

/** What services of others, and files on this machine, know about entities (resolved-intel 20). */
export const enrichmentOperations = {
  getEntityEnrichment: {
    ...common,
    method: 'GET',
    path: '/intel/entities/{id}/enrichment',
    summary: 'What is known of an entity beyond its logs, and who else could be asked; this asks nobody',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: Enrichment,
    errors: ['not_found'],
  },
  enrichEntity: {
    ...common,
    method: 'POST',
    path: '/intel/entities/{id}/enrich/{service_id}',
    summary: 'Ask a service about an entity, unless its answer is still fresh; the service learns of the value',
    params: ofService,
    body: z.object({
      /** Asks also where there is a fresh answer. */
      force: Flag,
    }),
    success: [200],
    output: Enrichment,
    errors: ['bad_request', 'not_found'],
  },
  getRawEnrichment: {
    ...common,
    method: 'GET',
    path: '/intel/entities/{id}/enrichment/{service_id}/raw',
    summary: 'The whole answer of a service about an entity, as the text that it was',
    scope: 'intel:read',
    params: ofService,
    success: [200],
    output: z.object({ raw: z.string(), fetched_at: Timestamp }),
    errors: ['not_found'],
  },
  bulkEnrich: {
    ...common,
    method: 'POST',
    path: '/intel/entities/bulk-enrich',
    summary: 'Have a service asked about several entities, as fast as its limit allows',
    body: z.object({ ids: idList('entities', enrichmentLimits.atOnce), service_id: Id }),
    success: [202],
    output: Runs,
    errors: ['bad_request', 'not_found', 'unavailable'],
  },
  enrichCase: {
    ...common,
    method: 'POST',
    path: '/intel/cases/{id}/enrich',
    summary:
      'Have one service, or each, asked about the entities of a case that it covers; those of private networks are left out',
    params: PathId,
    body: z.object({ service_id: OptionalId }),
    success: [202],
    output: Runs,
    errors: ['bad_request', 'case_not_found', 'not_found', 'unavailable'],
  },
  listCaseEnrichment: {
    ...common,
    method: 'GET',
    path: '/intel/cases/{id}/enrichment',
    summary: 'The last look-up of each service about the entities of a case, and which services could be asked',
    params: PathId,
    success: [200],
    output: Runs.extend({ services: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
    errors: ['case_not_found'],
  },
  getEnrichmentRun: {
    ...common,
    method: 'GET',
    path: '/intel/enrichment-runs/{id}',
    summary: 'How far a look-up of several entities is, for who asked for it',
    params: PathId,
    success: [200],
    output: Run,
    errors: ['not_found'],
  },
  cancelEnrichmentRun: {
    ...common,
    method: 'POST',
    path: '/intel/enrichment-runs/{id}/cancel',
    summary: 'Have a look-up of several entities go no further; what it has found stays',
    params: PathId,
    success: [200],
    output: Run,
    errors: ['conflict', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
