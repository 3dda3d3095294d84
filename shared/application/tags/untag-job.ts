import type { InputOf, JobTags, operations } from '@svc/contracts';
import { AppError, notFound, tagNames, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from './tag-job.ts';

/** Takes tags off a visible job; one that it does not carry changes nothing. */
export async function untagJob(
  { jobViews, tags }: Pick<Ports, 'jobViews' | 'tags'>,
  actor: Actor,
  { id, tag }: InputOf<typeof operations.untagJob>,
): Promise<JobTags> {
  const names = tagNames(tag);
  if (names.length === 0) throw new AppError('bad_request', 'tag: name at least one tag');
  const [job] = await jobViews.among(actor, [id]);
  if (!job) throw notFound('job');
  await tags.remove(names, [id]);
  return shownTags(await tags.ofJob(id));
}
