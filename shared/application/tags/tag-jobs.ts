import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { wantedTags } from './wanted-tags.ts';

/** Gives visible jobs tags, all or none of them; the other jobs are skipped (resolved-platform 13.1). */
export async function tagJobs(
  { clock, jobViews, tags }: Pick<Ports, 'clock' | 'jobViews' | 'tags'>,
  actor: Actor,
  { job_ids: ids, ...sent }: InputOf<typeof operations.tagJobs>,
): Promise<OutputOf<typeof operations.tagJobs>> {
  const wanted = wantedTags(sent);
  const jobIds = (await jobViews.among(actor, ids)).map(({ id }) => id);
  if (jobIds.length === 0) return { tagged: 0, links: 0 };
  const by = actor.kind === 'account' ? actor.userId : null;
  const links = await tags.add(wanted, { jobIds, by, at: clock.now() });
  return { tagged: jobIds.length, links: links.length };
}
