/** What a webhook is told of (service 6.1). */
export const webhookEvents = ['rule.match', 'job.match', 'job.watch', 'rule.test'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Longest texts, and what one body names at most (resolved-intel 14.2, 14.5). */
export const webhookLimits = { entities: 50, events: 50, error: 300 } as const;

/** How a delivery stands: waiting for its next attempt, received, or given up. */
export const deliveryStates = ['queued', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
