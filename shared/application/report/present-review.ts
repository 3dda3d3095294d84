import type { FindingReview as ReviewRow } from '@svc/contracts';
import type { FindingReview } from '@svc/domain';

/** A decision about a finding as answers name it. */
export function toReviewRow(review: FindingReview): ReviewRow {
  return {
    finding_id: review.findingId,
    state: review.state,
    note: review.note,
    assignee: review.assignee,
    by: review.by,
    at: review.at.toISOString(),
    remembered: review.isRemembered,
    from_earlier: review.isFromEarlier,
  };
}
