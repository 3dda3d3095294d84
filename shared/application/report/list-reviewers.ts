import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { publicName, type Actor } from '@svc/domain';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { mayReview } from './may-review.ts';

/** Whom the findings of a visible job can be assigned to. */
export async function listReviewers(
  { accounts, jobViews }: Pick<Ports, 'accounts' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.listReviewers>,
): Promise<OutputOf<typeof operations.listReviewers>> {
  const job = await visibleJob({ jobViews }, actor, id);
  const all = await accounts.list();
  return {
    reviewers: all
      .filter((account) => mayReview(job, account))
      .map((account) => ({ id: account.id, name: publicName(account) })),
  };
}
