import type { InputOf, JobTags, operations } from '@svc/contracts';
import { type Actor, type Tag } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { giveTags } from './give-tags.ts';
import { wantedTags } from './wanted-tags.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** Gives a visible job tags, which take their colours everywhere, and tells its watchers (resolved-platform 13.1). */
export async function tagJob(
  ports: Pick<Ports, 'clock' | 'jobViews' | 'tags' | 'transaction'>,
  actor: Actor,
  { id, ...sent }: InputOf<typeof operations.tagJob>,
): Promise<JobTags> {
  const wanted = wantedTags(sent);
  await visibleJob(ports, actor, id);
  const by = actor.kind === 'account' ? actor.userId : null;
  await giveTags(ports, wanted, { jobIds: [id], by, at: ports.clock.now() });
  return shownTags(await ports.tags.ofJob(id));
}

/** Tags as answers name them. */
export function shownTags(tags: readonly Tag[]): JobTags {
  return { tags: tags.map(({ name, color }) => ({ tag: name, color })) };
}
