import type { RuleWebhook, WebhookRequest } from '@svc/domain';
import type { WebhookBody } from './webhook-body.ts';
import { webhookSignature } from './webhook-signature.ts';
import { renderWebhook } from './webhook-templates.ts';

interface Signing {
  readonly attempt: number;
  readonly at: Date;
  /** Null where the rule has none. */
  readonly secret: string | null;
}

/** What goes to a receiver (resolved-intel 14.3); the product's headers come before those of the rule. */
export function webhookRequest(
  webhook: RuleWebhook & { readonly url: string },
  content: WebhookBody,
  { attempt, at, secret }: Signing,
): WebhookRequest {
  const body = renderWebhook(content, webhook.template ?? null);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const own: Readonly<Record<string, string>> = {
    'Content-Type': 'application/json',
    'User-Agent': 'Svc-Webhook/1',
    'X-Svc-Event': content.event,
    'X-Svc-Timestamp': timestamp,
    'X-Svc-Delivery': content.delivery_id,
    'X-Svc-Attempt': String(attempt),
    ...(secret !== null && { 'X-Svc-Signature': webhookSignature(secret, timestamp, body) }),
  };
  const ownNames = new Set([...Object.keys(own), 'X-Svc-Signature'].map((name) => name.toLowerCase()));
  const more = Object.entries(webhook.headers)
    .filter(([name]) => !ownNames.has(name.toLowerCase()))
    .map(([name, value]) => [name, String(value)]);
  return { method: webhook.method, url: webhook.url, headers: { ...own, ...Object.fromEntries(more) }, body };
}
