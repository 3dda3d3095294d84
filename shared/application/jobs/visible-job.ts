import { type Actor, type Job, notFound } from '@svc/domain';
import type { JobRecord } from './job-repository.ts';
import type { JobView } from './job-views.ts';
import type { Ports } from '../ports/ports.ts';

/** The job, if the actor may see it; otherwise throws `not_found`, whether it exists or not. */
export async function visibleJob({ jobViews }: Pick<Ports, 'jobViews'>, actor: Actor, id: number): Promise<Job> {
  const [job] = await jobViews.among(actor, [id]);
  return job ?? notThere();
}

/** The same with what pages show of it. */
export async function visibleJobView(
  { jobViews }: Pick<Ports, 'jobViews'>,
  actor: Actor,
  id: number,
): Promise<JobView> {
  return (await jobViews.get(actor, id)) ?? notThere();
}

/** Any job, for callers who may see all of them; throws `not_found`. */
export async function knownJob({ jobs }: Pick<Ports, 'jobs'>, id: number): Promise<JobRecord> {
  return (await jobs.get(id)) ?? notThere();
}

function notThere(): never {
  throw notFound('job');
}
