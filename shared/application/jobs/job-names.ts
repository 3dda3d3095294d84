import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownName } from './job-row.ts';

/** Names of the jobs among these that the viewer sees, by their ids. */
export async function jobNames(
  { jobViews }: Pick<Ports, 'jobViews'>,
  viewer: Actor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const views = await jobViews.some(viewer, [...new Set(ids)]);
  return new Map(views.map((view) => [view.job.id, shownName(view)]));
}
