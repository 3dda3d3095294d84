import { enrichmentLimits, enrichmentMethods, entityTypes, graphVerdicts } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId, Switch, Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const { name, template, body, notes, token, rules, pointer, cacheSeconds, perMinute } = enrichmentLimits;

const text = (most: number) => z.string().trim().max(most, `must have at most ${most} characters`);
/** Null, or an empty text of a form, for none. */
const optional = (most: number) =>
  z
    .union([text(most), z.null()], { error: `must be a text of at most ${most} characters, or nothing` })
    .transform((sent) => sent || null);
/** A JSON value, also as the text of a form. */
const json = <T extends z.ZodType>(schema: T, error: string) =>
  z.union([schema, z.string().transform(parsed).pipe(schema)], { error });

const Pointer = z
  .string()
  .max(pointer)
  .regex(/^(\/([^~]|~[01])*)?$/, 'must be a JSON pointer, as /data/attributes/reputation');
const SummaryField = z.object({ label: text(60).min(1), pointer: Pointer });
const VerdictRule = z
  .object({
    verdict: z.enum(graphVerdicts),
    pointer: Pointer,
    at_least: z.number().optional(),
    is: z.string().max(200).optional(),
  })
  .refine(({ at_least, is }) => at_least === undefined || is === undefined, 'must say at_least or is, not both');

/** What administrators say of a service that knows something about entities (resolved-platform 19). */
const Content = z.object({
  name: text(name).min(1, 'must not be empty'),
  /** `virustotal`, `abuseipdb`, `shodan`, `urlscan`, which also restrict the host, or any other. */
  provider_key: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,39}$/, 'must be 1 to 40 letters, digits, dots, dashes and underscores'),
  entity_types: z.union(
    [
      z.array(z.enum(entityTypes)),
      z
        .string()
        .transform(split)
        .pipe(z.array(z.enum(entityTypes))),
    ],
    {
      error: `must be types of entities: ${entityTypes.join(', ')}`,
    },
  ),
  /** Opens in the browser; `{value}` is the entity's. */
  link_template: optional(template),
  /** Asked by the service; `{value}` and `{token}`. */
  api_template: optional(template),
  api_method: z.enum(enrichmentMethods, { error: 'must be GET or POST' }),
  /** `{token}` is filled in; those that say where a request goes or how it is framed are dropped. */
  api_headers: json(z.record(z.string(), z.string()), 'must be an object of texts'),
  /** Of a POST, with `{value}`: JSON, or fields of a form. */
  api_body: optional(body),
  cache_ttl_seconds: wholeNumber(0, cacheSeconds),
  /** Requests a minute; null for `ENRICHMENT_RATE_LIMIT_PER_MINUTE`. */
  per_minute: z
    .union([z.literal('').transform(() => null), z.null(), wholeNumber(1, perMinute)], {
      error: `must be a whole number from 1 to ${perMinute}, or nothing`,
    })
    .nullable(),
  /** Parts of the answer to show, by JSON pointers, beside what is known of the vendor. */
  summary_fields: json(z.array(SummaryField).max(rules), `must be at most ${rules} labels with their pointers`),
  /** When the answer means what; the strongest that is met. None: as is known of the vendor. */
  verdict_rules: json(z.array(VerdictRule).max(rules), `must be at most ${rules} verdicts with their conditions`),
  enabled: Switch,
  display_order: wholeNumber(0, 1_000_000),
  notes: text(notes),
});

