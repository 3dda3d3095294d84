import type { AlertRule, EntityType, Role, WebhookEvent, WebhookRequest } from '@svc/domain';
import type { WatchedEventKey } from './webhook-delivery-repository.ts';

/** Which attempt of which delivery; an attempt is begun once, whoever is asked to. */
export interface AttemptKey {
  readonly deliveryId: string;
  readonly attempt: number;
}

/** Something that happened to a watched job, as its watcher reads it now. */
export interface WatchedEvent extends WatchedEventKey {
  readonly summary: string;
  readonly at: Date;
}

/** An attempt that has begun, with what its body is made of, as that is now. */
export interface BegunAttempt {
  readonly event: WebhookEvent;
  readonly jobId: number | null;
  readonly matchCount: number;
  readonly createdAt: Date;
  /** Which attempt this is since somebody last asked for the delivery. */
  readonly sinceAsked: number;
  /** Those that still exist, in the order of the matches. */
  readonly entities: readonly { readonly id: number; readonly value: string; readonly type: EntityType }[];
  /** Those that were not taken back, nor their job no longer watched. */
  readonly events: readonly WatchedEvent[];
  readonly rule: AlertRule;
  readonly sealedSecret: string | null;
  /** Null for a rule of the site. */
  readonly owner: { readonly id: string; readonly role: Role; readonly isActive: boolean } | null;
}

/** How an attempt ended. */
export interface EndedAttempt {
  readonly ok: boolean;
  readonly statusCode: number | null;
  /** In the service's own words, without anything secret; null when it went well. */
  readonly error: string | null;
  readonly durationMs: number | null;
  /** Null when it was the last one. */
  readonly nextAttemptAt: Date | null;
}

/** How deliveries to webhooks are tried. */
export interface WebhookAttempts {
  /**
   * Begins one, which is looked after again at `until` should nobody say how it ended; null when another has begun it
   * or the delivery is gone. What is not known of earlier attempts by then, never will be.
   */
  begin(key: AttemptKey, at: Date, until: Date): Promise<BegunAttempt | null>;
  /** Keeps what is about to be sent. */
  sending(key: AttemptKey, request: WebhookRequest): Promise<void>;
  /** Keeps how it ended; the rule's number when it was the first to say so and there is another attempt to make. */
  end(key: AttemptKey, how: EndedAttempt): Promise<{ readonly ruleId: number } | null>;
  /** Forgets an attempt that was never meant to be, and the delivery with it unless there were others. */
  drop(key: AttemptKey): Promise<void>;
}
