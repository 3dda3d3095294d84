import type { InputOf, JobTags, operations } from '@svc/contracts';
import { notFound, type Actor, type Tag } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { wantedTags } from './wanted-tags.ts';

/** Gives a visible job tags, which take their colours everywhere, and tells its watchers (resolved-platform 13.1). */
export async function tagJob(
  { clock, jobViews, tags }: Pick<Ports, 'clock' | 'jobViews' | 'tags'>,
  actor: Actor,
  { id, ...sent }: InputOf<typeof operations.tagJob>,
): Promise<JobTags> {
  const wanted = wantedTags(sent);
  const [job] = await jobViews.among(actor, [id]);
  if (!job) throw notFound('job');
  const by = actor.kind === 'account' ? actor.userId : null;
  await tags.add(wanted, { jobIds: [id], by, at: clock.now() });
  return shownTags(await tags.ofJob(id));
}

/** Tags as answers name them. */
export function shownTags(tags: readonly Tag[]): JobTags {
  return { tags: tags.map(({ name, color }) => ({ tag: name, color })) };
}
