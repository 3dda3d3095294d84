import { createTags, deleteTag, mergeTags, recolorTag, renameTag } from '@svc/application/tags/change-tags.ts';
import { listTags } from '@svc/application/tags/list-tags.ts';
import { suggestTags } from '@svc/application/tags/suggest-tags.ts';
import { tagJob } from '@svc/application/tags/tag-job.ts';
import { tagJobs } from '@svc/application/tags/tag-jobs.ts';
import { untagJob } from '@svc/application/tags/untag-job.ts';
import { untagJobs } from '@svc/application/tags/untag-jobs.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  createTags,
  deleteTag,
  listTags,
  mergeTags,
  recolorTag,
  renameTag,
  suggestTags,
  tagJob,
  tagJobs,
  untagJob,
  untagJobs,
} satisfies TableOf<'tags'>;

export const handler = areaHandler(areaPorts.tags, table);
