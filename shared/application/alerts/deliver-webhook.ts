import { canView, hasRole, type Actor, type Job, type WebhookRequest } from '@svc/domain';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import type { AnsweredWebhook, AttemptStanding } from '../ports/webhook-sender.ts';
import { afterAnswer } from './webhook-answer.ts';
import type { AttemptKey, BegunAttempt, EndedAttempt } from './webhook-attempts.ts';
import { webhookBody } from './webhook-body.ts';
import { webhookRequest } from './webhook-request.ts';
import { secretPlace } from './alert-rule-repository.ts';

export type DeliverPorts = Pick<
  Ports,
  | 'clock'
  | 'deployment'
  | 'jobs'
  | 'log'
  | 'outbound'
  | 'rateLimiter'
  | 'secretBox'
  | 'tasks'
  | 'webhookAttempts'
  | 'webhookSender'
>;

/**
 * Makes one attempt to deliver (resolved-intel 14.5). It is begun once, so that a task that comes again does nothing;
 * one whose process ended in the middle is looked after by {@link queueDueWebhooks}.
 */
export async function deliverWebhook(ports: DeliverPorts, key: AttemptKey): Promise<void> {
  const { clock, deployment, webhookAttempts } = ports;
  const at = clock.now();
  const until = new Date(at.getTime() + deployment.webhooks.patienceSeconds * 1000);
  const begun = await webhookAttempts.begin(key, at, until);
  if (begun === null) return;
  const job = begun.jobId === null ? null : ((await ports.jobs.get(begun.jobId))?.job ?? null);
  if (!isStillWanted(begun, job)) return webhookAttempts.drop(key);
  const prepared = await prepare(ports, { key, begun, job, at });
  if ('refused' in prepared) return refuse(ports, key, prepared.refused);
  await webhookAttempts.sending(key, prepared.request);
  const attempt = { ...key, ...standingOf(begun) };
  const answer = await ports.webhookSender.send({ ...attempt, request: prepared.request });
  if (answer !== null) await endWebhookAttempt(ports, { ...attempt, answer });
}

function standingOf({ event, sinceAsked }: BegunAttempt): AttemptStanding {
  return { sinceAsked, isTest: event === 'rule.test' };
}

/** Keeps what came of an attempt, and has the next one queued where there is to be one. */
export async function endWebhookAttempt(
  ports: Pick<DeliverPorts, 'clock' | 'deployment' | 'log' | 'tasks' | 'webhookAttempts'>,
  { deliveryId, attempt, answer, sinceAsked, isTest }: AnsweredWebhook,
): Promise<void> {
  const now = ports.clock.now();
  const { maxRetries } = ports.deployment.webhooks;
  await keep(ports, { deliveryId, attempt }, afterAnswer(answer, { attempt: sinceAsked, maxRetries, isTest, now }));
}

async function keep(
  { clock, log, tasks, webhookAttempts }: Pick<DeliverPorts, 'clock' | 'log' | 'tasks' | 'webhookAttempts'>,
  key: AttemptKey,
  ended: EndedAttempt,
): Promise<void> {
  const next = await webhookAttempts.end(key, ended);
  log.info('webhook', {
    delivery_id: key.deliveryId,
    attempt: key.attempt,
    ok: ended.ok,
    status: ended.statusCode,
    reason: ended.error,
    next_attempt_at: ended.nextAttemptAt?.toISOString() ?? null,
  });
  if (next === null || ended.nextAttemptAt === null) return;
  const delaySeconds = Math.max(0, (ended.nextAttemptAt.getTime() - clock.now().getTime()) / 1000);
  const task = { kind: 'deliver_webhook', deliveryId: key.deliveryId, attempt: key.attempt + 1 } as const;
  await tasks.enqueue(task, { submitter: `rule:${next.ruleId}`, delaySeconds });
}

/** Whether the rule still tells somebody, who may still know of the job. */
function isStillWanted({ event, events, rule, owner, jobId }: BegunAttempt, job: Job | null): boolean {
  if (event === 'job.watch' && events.length === 0) return false;
  if (!rule.webhook.enabled || rule.webhook.url === null) return false;
  if (jobId !== null && job === null) return false;
  if (rule.ownerId === null) return job === null || !job.isPrivate;
  if (owner === null || !owner.isActive) return false;
  const viewer: Actor = { kind: 'account', userId: owner.id, email: '', role: owner.role, ip: '' };
  return hasRole(viewer, 'member') && (job === null || canView(job, viewer));
}

interface Preparing {
  readonly key: AttemptKey;
  readonly begun: BegunAttempt;
  readonly job: Job | null;
  readonly at: Date;
}

/** The request, or why none is sent. */
async function prepare(
  ports: DeliverPorts,
  { key, begun, job, at }: Preparing,
): Promise<{ readonly request: WebhookRequest } | { readonly refused: string }> {
  const { rule, sealedSecret } = begun;
  const url = rule.webhook.url!;
  if (!(await isWithinLimit(ports, rule.id))) return { refused: 'rate limited' };
  const secret = sealedSecret === null ? null : await ports.secretBox.open(sealedSecret, secretPlace(rule.id));
  if (sealedSecret !== null && secret === null) {
    return { refused: 'The signing secret cannot be read any more: give the rule a new one' };
  }
  try {
    ports.outbound.check('webhook', url);
  } catch (error) {
    if (error instanceof OutboundError) return { refused: error.message };
    throw error;
  }
  const jobUrl = job === null ? null : addressOf(ports.deployment, `/jobs/${job.id}`);
  const content = webhookBody(begun, { deliveryId: key.deliveryId, at, job, jobUrl });
  return { request: webhookRequest({ ...rule.webhook, url }, content, { attempt: key.attempt, at, secret }) };
}

async function isWithinLimit({ deployment, rateLimiter }: DeliverPorts, ruleId: number): Promise<boolean> {
  const { perMinute } = deployment.webhooks;
  return perMinute === 0 || rateLimiter.take(`webhook:${ruleId}`, perMinute);
}

function refuse(ports: DeliverPorts, key: AttemptKey, error: string): Promise<void> {
  return keep(ports, key, { ok: false, statusCode: null, error, durationMs: null, nextAttemptAt: null });
}

/** A page as others reach it; of this machine alone where it serves by itself and nobody has said otherwise. */
function addressOf({ embedded, http }: DeliverPorts['deployment'], path: string): string {
  if (http.siteUrl !== null) return http.siteUrl + path;
  return embedded ? `http://localhost:${http.port}${path}` : path;
}
