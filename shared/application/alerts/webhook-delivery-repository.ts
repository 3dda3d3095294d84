import type { WatchEventKind, WebhookEvent } from '@svc/domain';

/** Which of the things that happened to a watched job. */
export interface WatchedEventKey {
  readonly kind: WatchEventKind;
  readonly refId: number;
}

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
  /** Of watched jobs: what its owner was told, oldest first. */
  readonly events?: readonly WatchedEventKey[];
  readonly at: Date;
}

/** An attempt that is to be made. */
export interface DueAttempt {
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  readonly ruleId: number;
}

/** What is on its way to webhooks. */
export interface WebhookDeliveryRepository {
  /**
   * Writes what is to be told, as part of the transaction in which it came to be; one that is there already stays.
   * After the commit it is on its way.
   */
  add(deliveries: readonly NewWebhookDelivery[]): Promise<void>;
  /** At most so many that are due, the longest first; nobody else is given them before `until`. */
  takeDue(now: Date, until: Date, limit: number): Promise<readonly DueAttempt[]>;
  /** Has one that ended sent again, under the same id; false when it is gone, or has not ended. */
  again(id: string, at: Date): Promise<boolean>;
  /** Of these people, by account id, the rule that tells what happens to the jobs that they watch. */
  findWatchRules(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Removes those that ended before a time, at most so many; how many they were. */
  removeEnded(before: Date, limit: number): Promise<number>;
}
