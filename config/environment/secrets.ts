import { z } from 'zod';
import { databaseUrlOf } from './database.ts';
import { passphrase, type Contradiction, type Read } from './values.ts';

/** Variables of secrets, and of the first administrator. */
export const secretVariables = {
  SECRETS_MANAGER_IDS: z
    .string()
    .optional()
    .describe(
      'Secrets in AWS Secrets Manager, comma-separated: each a JSON object of variables of this table. Read once at start; what the environment itself says wins.',
    ),
  SECRET_KEY: passphrase()
    .optional()
    .describe(
      'Signs sessions; 64 hex digits. Generated once into DATA_DIR when unset; with DATABASE_URL it must be set.',
    ),
  ENRICHMENT_ENCRYPTION_KEY: passphrase()
    .optional()
    .describe('Seals stored secrets of others: tokens of providers, webhook secrets. SECRET_KEY does when unset.'),
  ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: passphrase()
    .optional()
    .describe('What sealed them before, SECRET_KEY or ENRICHMENT_ENCRYPTION_KEY: still opens them after a change.'),
  ADMIN_EMAIL: z.string().max(320).optional().describe('First administrator, created when there is none.'),
  ADMIN_PASSWORD: z.string().max(1024).optional().describe('Password of the first administrator.'),
};

type SecretSettings = Read<typeof secretVariables> & Parameters<typeof databaseUrlOf>[0];

export function secretContradictions(settings: SecretSettings): Contradiction[] {
  return [
    [
      databaseUrlOf(settings) !== null && settings.SECRET_KEY === undefined,
      'DATABASE_URL needs SECRET_KEY, the same for every process of the service; make one with openssl rand -hex 32',
    ],
  ];
}
