import type { WebhookDelivery, WebhookDeliveryDetails } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { jobNames } from '../jobs/job-names.ts';
import type { Ports } from '../ports/ports.ts';
import type { ListedAttempt, ListedDelivery, ShownDelivery } from './webhook-delivery-lists.ts';

type NamePorts = Pick<Ports, 'jobViews'>;

/** Deliveries with the names of the jobs that they tell of. */
export async function presentDeliveries(
  ports: NamePorts,
  viewer: Actor,
  deliveries: readonly ListedDelivery[],
): Promise<WebhookDelivery[]> {
  const names = await jobNames(
    ports,
    viewer,
    deliveries.flatMap(({ jobId }) => jobId ?? []),
  );
  return deliveries.map((delivery) => presentDelivery(delivery, names));
}

function presentDelivery(delivery: ListedDelivery, names: ReadonlyMap<number, string>): WebhookDelivery {
  const { id, rule, jobId, event, matchCount, state, createdAt, attempts } = delivery;
  return {
    id,
    rule,
    job_id: jobId,
    filename: jobId === null ? null : (names.get(jobId) ?? null),
    event,
    match_count: matchCount,
    state,
    created_at: createdAt.toISOString(),
    attempts: attempts.map((attempt) => presentAttempt(attempt)),
  };
}

export async function presentDeliveryDetails(
  ports: NamePorts,
  viewer: Actor,
  delivery: ShownDelivery,
): Promise<WebhookDeliveryDetails> {
  const names = await jobNames(ports, viewer, delivery.jobId === null ? [] : [delivery.jobId]);
  const { attempts, ...rest } = presentDelivery(delivery, names);
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
