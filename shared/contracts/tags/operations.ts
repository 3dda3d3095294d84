import { tagColors } from '@svc/domain';
import { z } from 'zod';
import { jobIds, PathId, Tag, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const text = z.string().max(2000);
/** A comma list in a form, a list in JSON. */
const Names = z.union([text, z.array(text).max(100)], {
  error: 'must be names of tags, as a list or with commas between them',
});

export const JobTags = z.object({ tags: z.array(Tag) });
export type JobTags = z.output<typeof JobTags>;

/** A tag to choose, with the number of visible jobs that carry it. */
export const TagChoice = Tag.extend({ count: z.number().int() });
export type TagChoice = z.output<typeof TagChoice>;

export const tagOperations = {
  suggestTags: {
    area: 'tags',
    method: 'GET',
    path: '/intel/tags.json',
    summary: 'Tags whose name contains a text, the most used first, also unused ones',
    access: 'member',
    query: z.object({ q: z.string().max(200).default(''), limit: wholeNumber(1, 200).prefault(50) }),
    success: [200],
    output: z.array(TagChoice),
    errors: [],
  },
  tagJob: {
    area: 'tags',
    method: 'POST',
    path: '/jobs/{id}/tags',
    summary: `Give a job up to 10 tags, with index-aligned colours of ${tagColors.join(', ')}`,
    access: 'member',
    params: PathId,
    body: z.object({ tag: Names, color: Names.default([]) }),
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
    body: z.object({ tag: Names }),
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
    body: z.object({ job_ids: jobIds(500), tag: Names, color: Names.default([]) }),
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
    body: z.object({ job_ids: jobIds(500), tag: Names }),
    success: [200],
    output: z.object({ removed: z.number().int() }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
