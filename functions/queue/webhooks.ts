import { compose } from '@svc/adapters/compose.ts';
import { sendQueuedWebhook } from '@svc/application/alerts/send-webhook.ts';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

const ports = compose('clock', 'log', 'outbound', 'webhookAnswers');

/** Sends to receivers what others have made, and reaches neither the database nor any secret (decision 103). */
export async function handler(event: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> {
  const ends = await Promise.allSettled(
    event.Records.map(({ attributes, body }) =>
      sendQueuedWebhook(ports, JSON.parse(body), new Date(Number(attributes.SentTimestamp))),
    ),
  );
  const batchItemFailures = ends.flatMap((end, at) => {
    if (end.status === 'fulfilled') return [];
    ports.log.error('a webhook could not be sent', { error: end.reason as unknown });
    return [{ itemIdentifier: event.Records[at]!.messageId }];
  });
  return { batchItemFailures };
}
