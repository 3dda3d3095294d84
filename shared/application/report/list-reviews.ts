import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { toReviewRow } from './present-review.ts';

/** What was decided about the findings of a visible job, and by whom. */
export async function listReviews(
  { jobViews, reviews }: Pick<Ports, 'jobViews' | 'reviews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.listReviews>,
): Promise<OutputOf<typeof operations.listReviews>> {
  await visibleJob({ jobViews }, actor, id);
  return { reviews: (await reviews.ofJob(id)).map(toReviewRow) };
}
