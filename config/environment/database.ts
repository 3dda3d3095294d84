import { z } from 'zod';
import { DatabaseUrl } from './database-url.ts';
import { integer, type Contradiction } from './values.ts';

/** Variables of the database: where it is, who signs in to it how, and with how many connections. */
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
      'Secret of RDS in Secrets Manager (host, port, username, password, dbname), which makes a SYNC_DATABASE_URL with sslmode=verify-full; the authority of RDS comes from DATABASE_CA_URL, or stands in the file that NODE_EXTRA_CA_CERTS names.',
    ),
  DATABASE_CA_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe(
      'Where the authorities are fetched from, when a process starts, that sign for the database of DATABASE_SECRET_ID: for RDS https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem.',
    ),
  AUTO_MIGRATE: z
    .stringbool()
    .default(true)
    .describe('Bring the schema up to date at start; else wait until npm run migrate has.'),
  SERVE_LATER_SCHEMA: z
    .stringbool()
    .default(false)
    .describe(
      'Start although a later version has changed the schema: for going back to a version whose successor’s migrations only added. Results that the later version stores in ways of its own stay unseen until it is back.',
    ),
  DB_POOL_SIZE: integer(1, 1000).default(5).describe('Connections to the PostgreSQL server that a process keeps.'),
  DB_MAX_OVERFLOW: integer(0, 1000).default(10).describe('Connections beyond them while there is much to do.'),
  DB_POOL_RECYCLE: integer(0, 86_400)
    .default(300)
    .describe('Seconds after which a connection is replaced; 0 for never.'),
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

/** Where the server database is; null for the embedded one. */
export function databaseUrlOf(settings: Pick<DatabaseSettings, 'DATABASE_URL' | 'SYNC_DATABASE_URL'>): string | null {
  return settings.DATABASE_URL ?? settings.SYNC_DATABASE_URL ?? null;
}

export function databaseContradictions({
  DATABASE_AUTH,
  DATABASE_URL,
  SYNC_DATABASE_URL,
}: DatabaseSettings): Contradiction[] {
  return [
    [
      DATABASE_AUTH === 'iam' && [DATABASE_URL, SYNC_DATABASE_URL].some(sendsTokenInClear),
      'DATABASE_AUTH=iam needs sslmode=verify-full in DATABASE_URL: a token is as good as a password',
    ],
  ];
}

/** Whether a URL without a password leads to a server that nobody has verified. */
function sendsTokenInClear(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { password, searchParams } = new URL(url);
  return password === '' && searchParams.get('sslmode') !== 'verify-full';
}
