/** What a webhook is told of (service 6.1). */
export const webhookEvents = ['rule.match', 'job.match', 'job.watch', 'rule.test'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const webhookMethods = ['POST', 'PUT', 'PATCH'] as const;
export type WebhookMethod = (typeof webhookMethods)[number];

/** Longest texts, and what one body names at most (resolved-intel 14.2, 14.5). */
export const webhookLimits = { entities: 50, events: 50, error: 300, template: 4000 } as const;

/** What goes to a receiver. */
export interface WebhookRequest {
  readonly method: WebhookMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a delivery stands: waiting for its next attempt, received, or given up. */
export const deliveryStates = ['queued', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Receivers that want a body of their own: three services of chat, and any other by a text of the rule's. */
export const webhookTemplateKinds = ['slack', 'teams', 'discord', 'custom'] as const;
export type WebhookTemplateKind = (typeof webhookTemplateKinds)[number];

/** What a webhook is sent in place of the product's own body. */
export type WebhookTemplate =
  | { readonly kind: Exclude<WebhookTemplateKind, 'custom'> }
  /** JSON whose texts may hold placeholders such as `{{rule.name}}`. */
  | { readonly kind: 'custom'; readonly body: string };
