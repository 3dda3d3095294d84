import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type {
  AnsweredWebhook,
  OutgoingWebhook,
  WebhookAnswers,
  WebhookSender,
} from '@svc/application/ports/webhook-sender.ts';
import { readTask } from '@svc/contracts/tasks.ts';
import { clientDefaults } from './client-defaults.ts';

/** Leaves requests in a queue; or, at its other end, in that of the tasks what came of them (decision 103). */
export class SqsWebhookQueue implements WebhookSender, WebhookAnswers {
  readonly #url: string;
  readonly #client = new SQSClient({ ...clientDefaults(), useQueueUrlAsEndpoint: false });

  constructor(url: string) {
    this.#url = url;
  }

  async send(webhook: OutgoingWebhook): Promise<null> {
    await this.#leave(webhook);
    return null;
  }

  async tell(answered: AnsweredWebhook): Promise<void> {
    await this.#leave(readTask({ kind: 'end_webhook_attempt', ...answered }));
  }

  close(): void {
    this.#client.destroy();
  }

  async #leave(what: object): Promise<void> {
    await this.#client.send(new SendMessageCommand({ QueueUrl: this.#url, MessageBody: JSON.stringify(what) }));
  }
}
