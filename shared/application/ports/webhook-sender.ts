import type { WebhookRequest } from '@svc/domain';
import type { AttemptKey } from '../alerts/webhook-attempts.ts';
import type { WebhookAnswer } from '../alerts/webhook-answer.ts';

/** What of an attempt says how it goes on after the answer. */
export interface AttemptStanding {
  /** Which attempt it is since somebody last asked for the delivery. */
  readonly sinceAsked: number;
  readonly isTest: boolean;
}

/** A request to a receiver, and which attempt it is. */
export interface OutgoingWebhook extends AttemptKey, AttemptStanding {
  readonly request: WebhookRequest;
}

export interface AnsweredWebhook extends AttemptKey, AttemptStanding {
  readonly answer: WebhookAnswer;
}

/** Brings requests to the receivers of webhooks. */
export interface WebhookSender {
  /** What came of it; null where that comes later, as a task. */
  send(webhook: OutgoingWebhook): Promise<WebhookAnswer | null>;
}

/** Tells those who keep deliveries what came of what they have left in a queue. */
export interface WebhookAnswers {
  tell(answered: AnsweredWebhook): Promise<void>;
}
