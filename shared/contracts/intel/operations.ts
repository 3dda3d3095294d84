import { caseStatuses, entityLimits, entityTypes, mostAliases } from '@svc/domain';
import { z } from 'zod';
import { Id, idList, JobOrAll, PathId, Switch, Tag, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { EntityTags, TagsOff, TagsOn } from '../tags/operations.ts';
import { EntityName } from './entity-links.ts';

/** Something that logs name, with what members say of it; nothing of it tells which jobs it is from. */
export const Entity = z.object({
  id: Id,
  value: z.string(),
  entity_type: z.enum(entityTypes),
  /** Of all jobs, private ones included. */
  job_count: z.number().int(),
  /** When the first and the last job that name it were analysed. */
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  /** Whether somebody has a rule that watches it. */
  watchlist: z.boolean(),
  /** Whether a star of the caller’s does. */
  watched_by_me: z.boolean(),
  allowlisted: z.boolean(),
  allowlist_reason: z.string().nullable(),
  allowlisted_at: Timestamp.nullable(),
  notes: z.string().nullable(),
  /** What `if_updated_at` of a new note says; null where nobody has written one. */
  notes_updated_at: Timestamp.nullable(),
  /** What its value says of it. */
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** The keys of `attr:` by which searches find it. */
  attribute_keys: z.array(z.string()),
  tags: z.array(Tag),
  /** Entities that members say are the same, those known longest first. */
  aliases: z.array(EntityName),
  comment_count: z.number().int(),
  /** Visible cases that it is in, the newest updated first, at most 10. */
  cases: z.array(z.object({ id: z.number().int(), name: z.string(), status: z.enum(caseStatuses) })),
});
export type Entity = z.output<typeof Entity>;

const entityIds = idList('entities', entityLimits.atOnce);
/** Those that the request changed, for whoever wants to undo it. */
const Changed = z.array(z.number().int());
const Aliases = Entity.pick({ aliases: true });
const Reason = z.string().trim().max(entityLimits.reason, `at most ${entityLimits.reason} characters`).default('');

export const intelOperations = {
  getEntity: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}',
    summary: 'What all jobs and all members say of something that logs name',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ job: JobOrAll }),
    success: [200],
    output: Entity.extend({
      /** The job that its lists are narrowed to by this address; null for all. */
      job: z.number().int().nullable(),
      /** The one visible job that names it, which pages open on; null where there are more or none, or `job` is given. */
      auto_job: z.number().int().nullable(),
      notices: z.array(z.string()),
      /** Whether pages show the note as Markdown. */
      markdown: z.boolean(),
    }),
    errors: ['not_found'],
  },
  suggestAliases: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/alias-suggestions',
    summary: 'What an entity may be the same as: another writing of its value, or what a text is in; at most 10',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ q: z.string().max(entityLimits.value).default('') }),
    success: [200],
    /** Those of the most jobs, private ones included, first. */
    output: z.object({ items: z.array(EntityName.extend({ job_count: z.number().int() })) }),
    errors: ['not_found'],
  },
  uniteEntities: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/{id}/aliases',
    summary: `Say that entities of one type are the same, with all that they are one with already, up to ${mostAliases}`,
    access: 'member',
    params: PathId,
    body: z.object({ entity_ids: idList('entities', mostAliases) }),
    success: [200],
    output: Aliases,
    errors: ['bad_request', 'not_found', 'too_many'],
  },
  separateEntity: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/{id}/aliases/remove',
    summary: 'Say that an entity is by itself; what it was the same as stays one',
    access: 'member',
    params: PathId,
    success: [200],
    /** Those that it was the same as. */
    output: Aliases,
    errors: ['not_found'],
  },
  toggleAllowlist: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/{id}/allowlist',
    summary: 'Allowlist an entity, or take it off the allowlist',
    access: 'member',
    params: PathId,
    body: z.object({ reason: Reason }),
    success: [200],
    output: z.object({ allowlisted: z.boolean() }),
    errors: ['not_found'],
  },
  writeEntityNote: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/{id}/notes',
    summary: 'Write the note on an entity, which all members share; nothing clears it',
    access: 'member',
    params: PathId,
    body: z.object({
      body: z
        .string()
        .trim()
        .max(entityLimits.note, `at most ${entityLimits.note.toLocaleString('en')} characters`),
      /** The time of the note that this one is to take the place of; empty where there was none. */
      if_updated_at: z.union([z.literal(''), Timestamp], { error: 'must be a time in UTC, or nothing' }).optional(),
    }),
    success: [200],
    output: Entity.pick({ notes: true, notes_updated_at: true }),
    errors: ['not_found', 'note_conflict'],
  },
  tagEntity: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/{id}/tags',
    summary: 'Give an entity up to 10 tags, which take their colours everywhere',
    access: 'member',
    params: PathId,
    body: TagsOn,
    success: [200],
    output: EntityTags,
    errors: ['not_found'],
  },
  untagEntity: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/{id}/tags/remove',
    summary: 'Take tags off an entity',
    access: 'member',
    params: PathId,
    body: TagsOff,
    success: [200],
    output: EntityTags,
    errors: ['not_found'],
  },
  tagEntities: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/bulk-tag',
    summary: 'Give up to 500 entities up to 10 tags; ids that are of none are skipped',
    access: 'member',
    scope: 'intel:tag',
    body: TagsOn.extend({ entity_ids: entityIds }),
    success: [200],
    /** Entities that carry the tags now, and how many links are new. */
    output: z.object({ tagged: z.number().int(), links: z.number().int(), entity_ids: Changed }),
    errors: [],
  },
  untagEntities: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/bulk-untag',
    summary: 'Take tags off up to 500 entities',
    access: 'member',
    scope: 'intel:tag',
    body: TagsOff.extend({ entity_ids: entityIds }),
    success: [200],
    output: z.object({ removed: z.number().int(), entity_ids: Changed }),
    errors: [],
  },
  allowlistEntities: {
    area: 'intel',
    method: 'POST',
    path: '/intel/entities/bulk-allowlist',
    summary: 'Allowlist up to 500 entities, or take them off the allowlist',
    access: 'member',
    body: z.object({ entity_ids: entityIds, value: Switch, reason: Reason }),
    success: [200],
    /** Those that were not so before. */
    output: z.object({ changed: z.number().int(), entity_ids: Changed }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
