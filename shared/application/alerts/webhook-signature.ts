import { createHmac } from 'node:crypto';

/**
 * How a receiver that knows the secret sees that a request is ours, and of now (resolved-intel 14.3).
 * @param timestamp - whole seconds since 1970, as the header has them
 */
export function webhookSignature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
