import { call, operations, type FindingReview, type FindingReviews, type InputOf } from '@svc/contracts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { invalidate, queryClient } from './query-client.ts';
import { queryKey } from './query-key.ts';
import { useMe } from './session.ts';

/** What a person decides about findings of a job. */
export type Decision = Omit<InputOf<typeof operations.reviewFindings>, 'id'>;

/** What was decided about the findings of a job. */
function reviewsQuery(id: number) {
  return queryOptions({
    queryKey: queryKey(operations.listReviews, { id }),
    queryFn: async ({ signal }) => call(operations.listReviews, { id }, { signal }),
  });
}

/** Whom findings of a job can be assigned to. */
export function reviewersQuery(id: number) {
  return queryOptions({
    queryKey: queryKey(operations.listReviewers, { id }),
    queryFn: async ({ signal }) => (await call(operations.listReviewers, { id }, { signal })).reviewers,
    staleTime: 60_000,
  });
}

/** The decisions about a job's findings, by finding, and how to decide. */
export interface Reviews {
  readonly of: ReadonlyMap<number, FindingReview>;
  /** Null for whoever may only read them, and until they are known. */
  readonly decide: ((decision: Decision) => void) | null;
  readonly error: Error | null;
}

const none: Reviews = { of: new Map(), decide: null, error: null };

/** Of a job; there are none for visitors, nor of a report that is no job’s. */
export function useReviews(jobId: number | null): Reviews {
  const me = useMe();
  const isThere = jobId !== null && me !== null && me !== undefined;
  const { data, error } = useQuery({ ...reviewsQuery(jobId ?? 0), enabled: isThere });
  const { mutate, error: refusal } = useDeciding(jobId ?? 0);
  const isMember = me?.role === 'member' || me?.role === 'admin';
  return useMemo(() => {
    if (!isThere) return none;
    const of = new Map((data?.reviews ?? []).map((review) => [review.finding_id, review]));
    return { of, decide: isMember && data ? mutate : null, error: refusal ?? error };
  }, [isThere, isMember, data, mutate, refusal, error]);
}

/** Decides at once on the page, then in the service; a refusal takes it back. */
function useDeciding(id: number) {
  const { queryKey: key } = reviewsQuery(id);
  return useMutation({
    mutationKey: key,
    // One after the other: of two that are made quickly, the later one stays.
    scope: { id: JSON.stringify(key) },
    mutationFn: (decision: Decision) => call(operations.reviewFindings, { id, ...decision }),
    onMutate: async (decision) => {
      // An answer that is on its way knows nothing of the decision yet.
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<FindingReviews>(key);
      queryClient.setQueryData<FindingReviews>(key, (known) => decided(known, decision));
      return before;
    },
    onError: (_, _decision, before) => queryClient.setQueryData(key, before),
    // An answer before the last of them would take the others back on the page.
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey: key }) === 1) await invalidate(key, queryKey(operations.listJobs));
    },
  });
}

/** What is known of decisions after one more. */
export function decided(known: FindingReviews = { reviews: [] }, decision: Decision): FindingReviews {
  const { finding_ids: ids, state, note, remember } = decision;
  const changed = ids.map((id): FindingReview => {
    const before = known.reviews.find((review) => review.finding_id === id) ?? unseen(id);
    return {
      ...before,
      ...(state !== undefined && { state, remembered: remember, from_earlier: false }),
      ...(note !== undefined && { note }),
    };
  });
  return { reviews: [...known.reviews.filter((review) => !ids.includes(review.finding_id)), ...changed] };
}

function unseen(id: number): FindingReview {
  const at = new Date(0).toISOString();
  return {
    finding_id: id,
    state: 'new',
    note: '',
    assignee: null,
    by: null,
    at,
    remembered: false,
    from_earlier: false,
  };
}
