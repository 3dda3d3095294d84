import { deliveryStates, webhookEvents, webhookMethods } from '@svc/domain';
import { z } from 'zod';
import { OptionalId, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** A delivery, newest first of a list, asked for so many at a time. */
export const deliveryPage = 25;

export const WebhookAttempt = z.object({
  /** From 1. */
  attempt: z.number().int(),
  at: Timestamp,
  /** Null until it is known how it went. */
  ok: z.boolean().nullable(),
  status_code: z.number().int().nullable(),
  /** In the service's words; null when it went well. */
  error: z.string().nullable(),
  duration_ms: z.number().int().nullable(),
  /** Null when no other one follows. */
  next_attempt_at: Timestamp.nullable(),
});
export type WebhookAttempt = z.output<typeof WebhookAttempt>;

/** What was told to the webhook of a rule, and how each attempt went. */
export const WebhookDelivery = z.object({
  id: z.uuid(),
  rule: z.object({ id: z.number().int(), name: z.string() }),
  job_id: z.number().int().nullable(),
  /** Of the job; null where the delivery tells of none. */
  filename: z.string().nullable(),
  event: z.enum(webhookEvents),
  match_count: z.number().int(),
  state: z.enum(deliveryStates),
  created_at: Timestamp,
  /** From the first on. */
  attempts: z.array(WebhookAttempt),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** The same, with what was sent. */
export const WebhookDeliveryDetails = WebhookDelivery.extend({
  attempts: z.array(
    WebhookAttempt.extend({
      /** Null when nothing was. Of the secret it has the signature alone. */
      request: z
        .object({
          method: z.enum(webhookMethods),
          url: z.string(),
          headers: z.record(z.string(), z.string()),
          body: z.string(),
        })
        .nullable(),
    }),
  ),
});
export type WebhookDeliveryDetails = z.output<typeof WebhookDeliveryDetails>;

const DeliveryPath = z.object({ id: z.uuid() });
const Queued = z.object({ delivery_id: z.uuid() });

/** What was told to webhooks (resolved-intel 14.5). */
export const webhookDeliveryOperations = {
  listWebhookDeliveries: {
    area: 'alerts',
    method: 'GET',
    path: '/intel/rules/deliveries',
    summary: `Deliveries of one’s own rules and, for administrators, of the site’s: the newest ${deliveryPage}, or those before one`,
    access: 'member',
    query: z.object({
      rule_id: OptionalId,
      state: z.enum(deliveryStates).optional(),
      before: z.uuid().optional(),
    }),
    success: [200],
    output: z.object({
      deliveries: z.array(WebhookDelivery),
      /** The last one of these, where there are older ones. */
      before: z.uuid().nullable(),
    }),
    errors: [],
  },
  getWebhookDelivery: {
    area: 'alerts',
    method: 'GET',
    path: '/intel/rules/deliveries/{id}',
    summary: 'One delivery, with what was sent in each attempt',
    access: 'member',
    params: DeliveryPath,
    success: [200],
    output: WebhookDeliveryDetails,
    errors: ['not_found'],
  },
  redeliverWebhook: {
    area: 'alerts',
    method: 'POST',
    path: '/intel/rules/deliveries/{id}/redeliver',
    summary: 'Send a delivery that has ended once more, under the same id and of what is known now',
    access: 'member',
    params: DeliveryPath,
    success: [202],
    output: Queued,
    errors: ['not_found', 'conflict', 'no_webhook', 'webhook_disabled'],
  },
  testWebhook: {
    area: 'alerts',
    method: 'POST',
    path: '/intel/rules/{id}/test',
    summary: 'Send a test to the webhook of a rule that one may change, in one attempt',
    access: 'member',
    params: PathId,
    success: [202],
    output: Queued,
    errors: ['not_found', 'no_webhook', 'webhook_disabled'],
  },
} as const satisfies Record<string, Operation>;
