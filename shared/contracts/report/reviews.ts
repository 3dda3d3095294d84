import { reviewLimits, reviewStates } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

const Reviewer = z.object({ id: z.uuid(), name: z.string() });

/** What was decided about a finding. */
export const FindingReview = z.object({
  finding_id: z.number().int(),
  state: z.enum(reviewStates),
  note: z.string(),
  assignee: Reviewer.nullable(),
  /** Who changed it last; null when the account is gone. */
  by: Reviewer.nullable(),
  at: Timestamp,
  /** It holds for the same rule on the same hosts in later jobs of who decided. */
  remembered: z.boolean(),
  /** Nobody decided in this job: the submitter had a decision of an earlier one remembered. */
  from_earlier: z.boolean(),
});
export type FindingReview = z.output<typeof FindingReview>;

export const FindingReviews = z.object({ reviews: z.array(FindingReview) });
export type FindingReviews = z.output<typeof FindingReviews>;

const FindingIds = z
  .array(Id)
  .min(1)
  .max(reviewLimits.findings, `must be the numbers of 1 to ${reviewLimits.findings} findings`);

/** What is decided about findings ([decision 74](docs/decisions/0074-reviews-of-findings.md)). */
export const reviewOperations = {
  listReviews: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/reviews',
    summary: 'What was decided about the findings of a job; findings that nobody looked at have no row',
    access: 'user',
    params: PathId,
    heavy: true,
    success: [200],
    output: FindingReviews,
    errors: ['not_found'],
  },
  reviewFindings: {
    area: 'report',
    method: 'POST',
    path: '/jobs/{id}/reviews',
    summary: `Decide about up to ${reviewLimits.findings} findings of a job: state, note and assignee, each as it is where it is not given; with \`remember\`, the state is applied to the same rule on the same hosts in later jobs of the caller, without it forgotten`,
    access: 'member',
    params: PathId,
    body: z.object({
      finding_ids: FindingIds,
      state: z.enum(reviewStates).optional(),
      note: z.string().trim().max(reviewLimits.note).optional(),
      /** Id of an account, null for nobody. */
      assignee: z.uuid().nullable().optional(),
      remember: Flag,
    }),
    success: [200],
    output: FindingReviews,
    errors: ['not_found'],
  },
  listReviewers: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/reviewers',
    summary: 'Members who see a job: whom its findings can be assigned to',
    access: 'member',
    params: PathId,
    success: [200],
    output: z.object({ reviewers: z.array(Reviewer) }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
