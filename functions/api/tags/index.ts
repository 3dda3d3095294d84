import { httpHandler } from '../../http-handler.ts';
import { suggestTagsRoute } from './suggest-tags.ts';
import { tagJobRoute } from './tag-job.ts';
import { untagJobRoute } from './untag-job.ts';

export const handler = httpHandler([suggestTagsRoute, tagJobRoute, untagJobRoute]);
