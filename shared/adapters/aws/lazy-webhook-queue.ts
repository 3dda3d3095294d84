import type { WebhookAnswers, WebhookSender } from '@svc/application/ports/webhook-sender.ts';
import { lazy } from '../lazy.ts';

type WebhookQueue = WebhookSender & WebhookAnswers;

/** Either end of what is sent to webhooks by way of SQS. */
export function lazyWebhookQueue(url: string): { port: WebhookQueue; close: () => Promise<void> } {
  let end: (() => void) | undefined;
  const { port, opened } = lazy<WebhookQueue>(async () => {
    const { SqsWebhookQueue } = await import('./webhook-queue.ts');
    const queue = new SqsWebhookQueue(url);
    end = () => queue.close();
    return queue;
  });
  return {
    port,
    close: async () => {
      await opened();
      end?.();
    },
  };
}
