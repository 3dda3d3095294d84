import { entityAttributeMeanings, entityLimits, entityTypes, type EntityAttributeKey } from '@svc/domain';
import { z } from 'zod';
import { Flag, OptionalId, Page, PathId, Tag, TagNames, Timestamp, wholeNumber } from '../fields.ts';
import { QueryError, SearchSuggestions } from '../jobs/job-search.ts';
import type { Operation } from '../operation.ts';

export const EntityType = z.enum(entityTypes);

/** A key of `attr:` searches. */
export const EntityAttribute = z.enum(
  Object.keys(entityAttributeMeanings) as [EntityAttributeKey, ...EntityAttributeKey[]],
);

/** One row of the list of entities (resolved-intel 4.2). */
export const EntityRow = z.object({
  id: z.number().int(),
  value: z.string(),
  entity_type: EntityType,
  /** Of all jobs, private ones included; times are when they were analysed. */
  job_count: z.number().int(),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  watchlist: z.boolean(),
  /** Whether a star of the caller’s does. */
  watched_by_me: z.boolean(),
  allowlisted: z.boolean(),
  attributes: z.array(EntityAttribute),
  tags: z.array(Tag),
  /** How many others members say are the same. */
  alias_count: z.number().int(),
});
export type EntityRow = z.output<typeof EntityRow>;

/** A place in a list of one order, however deep, that the service has named. */
export const EntityCursor = z
  .string()
  .regex(/^(older|newer)-[\w-]{1,2800}-\d{1,10}$/, 'must be what a page has named as the next or the one before');

export const EntityList = z.object({
  items: z.array(EntityRow),
  /** Exact, however many there are. */
  total: z.number().int(),
  approximate: z.literal(false),
  page: z.number().int(),
  total_pages: z.number().int(),
  /** Value of `cursor` for the next page and for the one before; null where there is none. */
  older: EntityCursor.nullable(),
  newer: EntityCursor.nullable(),
  /** What of the query cannot be used, and what else was left out, as sentences. */
  notices: z.array(z.string()),
  /** The same of the query alone, with the places. */
  query_errors: z.array(QueryError),
  /** How the query was read: all of it as one text, as terms that all must hold, or with OR and groups. */
  query_kind: z.enum(['literal', 'terms', 'boolean']),
});
export type EntityList = z.output<typeof EntityList>;

const names = z
  .string()
  .max(1000)
  .default('')
  .transform((text) => text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()])));

const EntityQuery = z.string().max(2000).default('');

/** What narrows the list (resolved-intel 4.2), and in which order it is. */
const NarrowedEntities = z.object({
  q: EntityQuery,
  types: names,
  /** One of `types`, for callers that know one only. */
  entity_type: names,
  tags: TagNames,
  since: z.string().max(40).optional(),
  min_jobs: wholeNumber(0, 2_147_483_647).catch(0).default(0),
  watchlist: Flag,
  include_allowlisted: Flag.default(true),
  job: OptionalId,
  /** `last_seen`, `first_seen`, `jobs`, `value` or `watchlist`, reversed by a minus before it; others are `last_seen`. */
  sort: z.string().max(40).default('last_seen'),
  /** Of those that are the same, the first in the order alone. */
  fold_aliases: Flag,
});

export const entityListOperations = {
  getIntel: {
    area: 'intel',
    method: 'GET',
    path: '/intel',
    summary: 'What the logs of all jobs name, on the whole',
    access: 'member',
    scope: 'intel:read',
    query: z.object({ job: OptionalId }),
    success: [200],
    output: z.object({
      total_entities: z.number().int(),
      type_counts: z.record(EntityType, z.number().int()),
      /** That the caller sees. */
      jobs_with_entities: z.number().int(),
      watchlisted: z.number().int(),
      allowlisted: z.number().int(),
      /** Visible ones that are not closed. */
      open_cases: z.number().int(),
      /** The caller's, on entities and on jobs. */
      unacked_alerts: z.number().int(),
      /** In the vocabulary, also those that nothing carries. */
      tag_count: z.number().int(),
      /** The 200 most used. */
      known_tags: z.array(z.string()),
      /** What shared rules in force call entities: the first tag of each, the oldest rule first. */
      labels: z.array(Tag.extend({ name: z.string() })),
      /** Null where the job cannot be used. */
      job_context: z.object({ id: z.number().int(), label: z.string() }).nullable(),
      /** Forms of terms, and what each asks for. */
      syntax_help: z.array(z.tuple([z.string(), z.string()])),
    }),
    errors: [],
  },
  listEntities: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities',
    summary: 'Entities that meet a search, 50 a page',
    access: 'member',
    scope: 'intel:read',
    query: NarrowedEntities.extend({
      page: Page,
      cursor: EntityCursor.optional(),
    }),
    success: [200],
    output: EntityList,
    errors: [],
  },
  listEntityIds: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entity-ids',
    summary: `The numbers of all entities that meet a search, at most ${entityLimits.found}, for what is done to all of them`,
    access: 'member',
    scope: 'intel:read',
    query: NarrowedEntities,
    success: [200],
    output: z.object({ ids: z.array(z.number().int()) }),
    errors: [],
  },
  searchNews: {
    area: 'intel',
    method: 'GET',
    path: '/intel/saved-searches/{id}/news',
    summary:
      'How many entities a saved search finds that were named for the first time, or again, since one last looked',
    access: 'member',
    params: PathId,
    success: [200],
    output: z.object({
      /** Null where the caller never has. */
      since: Timestamp.nullable(),
      first: z.number().int(),
      again: z.number().int(),
      /** Whether there are more than were counted. */
      is_floor: z.boolean(),
    }),
    errors: ['not_found'],
  },
  suggestEntitySearch: {
    area: 'intel',
    method: 'GET',
    path: '/intel/search-suggest',
    summary: 'What can complete the term under the caret of a search for entities',
    access: 'member',
    scope: 'intel:read',
    query: z.object({
      q: EntityQuery,
      /** Place of the caret in UTF-16 units; the end when there is none. */
      pos: z.coerce.number().int().min(0).max(2000).catch(2000).default(2000),
    }),
    success: [200],
    output: SearchSuggestions,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
