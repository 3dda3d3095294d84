import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor, type Job } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { mayReview } from './may-review.ts';
import { toReviewRow } from './present-review.ts';

type ReviewPorts = Pick<Ports, 'accounts' | 'clock' | 'jobViews' | 'reviews' | 'transaction'>;

/** Decides about findings of a visible job; those of one rule are decided about together. */
export async function reviewFindings(
  ports: ReviewPorts,
  actor: Actor,
  { id, finding_ids: findingIds, assignee, ...decided }: InputOf<typeof operations.reviewFindings>,
): Promise<OutputOf<typeof operations.reviewFindings>> {
  const { userId: by } = signedIn(actor);
  const job = await visibleJob(ports, actor, id);
  if (assignee) await checkAssignee(ports, job, assignee);
  const at = ports.clock.now();
  await ports.transaction(async (tx) => {
    if ((await tx.jobs.hold([id])).length === 0) throw notFound('job');
    await tx.reviews.set({ ...decided, jobId: id, findingIds, assigneeId: assignee, by, at });
  });
  return { reviews: (await ports.reviews.ofJob(id, findingIds)).map(toReviewRow) };
}

/** The same refusal for accounts that there are not: what is assigned tells nothing of who has an account. */
async function checkAssignee({ accounts }: Pick<Ports, 'accounts'>, job: Job, id: string): Promise<void> {
  const account = await accounts.get(id);
  if (account === null || !mayReview(job, account)) {
    throw new AppError('bad_request', 'assignee: must be a member who sees the job');
  }
}
