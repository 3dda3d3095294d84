import { OutgoingWebhook, queuedSeconds } from '@svc/contracts/tasks.ts';
import type { WebhookRequest } from '@svc/domain';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import type { WebhookAnswer } from './webhook-answer.ts';

/** Sends a request to its receiver; what the guard of outbound requests refuses is an answer, too. */
export async function sendWebhook(
  { outbound }: Pick<Ports, 'outbound'>,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  const startedAt = performance.now();
  const took = (): { durationMs: number } => ({ durationMs: performance.now() - startedAt });
  try {
    return await outbound.send({ purpose: 'webhook', ...request }, ({ status, retryAfter }) => ({
      status,
      retryAfter,
      ...took(),
    }));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { failure: error.code, message: error.message, ...took() };
  }
}

/**
 * Sends what was left in a queue, and says there what came of it. What has waited for too long is not sent: receivers
 * would take its timestamp for that of a repetition, and another attempt is about to begin.
 */
export async function sendQueuedWebhook(
  ports: Pick<Ports, 'clock' | 'log' | 'outbound' | 'webhookAnswers'>,
  message: unknown,
  queuedAt: Date,
): Promise<void> {
  const { request, ...attempt } = OutgoingWebhook.parse(message);
  if (ports.clock.now().getTime() - queuedAt.getTime() > queuedSeconds * 1000) {
    ports.log.warn('a webhook has waited for too long to be sent', { delivery_id: attempt.deliveryId });
    return;
  }
  const answer = await sendWebhook(ports, request);
  await ports.webhookAnswers.tell({ ...attempt, answer });
}
