import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { giveTags } from './give-tags.ts';
import { wantedTags } from './wanted-tags.ts';

/** Gives visible jobs tags, all or none of them; the other jobs are skipped (resolved-platform 13.1). */
export async function tagJobs(
  ports: Pick<Ports, 'clock' | 'jobViews' | 'transaction'>,
  actor: Actor,
  { job_ids: ids, ...sent }: InputOf<typeof operations.tagJobs>,
): Promise<OutputOf<typeof operations.tagJobs>> {
  const wanted = wantedTags(sent);
  const jobIds = (await ports.jobViews.among(actor, ids)).map(({ id }) => id);
  if (jobIds.length === 0) return { tagged: 0, links: 0 };
  const by = actor.kind === 'account' ? actor.userId : null;
  const links = await giveTags(ports, wanted, { jobIds, by, at: ports.clock.now() });
  return { tagged: jobIds.length, links: links.length };
}
