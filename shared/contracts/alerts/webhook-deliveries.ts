import type { Operation } from '../operation.ts';

/** What was told to webhooks (resolved-intel 14.5). */
export const webhookDeliveryOperations = {} as const satisfies Record<string, Operation>;
