import type { Actor, DeliveryState, WebhookEvent, WebhookRequest } from '@svc/domain';

export interface ListedAttempt {
  readonly attempt: number;
  readonly at: Date;
  /** Null until it is known how it went. */
  readonly ok: boolean | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly nextAttemptAt: Date | null;
}

export interface ListedDelivery {
  readonly id: string;
  readonly rule: { readonly id: number; readonly name: string };
  readonly jobId: number | null;
  readonly event: WebhookEvent;
  readonly matchCount: number;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  /** From the first on. */
  readonly attempts: readonly ListedAttempt[];
}

/** One whose attempts say what was sent, as far as anything was. */
export interface ShownDelivery extends ListedDelivery {
  readonly requests: ReadonlyMap<number, WebhookRequest>;
}

export interface DeliveryFilter {
  readonly ruleId: number | null;
  readonly state: DeliveryState | null;
  /** The newest ones that are older than this one; null for the newest of all. */
  readonly before: string | null;
}

/** Where a rule that the viewer may change tells of its matches. */
export interface ToldRule {
  readonly id: number;
  readonly hasUrl: boolean;
  readonly isEnabled: boolean;
}

/**
 * Deliveries of the viewer's own rules and, for administrators, of those of the site (resolved-intel 14.5); without
 * those of jobs that the viewer does not see any more.
 */
export interface WebhookDeliveryLists {
  page(viewer: Actor, filter: DeliveryFilter, limit: number): Promise<readonly ListedDelivery[]>;
  get(viewer: Actor, id: string): Promise<ShownDelivery | null>;
  /** Null when there is none, or the viewer may not change it. */
  rule(viewer: Actor, id: number): Promise<ToldRule | null>;
}