export const EnrichmentService = z.object({
  id: Id,
  ...Content.shape,
  api_headers: z.record(z.string(), z.string()),
  entity_types: z.array(z.enum(entityTypes)),
  link_template: z.string().nullable(),
  api_template: z.string().nullable(),
  api_body: z.string().nullable(),
  cache_ttl_seconds: z.number().int(),
  per_minute: z.number().int().nullable(),
  summary_fields: z.array(SummaryField),
  verdict_rules: z.array(VerdictRule),
  enabled: z.boolean(),
  display_order: z.number().int(),
  /** The token itself is never told. */
  has_token: z.boolean(),
  /** Whether it is asked, or left alone for a while after it has failed again and again. */
  circuit: z.object({
    state: z.enum(['closed', 'open', 'half_open']),
    failures: z.number().int(),
    /** When it is tried again. */
    retry_at: Timestamp.nullable(),
    last_error: z.string().nullable(),
  }),
  /** Entities of which there is an answer. */
  results: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type EnrichmentService = z.output<typeof EnrichmentService>;

function split(names: string): string[] {
  return names.split(',').flatMap((one) => one.trim() || []);
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent) as unknown;
  } catch {
    return sent;
  }
}

const Token = z
  .string()
  .max(token)
  .regex(/^[\x21-\x7e]*$/, 'must have no blanks and no letters beyond ASCII');

const common = { area: 'admin', access: 'admin' } as const;
const one = { ...common, method: 'POST', params: PathId } as const;

/** Services that know something about entities, as administrators set them up (resolved-platform 19). */
export const enrichmentServiceOperations = {
  listEnrichmentServices: {
    ...common,
    method: 'GET',
    path: '/admin/enrichment',
    summary: 'All enrichment services in the order in which they are shown, and how each does',
    success: [200],
    output: z.object({
      services: z.array(EnrichmentService),
      /** Requests a minute of a service that says nothing else; 0 for any number. */
      default_per_minute: z.number().int(),
      /** Whether hosts of private networks are refused. */
      public_only: z.boolean(),
    }),
    errors: [],
  },
  createEnrichmentService: {
    ...common,
    method: 'POST',
    path: '/admin/enrichment',
    summary: 'Set up a service that knows something about entities',
    confirmed: true,
    body: z.object({
      ...Content.shape,
      link_template: Content.shape.link_template.default(null),
      api_template: Content.shape.api_template.default(null),
      api_method: Content.shape.api_method.default('GET'),
      api_headers: Content.shape.api_headers.default({}),
      api_body: Content.shape.api_body.default(null),
      api_token: Token.default(''),
      cache_ttl_seconds: Content.shape.cache_ttl_seconds.default(86_400),
      per_minute: Content.shape.per_minute.default(null),
      summary_fields: Content.shape.summary_fields.default([]),
      verdict_rules: Content.shape.verdict_rules.default([]),
      enabled: Switch.default(true),
      display_order: Content.shape.display_order.default(100),
      notes: Content.shape.notes.default(''),
    }),
    success: [201],
    output: EnrichmentService,
    errors: ['bad_request', 'conflict'],
  },
  changeEnrichmentService: {
    ...one,
    path: '/admin/enrichment/{id}',
    summary: 'Change of an enrichment service what the request names; another token takes the place of the stored one',
    confirmed: true,
    body: Content.partial().extend({
      /** Empty to leave it as it is. */
      api_token: Token.optional(),
    }),
    success: [200],
    output: EnrichmentService,
    errors: ['bad_request', 'conflict', 'not_found'],
  },
  toggleEnrichmentService: {
    ...one,
    path: '/admin/enrichment/{id}/toggle',
    summary: 'Switch an enrichment service on or off; what it has said stays',
    confirmed: true,
    success: [200],
    output: EnrichmentService,
    errors: ['not_found'],
  },
  clearEnrichmentToken: {
    ...one,
    path: '/admin/enrichment/{id}/clear-token',
    summary: 'Forget the token of an enrichment service',
    confirmed: true,
    success: [200],
    output: EnrichmentService,
    errors: ['not_found'],
  },
  deleteEnrichmentService: {
    ...one,
    path: '/admin/enrichment/{id}/delete',
    summary: 'Delete an enrichment service and all that it has said',
    confirmed: true,
    success: [200],
    output: EnrichmentService.pick({ id: true, name: true }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
