import type { InputOf, JobTags, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from './tag-job.ts';
import { unwantedTags } from './wanted-tags.ts';

/** Takes tags off a visible job; one that it does not carry changes nothing. */
export async function untagJob(
  { jobViews, tags }: Pick<Ports, 'jobViews' | 'tags'>,
  actor: Actor,
  { id, ...sent }: InputOf<typeof operations.untagJob>,
): Promise<JobTags> {
  const names = unwantedTags(sent);
  const [job] = await jobViews.among(actor, [id]);
  if (!job) throw notFound('job');
  await tags.remove(names, [id]);
  return shownTags(await tags.ofJob(id));
}
