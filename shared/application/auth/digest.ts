import { createHash } from 'node:crypto';

/** What is stored of a token's secret: long and random, it needs no slow hash. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
