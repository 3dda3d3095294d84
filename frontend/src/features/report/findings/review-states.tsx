import type { FindingReview } from '@svc/contracts';
import type { ReviewState } from '@svc/domain';
import { IconCheck, IconFlag, IconShieldCheck } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import type { Reviews } from '../../../api/reviews.ts';
import styles from './review-states.module.css';

export const stateNames: Readonly<Record<ReviewState, string>> = {
  new: 'New',
  reviewed: 'Reviewed',
  benign: 'Benign',
  escalated: 'Escalated',
};

/** Keys that decide about the chosen finding. */
export const stateKeys = { r: 'reviewed', b: 'benign', e: 'escalated' } as const satisfies Record<string, ReviewState>;

const icons = { reviewed: IconCheck, benign: IconShieldCheck, escalated: IconFlag } as const;

const ReviewsContext = createContext<Reviews>({ of: new Map(), decide: null, error: null });

/** Around the findings of a report: what was decided about them. */
export const ReviewsProvider = ReviewsContext.Provider;

export function useReviewsHere(): Reviews {
  return useContext(ReviewsContext);
}

/** Nothing is left to do about it: what “hide reviewed” hides. */
export function isDone(review: FindingReview | undefined): boolean {
  return review?.state === 'reviewed' || review?.state === 'benign';
}

/** What was decided about a finding, in its row. */
export function ReviewMark({ findingId }: { findingId: number }) {
  const review = useReviewsHere().of.get(findingId);
  if (review === undefined || review.state === 'new') return null;
  const Icon = icons[review.state];
  const hint = [
    `${stateNames[review.state]}${review.from_earlier ? ', remembered from an earlier review' : ''}`,
    ...(review.assignee ? [`For ${review.assignee.name}`] : []),
    ...(review.note === '' ? [] : [review.note]),
  ].join('\n');
  return (
    <span className={styles.mark} data-state={review.state} data-hint={hint}>
      <Icon size={14} stroke={2} aria-hidden="true" />
      <span className="sr-only">{stateNames[review.state]}</span>
    </span>
  );
}
