import { entityTypeNamed, feedFormats, feedLimits, type EntityType } from '@svc/domain';
import { z } from 'zod';
import { Flag, PathId, TagNames, wholeNumber } from '../fields.ts';
import { EntityCursor } from '../intel/entity-list.ts';
import type { Operation } from '../operation.ts';
import { caseDocumentOperations } from './case-documents.ts';
import { IocPack } from './ioc-pack.ts';

/** Types of entities by their names or short ones, as a comma list. */
const Types = z
  .string()
  .max(400)
  .default('')
  .transform((text, context) => {
    const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]));
    return names.flatMap((name): EntityType[] => {
      const type = entityTypeNamed(name);
      if (type !== null) return [type];
      context.addIssue({ code: 'custom', message: `must be types of entities; “${name}” is none` });
      return [];
    });
  });

const ofMisp = {
  area: 'feeds',
  method: 'GET',
  access: 'member',
  scope: 'ioc_feed:read',
  limit: 'api',
  heavy: true,
  success: [200],
} as const satisfies Partial<Operation>;

/** What is known, for other programs (resolved-intel 17 and 18). */
export const feedOperations = {
  ...caseDocumentOperations,
  getIocFeed: {
    area: 'feeds',
    method: 'GET',
    path: '/intel/ioc-feed',
    summary: `Entities as indicators, last seen first, as JSON, CSV, a STIX 2.1 bundle or a MISP event; at most ${feedLimits.page} at once, the header \`X-Next-Cursor\` leads on`,
    access: 'member',
    scope: 'ioc_feed:read',
    query: z.object({
      format: z.enum(feedFormats).default('json'),
      types: Types,
      /** Seen since this time, in any offset, or since a day of UTC began. */
      since: z
        .union([z.iso.datetime({ offset: true }), z.iso.date()], {
          error: 'must be a time, like 2026-08-01T10:15:00Z or 2026-08-01T12:15:00+02:00, or a date',
        })
        .optional(),
      limit: z.coerce
        .number({ error: 'must be a whole number' })
        .int('must be a whole number')
        .transform((limit) => Math.min(Math.max(limit, 1), feedLimits.page))
        .default(1000),
      include_allowlisted: Flag,
      cursor: EntityCursor.optional(),
      /** As the list of entities searches. */
      q: z.string().max(2000).default(''),
      tags: TagNames,
      min_jobs: wholeNumber(0, 2_147_483_647).default(0),
      watchlist: Flag,
    }),
    limit: 'api',
    heavy: true,
    success: [200],
    output: null,
    bytes: 'application/json',
    orBytes: ['text/csv', 'application/stix+json;version=2.1'],
    errors: [],
  },
  getFeeds: {
    area: 'feeds',
    method: 'GET',
    path: '/intel/feeds',
    summary: 'Which feeds there are beside the one of indicators: whether TAXII is switched on, and its collections',
    access: 'member',
    scope: 'intel:read',
    success: [200],
    output: z.object({
      taxii: z.boolean(),
      collections: z.array(z.object({ id: z.uuid(), alias: z.string(), description: z.string() })),
    }),
    errors: [],
  },
  getMispManifest: {
    ...ofMisp,
    path: '/intel/ioc-feed/misp/manifest.json',
    summary:
      'The feed as MISP fetches it: the events that there are, one or more for each day, and when they were added to',
    output: z.record(
      z.uuid(),
      z.object({
        Orgc: z.object({ name: z.string(), uuid: z.uuid() }),
        Tag: z.array(z.object({ name: z.string() })),
        info: z.string(),
        date: z.iso.date(),
        analysis: z.string(),
        threat_level_id: z.string(),
        timestamp: z.string(),
      }),
    ),
    errors: [],
  },
  getMispEvent: {
    ...ofMisp,
    path: '/intel/ioc-feed/misp/{file}',
    summary: 'The feed as MISP fetches it: an event of the manifest, as `UUID.json`',
    params: z.object({ file: z.string().regex(/^[0-9a-f-]{36}\.json$/) }),
    output: null,
    bytes: 'application/json',
    errors: ['not_found'],
  },
  listMispHashes: {
    ...ofMisp,
    path: '/intel/ioc-feed/misp/hashes.csv',
    summary: 'The feed as MISP fetches it: the MD5 of each value, and its event',
    output: null,
    bytes: 'text/csv',
    errors: [],
  },
  exportEntityStix: {
    area: 'feeds',
    method: 'GET',
    path: '/intel/entities/{id}/stix',
    summary: 'An entity, what is named with it, how they are related and where it was seen, as a STIX 2.1 bundle',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: null,
    bytes: 'application/stix+json;version=2.1',
    errors: ['not_found'],
  },
  getEntityIocPack: {
    area: 'feeds',
    method: 'GET',
    path: '/intel/entities/{id}/ioc-pack',
    summary: 'An entity and what is most often named with it, as a small document for the clipboard',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: IocPack.extend({ scope: z.literal('entity'), focal: z.string() }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
