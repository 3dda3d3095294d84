import { z } from 'zod';
import { flag, integer, isOffLoopback, type Contradiction, type Read } from './values.ts';

/** Variables of the store by which processes coordinate. */
export const keyValueVariables = {
  KV_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be redis://… or rediss://…' })
    .optional()
    .describe(
      'Key-value store (Redis or its equal) by which several web processes coordinate; wins over the three below.',
    ),
  KV_HOST: z
    .string()
    .optional()
    .describe('Host of the key-value store. Without it and KV_URL one process coordinates in its own memory.'),
  KV_PORT: integer(1, 65_535).default(6379).describe('Port of the key-value store at KV_HOST.'),
  KV_PASSWORD: z.string().optional().describe('Password of the key-value store at KV_HOST.'),
  KV_TLS: flag().describe('Reach the key-value store at KV_HOST by TLS.'),
  KV_EXPOSE: z
    .string()
    .default('127.0.0.1:6379')
    .describe(
      'Address at which your deployment publishes the key-value store to other hosts. The service publishes nothing itself, but does not start when this is off loopback and the store has no password.',
    ),
};
type KeyValueSettings = Read<typeof keyValueVariables>;

/** Where the key-value store is, credentials included; null when there is none. */
export function keyValueUrl({ KV_URL, KV_HOST, KV_PORT, KV_PASSWORD, KV_TLS }: KeyValueSettings): string | null {
  if (KV_URL !== undefined) return KV_URL;
  if (KV_HOST === undefined) return null;
  const credentials = KV_PASSWORD === undefined ? '' : `:${encodeURIComponent(KV_PASSWORD)}@`;
  return `${KV_TLS ? 'rediss' : 'redis'}://${credentials}${KV_HOST.includes(':') ? `[${KV_HOST}]` : KV_HOST}:${KV_PORT}`;
}

/** Whether the key-value store is published to other hosts although it asks for no password (service 7). */
function exposesKeyValueStore({ KV_EXPOSE, KV_PASSWORD, KV_URL }: KeyValueSettings): boolean {
  return (
    isOffLoopback(KV_EXPOSE) && KV_PASSWORD === undefined && (KV_URL === undefined || new URL(KV_URL).password === '')
  );
}

export function keyValueContradictions(settings: KeyValueSettings): Contradiction[] {
  return [[exposesKeyValueStore(settings), 'KV_EXPOSE off loopback needs a KV_PASSWORD, or a password in KV_URL']];
}
