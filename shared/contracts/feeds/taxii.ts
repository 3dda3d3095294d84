import { taxiiCollections, taxiiPage, type TaxiiCollectionAlias } from '@svc/domain';
import { z } from 'zod';
import type { Operation } from '../operation.ts';

/** A refusal as TAXII 2.1 writes it (3.6.1), with the product’s own `detail`. */
export const TaxiiError = z.object({
  title: z.string(),
  description: z.string(),
  /** Of the request. */
  error_id: z.string(),
  error_code: z.string(),
  http_status: z.string(),
  detail: z.string(),
});
export type TaxiiError = z.output<typeof TaxiiError>;

/** A time of RFC 3339 in any offset, as UTC with six digits of a second, which is as finely as dates differ. */
const Moment = z
  .string()
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const written = momentOf(text);
    if (written !== null) return written;
    context.addIssue({ code: 'custom', message: 'must be a time as in 2026-08-01T10:15:00Z' });
    return z.NEVER;
  });

function momentOf(text: string): string | null {
  const { success } = z.iso.datetime({ offset: true }).safeParse(text);
  if (!success) return null;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const date = new Date(text.replace(/\.\d+/, ''));
  const seconds = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, -5);
  // The database knows no year 0, and an offset may lead out of the years of four digits.
  if (!/^(?!0000)\d{4}-/.test(seconds)) return null;
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** A position that an earlier page has named. */
const Position = z
  .string()
  .max(100)
  .transform((text, context) => {
    const moment = momentOf(atob64(text));
    if (moment !== null) return moment;
    context.addIssue({ code: 'custom', message: 'must be what a page said as “next”' });
    return z.NEVER;
  });

function atob64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Several values with commas between them; an address as a whole has 16 kB. */
function listOf<T>(one: z.ZodType<T, string>, most = 1000) {
  return z
    .string()
    .max(most)
    .transform((text) => text.split(',').map((each) => each.trim()))
    .pipe(z.array(one).max(500));
}

const Paging = z.object({
  limit: z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .transform((limit) => Math.min(Math.max(limit, 1), taxiiPage.most))
    .default(taxiiPage.usual),
  /** Only what was added, or seen again, after this time. */
  added_after: Moment.optional(),
  next: Position.optional(),
  'match[spec_version]': listOf(z.string()).optional(),
});

/** There is one version of each object: the newest is the first and the last. */
const Versions = z.object({
  'match[version]': listOf(
    z.union([z.enum(['all', 'first', 'last']), Moment], { error: 'must be all, first, last or a time' }),
  ).optional(),
});

const Matching = Paging.extend({
  ...Versions.shape,
  'match[id]': listOf(z.string(), 8000).optional(),
  'match[type]': listOf(z.string()).optional(),
});
export type TaxiiMatching = z.output<typeof Matching>;

const CollectionPath = z.object({
  /** By its id or by its alias. */
  collection: z
    .string()
    .max(200)
    .transform((text, context): TaxiiCollectionAlias => {
      const found = taxiiCollections.find(({ id, alias }) => text.toLowerCase() === id || text === alias);
      if (found !== undefined) return found.alias;
      context.addIssue({ code: 'custom', message: 'must be a collection' });
      return z.NEVER;
    }),
});
const ObjectPath = CollectionPath.extend({ object_id: z.string().max(200) });

const TaxiiCollection = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  alias: z.string(),
  can_read: z.literal(true),
  can_write: z.literal(false),
  media_types: z.array(z.string()),
});

/** A page of objects of STIX 2.1. */
const TaxiiEnvelope = z.object({
  more: z.boolean(),
  next: z.string().optional(),
  objects: z.array(z.looseObject({ type: z.string(), id: z.string() })),
});
export type TaxiiEnvelope = z.output<typeof TaxiiEnvelope>;

const shared = {
  area: 'feeds',
  method: 'GET',
  access: 'member',
  scope: 'taxii:read',
  limit: 'api',
  success: [200],
  taxii: true,
  errors: ['not_acceptable', 'not_found'],
} as const satisfies Partial<Operation>;

/** A read-only TAXII 2.1 server (resolved-intel 19); where it is not switched on, nothing is at these addresses. */
export const taxiiOperations = {
  getTaxiiDiscovery: {
    ...shared,
    path: '/taxii2/',
    summary: 'TAXII 2.1: who this is, and where its API root is',
    output: z.object({
      title: z.string(),
      description: z.string(),
      contact: z.string(),
      default: z.string(),
      api_roots: z.array(z.string()),
    }),
  },
  getTaxiiRoot: {
    ...shared,
    path: '/taxii2/svc/',
    summary: 'TAXII 2.1: what the API root speaks',
    output: z.object({
      title: z.string(),
      description: z.string(),
      versions: z.array(z.string()),
      max_content_length: z.number().int(),
    }),
  },
  listTaxiiCollections: {
    ...shared,
    path: '/taxii2/svc/collections/',
    summary: 'TAXII 2.1: the collections',
    output: z.object({ collections: z.array(TaxiiCollection) }),
  },
  getTaxiiCollection: {
    ...shared,
    path: '/taxii2/svc/collections/{collection}/',
    summary: 'TAXII 2.1: one collection, by its id or its alias (`live-iocs`, `watched-iocs`)',
    params: CollectionPath,
    output: TaxiiCollection,
  },
  listTaxiiObjects: {
    ...shared,
    path: '/taxii2/svc/collections/{collection}/objects/',
    summary: `TAXII 2.1: indicators, what was added first first, at most ${taxiiPage.most} at once; an indicator that is seen again is added again`,
    params: CollectionPath,
    query: Matching,
    output: TaxiiEnvelope,
    heavy: true,
  },
  getTaxiiManifest: {
    ...shared,
    path: '/taxii2/svc/collections/{collection}/manifest/',
    summary: 'TAXII 2.1: the same without what the objects say',
    params: CollectionPath,
    query: Matching,
    output: z.object({
      more: z.boolean(),
      next: z.string().optional(),
      objects: z.array(
        z.object({ id: z.string(), date_added: z.string(), version: z.string(), media_type: z.string() }),
      ),
    }),
  },
  getTaxiiObject: {
    ...shared,
    path: '/taxii2/svc/collections/{collection}/objects/{object_id}/',
    summary: 'TAXII 2.1: one object, by its STIX id',
    params: ObjectPath,
    query: Paging.extend(Versions.shape),
    output: TaxiiEnvelope,
  },
  listTaxiiVersions: {
    ...shared,
    path: '/taxii2/svc/collections/{collection}/objects/{object_id}/versions/',
    summary: 'TAXII 2.1: the versions of one object, of which there is one',
    params: ObjectPath,
    query: Paging,
    output: z.object({ more: z.boolean(), versions: z.array(z.string()) }),
  },
} as const satisfies Record<string, Operation>;
