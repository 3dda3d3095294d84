import { z } from 'zod';
import { DatabaseUrl } from './database-url.ts';

/** Where the server database is, and who signs in to it how. */
export const databaseVariables = {
  DATABASE_URL: DatabaseUrl.optional().describe(
    'PostgreSQL server to use: postgres://user:password@host:5432/name, with sslmode=require, verify-ca or verify-full for TLS. Unset for the embedded database in DATA_DIR.',
  ),
  SYNC_DATABASE_URL: DatabaseUrl.optional().describe(
    'The same database by a direct connection, for migrations and for news of tasks, where DATABASE_URL leads to a pooler or to a role that may not change the schema. In place of DATABASE_URL where only this is set.',
  ),
  DATABASE_SERVICE_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be the name of a role: small letters, digits and _')
    .optional()
    .describe(
      'Role that migrations let read and write rows, and nothing else; with DATABASE_AUTH=iam they make it, too. Unset, the user of DATABASE_URL where SYNC_DATABASE_URL has another.',
    ),
  DATABASE_AUTH: z
    .enum(['password', 'iam'])
    .default('password')
    .describe(
      'How to sign in to the database where its URL has no password: iam for a token of RDS, signed with the credentials of this process.',
    ),
  DATABASE_SECRET_ID: z
    .string()
    .optional()
    .describe(
      'Secret of RDS in Secrets Manager (host, port, username, password, dbname), which makes a SYNC_DATABASE_URL with sslmode=verify-full; NODE_EXTRA_CA_CERTS must name a file with the authority of RDS, in Lambda /var/runtime/ca-cert.pem.',
    ),
} as const;
type DatabaseSettings = { readonly [K in keyof typeof databaseVariables]?: z.output<(typeof databaseVariables)[K]> };

/** The role that migrations grant the tables to; null where one role migrates and serves. */
export function serviceRoleOf({
  DATABASE_AUTH,
  DATABASE_SERVICE_ROLE,
  DATABASE_URL,
  SYNC_DATABASE_URL,
}: DatabaseSettings): { name: string; byToken: boolean } | null {
  const owner = userOf(SYNC_DATABASE_URL ?? DATABASE_URL);
  const name = DATABASE_SERVICE_ROLE ?? userOf(DATABASE_URL);
  if (owner === '' || name === '' || name === owner) return null;
  return { name, byToken: DATABASE_AUTH === 'iam' };
}

function userOf(url: string | undefined): string {
  return url === undefined ? '' : decodeURIComponent(new URL(url).username);
}
