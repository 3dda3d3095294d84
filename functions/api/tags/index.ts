import { httpHandler } from '../../http-handler.ts';
import { suggestTagsRoute } from './suggest-tags.ts';
import { tagJobRoute } from './tag-job.ts';
import { tagJobsRoute } from './tag-jobs.ts';
import { untagJobRoute } from './untag-job.ts';
import { untagJobsRoute } from './untag-jobs.ts';

export const handler = httpHandler([suggestTagsRoute, tagJobRoute, tagJobsRoute, untagJobRoute, untagJobsRoute]);
