import type { InputOf, JobTags, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from './tag-job.ts';
import { takeTags } from './take-tags.ts';
import { unwantedTags } from './wanted-tags.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** Takes tags off a visible job; one that it does not carry changes nothing. */
export async function untagJob(
  ports: Pick<Ports, 'clock' | 'jobViews' | 'tags' | 'transaction'>,
  actor: Actor,
  { id, ...sent }: InputOf<typeof operations.untagJob>,
): Promise<JobTags> {
  const names = unwantedTags(sent);
  await visibleJob(ports, actor, id);
  const by = actor.kind === 'account' ? actor.userId : null;
  await takeTags(ports, names, { jobIds: [id], by, at: ports.clock.now() });
  return shownTags(await ports.tags.ofJob(id));
}
