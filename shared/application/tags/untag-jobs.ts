import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { unwantedTags } from './wanted-tags.ts';

/** Takes tags off visible jobs; the other jobs are skipped (resolved-platform 13.1). */
export async function untagJobs(
  { jobViews, tags }: Pick<Ports, 'jobViews' | 'tags'>,
  actor: Actor,
  { job_ids: ids, ...sent }: InputOf<typeof operations.untagJobs>,
): Promise<OutputOf<typeof operations.untagJobs>> {
  const names = unwantedTags(sent);
  const jobs = await jobViews.among(actor, ids);
  return {
    removed: await tags.remove(
      names,
      jobs.map(({ id }) => id),
    ),
  };
}
