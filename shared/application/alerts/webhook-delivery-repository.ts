import type { WebhookEvent } from '@svc/domain';

/** What is to be told to the webhook of a rule. */
export interface NewWebhookDelivery {
  /** UUID, by which receivers tell a repetition. */
  readonly id: string;
  readonly ruleId: number;
  /** Null of a test. */
  readonly jobId: number | null;
  readonly event: WebhookEvent;
  readonly matchCount: number;
  /** The first that it names, at most {@link webhookLimits}. */
  readonly entityIds?: readonly number[];
  /** Of watched jobs: what happened, oldest first. */
  readonly events?: readonly {
    readonly kind: string;
    readonly refId: number;
    readonly summary: string;
    readonly at: Date;
  }[];
  readonly at: Date;
}

/** What is on its way to webhooks, and how each attempt went. */
export interface WebhookDeliveryRepository {
  /** Writes what is to be told, as part of the transaction in which it came to be; one that is there already stays. */
  add(deliveries: readonly NewWebhookDelivery[]): Promise<void>;
}
