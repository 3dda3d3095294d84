import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { takeTags } from './take-tags.ts';
import { unwantedTags } from './wanted-tags.ts';

/** Takes tags off visible jobs; the other jobs are skipped (resolved-platform 13.1). */
export async function untagJobs(
  ports: Pick<Ports, 'clock' | 'jobViews' | 'transaction'>,
  actor: Actor,
  { job_ids: ids, ...sent }: InputOf<typeof operations.untagJobs>,
): Promise<OutputOf<typeof operations.untagJobs>> {
  const names = unwantedTags(sent);
  const jobIds = (await ports.jobViews.among(actor, ids)).map(({ id }) => id);
  const by = actor.kind === 'account' ? actor.userId : null;
  const taken = await takeTags(ports, names, { jobIds, by, at: ports.clock.now() });
  return { removed: taken.length };
}
