import { searchScopes, tagColors, tagLimits } from '@svc/domain';
import { z } from 'zod';
import { Flag, jobIds, Page, PathId, Tag, Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const text = z.string().max(2000);
/** A comma list in a form, a list in JSON. */
const Names = z.union([text, z.array(text).max(100)], {
  error: 'must be names of tags, as a list or with commas between them',
});

export const JobTags = z.object({ tags: z.array(Tag) });
export type JobTags = z.output<typeof JobTags>;

export const EntityTags = JobTags;

/** Tags to give, with index-aligned colours, and tags to take off. */
export const TagsOn = z.object({ tag: Names, color: Names.default([]) });
export const TagsOff = z.object({ tag: Names });

/** A tag as whoever keeps the vocabulary in order sees it. */
const ManagedTag = Tag.extend({
  description: z.string().nullable(),
  /** Entities that carry it, and visible jobs. */
  count: z.number().int(),
  job_count: z.number().int(),
  /** When it was last given to one of these. */
  last_used: Timestamp.nullable(),
  /** Names of the shared rules in force that give it again. */
  maintained_by: z.array(z.string()),
});

/** Empty for the colour that it has. */
const NewColor = text.default('');
const MovedTag = Tag.extend({
  /** Entities and visible jobs to which the name is new. */
  moved: z.number().int(),
  merged: z.boolean(),
  /** The caller's own saved searches and rules that say the new name now. */
  updated: z.number().int(),
  /** Saved searches and rules, of the caller and shared ones, that still say the old name. */
  references: z.array(
    z.object({
      kind: z.enum(['saved_search', 'rule']),
      id: z.number().int(),
      name: z.string(),
      scope: z.enum(searchScopes),
      /** Null of a shared rule. */
      owner: z.string().nullable(),
    }),
  ),
});

/** A tag to choose, with the number of entities and visible jobs that carry it. */
export const TagChoice = Tag.extend({ count: z.number().int() });
export type TagChoice = z.output<typeof TagChoice>;

export const tagOperations = {
  suggestTags: {
    area: 'tags',
    method: 'GET',
    path: '/intel/tags.json',
    summary: 'Tags whose name contains a text, the most used first, also unused ones',
    access: 'member',
    scope: 'intel:read',
    query: z.object({ q: z.string().max(200).default(''), limit: wholeNumber(1, 200).prefault(50) }),
    success: [200],
    output: z.array(TagChoice),
    errors: [],
  },
  listTags: {
    area: 'tags',
    method: 'GET',
    path: '/intel/tags',
    summary: 'The vocabulary of tags, with how often each is used',
    access: 'member',
    scope: 'intel:read',
    query: z.object({
      q: z.string().max(200).default(''),
      sort: z.enum(['count', 'name', 'recent']).catch('count').default('count'),
      page: Page,
    }),
    success: [200],
    output: z.object({
      tags: z.array(ManagedTag),
      total: z.number().int(),
      /** Entities that carry any. */
      tagged_entities: z.number().int(),
      page: z.number().int(),
      total_pages: z.number().int(),
    }),
    errors: [],
  },
  createTags: {
    area: 'tags',
    method: 'POST',
    path: '/intel/tags',
    summary: 'Put tags into the vocabulary',
    access: 'member',
    body: TagsOn.extend({
      description: z
        .string()
        .trim()
        .max(tagLimits.description, `at most ${tagLimits.description} characters`)
        .default(''),
    }),
    success: [200],
    output: z.object({ created: z.array(z.string()), existing: z.array(z.string()) }),
    errors: [],
  },
  renameTag: {
    area: 'tags',
    method: 'POST',
    path: '/intel/tags/rename',
    summary: 'Rename a tag everywhere; onto one that there is, it is merged into that',
    access: 'member',
    body: z.object({ tag: text, new_tag: text, color: NewColor, update_references: Flag }),
    success: [200],
    output: MovedTag,
    errors: ['not_found', 'tag_maintained'],
  },
  mergeTags: {
    area: 'tags',
    method: 'POST',
    path: '/intel/tags/merge',
    summary: 'Have whatever carries a tag carry another one instead',
    access: 'member',
    body: z.object({ tag: text, into: text, color: NewColor, update_references: Flag }),
    success: [200],
    output: MovedTag,
    errors: ['not_found', 'tag_maintained'],
  },
  recolorTag: {
    area: 'tags',
    method: 'POST',
    path: '/intel/tags/recolor',
    summary: 'Give a tag another colour everywhere',
    access: 'member',
    body: z.object({ tag: text, color: text }),
    success: [200],
    output: Tag,
    errors: ['not_found'],
  },
  deleteTag: {
    area: 'tags',
    method: 'POST',
    path: '/intel/tags/delete',
    summary: 'Take a tag off everything and out of the vocabulary',
    access: 'member',
    body: z.object({ tag: text }),
    success: [200],
    /** Entities and visible jobs that carried it. */
    output: z.object({ removed: z.number().int() }),
    errors: ['not_found'],
  },
  tagJob: {
    area: 'tags',
    method: 'POST',
    path: '/jobs/{id}/tags',
    summary: `Give a job up to 10 tags, with index-aligned colours of ${tagColors.join(', ')}`,
    access: 'member',
    params: PathId,
    body: TagsOn,
    success: [200],
    output: JobTags,
    errors: [],
  },
  untagJob: {
    area: 'tags',
    method: 'POST',
    path: '/jobs/{id}/tags/remove',
    summary: 'Take tags off a job',
    access: 'member',
    params: PathId,
    body: TagsOff,
    success: [200],
    output: JobTags,
    errors: [],
  },
  tagJobs: {
    area: 'tags',
    method: 'POST',
    path: '/jobs/bulk-tag',
    summary: 'Give up to 500 jobs up to 10 tags; jobs that the caller does not see are skipped',
    access: 'member',
    body: TagsOn.extend({ job_ids: jobIds(500) }),
    success: [200],
    /** Jobs that carry the tags now, and how many links are new. */
    output: z.object({ tagged: z.number().int(), links: z.number().int() }),
    errors: [],
  },
  untagJobs: {
    area: 'tags',
    method: 'POST',
    path: '/jobs/bulk-untag',
    summary: 'Take tags off up to 500 jobs; jobs that the caller does not see are skipped',
    access: 'member',
    body: TagsOff.extend({ job_ids: jobIds(500) }),
    success: [200],
    output: z.object({ removed: z.number().int() }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
