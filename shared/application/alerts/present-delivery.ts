import type { WebhookDelivery, WebhookDeliveryDetails } from '@svc/contracts';
import type { ListedAttempt, ListedDelivery, ShownDelivery } from './webhook-delivery-lists.ts';

export function presentDelivery(delivery: ListedDelivery): WebhookDelivery {
  const { id, rule, jobId, event, matchCount, state, createdAt, attempts } = delivery;
  return {
    id,
    rule,
    job_id: jobId,
    event,
    match_count: matchCount,
    state,
    created_at: createdAt.toISOString(),
    attempts: attempts.map((attempt) => presentAttempt(attempt)),
  };
}

export function presentDeliveryDetails(delivery: ShownDelivery): WebhookDeliveryDetails {
  const { attempts, ...rest } = presentDelivery(delivery);
  return {
    ...rest,
    attempts: attempts.map((attempt) => ({ ...attempt, request: requestOf(delivery, attempt.attempt) })),
  };
}

function requestOf({ requests }: ShownDelivery, attempt: number) {
  const request = requests.get(attempt);
  return request ? { ...request, headers: { ...request.headers } } : null;
}

function presentAttempt({ attempt, at, ok, statusCode, error, durationMs, nextAttemptAt }: ListedAttempt) {
  return {
    attempt,
    at: at.toISOString(),
    ok,
    status_code: statusCode,
    error,
    duration_ms: durationMs,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}
