import { createHmac } from 'node:crypto';

/** Where the secret of a rule's webhook is sealed: it opens nowhere else. */
export function secretPlace(ruleId: number): string {
  return `alert_rule:${ruleId}/webhook_secret`;
}

/**
 * How a receiver that knows the secret sees that a request is ours, and of now (resolved-intel 14.3).
 * @param timestamp - whole seconds since 1970, as the header has them
 */
export function webhookSignature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
