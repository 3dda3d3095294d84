import { z } from 'zod';
import { analysisVariables } from './analysis-settings.ts';
import { containerSettingsProblem, isOffLoopback, placeholder, settingsWithoutEffect } from './container-settings.ts';
import { databaseVariables } from './database-variables.ts';
import { hostVariables, takesUnknownHosts } from './served-hosts.ts';
import { workerContradictions, workerVariables } from './worker-settings.ts';

const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const perMinute = (limit: number) => integer(0, 1_000_000).default(limit);
const flag = (fallback = false) => z.stringbool().default(fallback);
const bucket = () => z.string().min(3).max(63);

const passphrase = () =>
  z
    .string()
    .min(8, 'must have at least 8 characters')
    .refine((key) => !placeholder.test(key), 'must not be a placeholder');

/** Pairs of name and source; what is no pair is left for the schema to refuse. */
function packSources(text: string): string[][] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => [word.slice(0, Math.max(0, word.indexOf('='))), word.slice(word.indexOf('=') + 1)]);
}

/** Environment variables that the service reads now; the descriptions are the operator's manual. */
export const Environment = z.object({
  PORT: integer(0, 65_535).default(8000).describe('Port to serve on; 0 takes any free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to serve on; 0.0.0.0 for all of the machine’s.'),
  DATA_DIR: z.string().default('./data').describe('Folder of the database, the uploads and the generated secret key.'),
  ...databaseVariables,
  AUTO_MIGRATE: z
    .stringbool()
    .default(true)
    .describe('Bring the schema up to date at start; else wait until npm run migrate has.'),
  DB_POOL_SIZE: integer(1, 1000).default(5).describe('Connections to the PostgreSQL server that a process keeps.'),
  DB_MAX_OVERFLOW: integer(0, 1000).default(10).describe('Connections beyond them while there is much to do.'),
  DB_POOL_RECYCLE: integer(0, 86_400)
    .default(300)
    .describe('Seconds after which a connection is replaced; 0 for never.'),
  STORAGE_BACKEND: z
    .enum(['local', 's3'])
    .default('local')
    .describe('Where uploads are kept: a folder of this machine, or a bucket of S3 or a compatible store.'),
  UPLOAD_DIR: z
    .string()
    .optional()
    .describe('Folder of the uploads with STORAGE_BACKEND=local; DATA_DIR/objects unset.'),
  S3_BUCKET: bucket().default('svc-log-analysis').describe('Bucket of the uploads; must exist.'),
  S3_OUTPUTS_BUCKET: bucket()
    .optional()
    .describe('Bucket of what analyses leave, under outputs/; S3_BUCKET when unset.'),
  S3_PACKS_BUCKET: bucket().optional().describe('Bucket of rule packs, under packs/; S3_BUCKET when unset.'),
  S3_REGION: z.string().optional().describe('Region of the bucket; AWS_REGION, or else us-east-1, when unset.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .describe('URL of an S3-compatible store, with the bucket in the path of requests; AWS itself when unset.'),
  S3_PUBLIC_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .describe(
      'URL by which clients reach the store of S3_ENDPOINT, to send it files by themselves; unset, they go through the service.',
    ),
  S3_ACCESS_KEY: z.string().optional().describe('Key of the store; AWS’s usual chain of credentials when unset.'),
  S3_SECRET_KEY: z.string().optional().describe('Secret that belongs to S3_ACCESS_KEY.'),
  MAX_UPLOAD_SIZE_MB: integer(1, 1_048_576).default(500).describe('Largest file that may be submitted, in MiB.'),
  UPLOAD_MAX_CONCURRENT: integer(0, 1000)
    .default(4)
    .transform((uploads) => Math.max(1, uploads))
    .describe('Uploads received at the same time, by all processes that share a key-value store; at least 1.'),
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
  LOG_LEVEL: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['DEBUG', 'INFO', 'WARNING', 'ERROR']))
    .default('INFO')
    .describe('Least important log lines to write: DEBUG, INFO, WARNING or ERROR.'),
  LOG_FORMAT: z.enum(['text', 'json']).default('text').describe('Log lines for people or for programs.'),
  REQUEST_LOG_ENABLED: flag().describe('One log line a request; never for static files and /health.'),
  DEBUG: flag().describe(
    'For development only: session cookies also over plain HTTP, and /api/docs, /api/redoc and /api/openapi.json.',
  ),
  COOKIE_INSECURE: flag().describe('Session cookies also over plain HTTP, for a trusted network without TLS.'),
  UPLOAD_RATE_LIMIT_PER_MINUTE: perMinute(30).describe('Anonymous uploads a minute from one address; 0 for no limit.'),
  AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE: perMinute(60).describe('Uploads a minute of one account.'),
  UPLOAD_RESERVED_MAX_MB: integer(0, 1_048_576)
    .default(2048)
    .describe(
      'MiB of reserved uploads that a visitor’s address (IPv6: its /64 network) may have open, reserved and not yet submitted; one file may always be. 0 for no limit.',
    ),
  AUTHENTICATED_UPLOAD_RESERVED_MAX_MB: integer(0, 1_048_576)
    .default(8192)
    .describe('The same of one account, wherever it comes from.'),
  PREVIEW_RATE_LIMIT_PER_MINUTE: perMinute(120).describe('Type previews a minute from one address.'),
  LOGIN_RATE_LIMIT_PER_MINUTE: perMinute(20).describe(
    'Attempts a minute to sign in from one address; as many wrong passwords a minute, and five times as many an hour, per account and per network. 0 for no limit.',
  ),
  RESUBMIT_RATE_LIMIT_PER_MINUTE: perMinute(10).describe('Resubmissions a minute from one address.'),
  COMMENT_RATE_LIMIT_PER_MINUTE: perMinute(30).describe('Comments a minute that one account writes or changes.'),
  API_TOKEN_RATE_LIMIT_PER_MINUTE: perMinute(120).describe(
    'Requests a minute under /api/v1 of one API token, or from one address without a token; requests with a token that is not valid are counted by address, whatever they ask for.',
  ),
  TRUST_PROXY_HEADERS: flag().describe('Believe the X-Forwarded-For of requests from TRUSTED_PROXY_CIDRS.'),
  TRUSTED_PROXY_CIDRS: z
    .string()
    .default('127.0.0.1/32,::1/128')
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(z.union([z.literal('*'), z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must be networks')))
    .describe('Networks of the reverse proxies in front, comma-separated; every hop must be listed.'),
  ...hostVariables,
  EDGE_KEY: passphrase()
    .optional()
    .describe(
      'What the edge (CloudFront) sends as x-origin-key. Requests without it are refused, /health apart; with it, the client’s address, host and path are those of x-viewer-address, x-forwarded-host and x-forwarded-uri.',
    ),
  DISABLE_CSP: flag().describe('Send no Content-Security-Policy; needs DEBUG or I_ACCEPT_DISABLE_CSP_IN_PROD.'),
  I_ACCEPT_DISABLE_CSP_IN_PROD: flag().describe('Start with DISABLE_CSP although DEBUG is off.'),
  ENABLE_HSTS: flag().describe('Tell browsers to come by TLS only (Strict-Transport-Security).'),
  HSTS_MAX_AGE: integer(0, 315_360_000).default(63_072_000).describe('For how many seconds, with ENABLE_HSTS.'),
  ENRICHMENT_REQUIRE_PUBLIC_HOST: flag(true).describe('Enrichment services must be hosts of the Internet.'),
  WEBHOOK_REQUIRE_PUBLIC_HOST: flag().describe('Receivers of webhooks must be hosts of the Internet.'),
  WEBHOOK_TIMEOUT_SECONDS: integer(1, 300).default(5).describe('Seconds that a delivery to a webhook may take.'),
  AI_REQUIRE_PUBLIC_HOST: flag().describe('AI providers must be hosts of the Internet, none of a private network.'),
  RULE_LIST_REQUIRE_PUBLIC_HOST: flag(true).describe('Sources of rule lists must be hosts of the Internet.'),
  RULE_LIST_FETCH_MAX_BYTES: integer(1, 104_857_600)
    .default(1_048_576)
    .describe('Largest rule list that is read from its source, in bytes.'),
  RULE_LIST_FETCH_TIMEOUT_SECONDS: integer(1, 300)
    .default(15)
    .describe('Seconds that reading a rule list from its source may take.'),
  RULE_PACKS: z
    .string()
    .default('')
    .transform(packSources)
    .pipe(z.array(z.tuple([z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/), z.string().min(1)]), 'must be name=source'))
    .describe(
      'Rule packs to import at start, as name=source separated by blanks: a URL, or a folder, zip or gzipped tar here.',
    ),
  RULE_PACK_REFRESH_HOURS: integer(0, 8760)
    .default(24)
    .describe('Hours after which packs that came from a URL are looked for there again; 0 for never.'),
  RULE_PACK_REQUIRE_PUBLIC_HOST: flag(true).describe('Sources of rule packs must be hosts of the Internet.'),
  RULE_PACK_FETCH_MAX_BYTES: integer(1, 67_108_864)
    .default(33_554_432)
    .describe('Largest rule pack that is fetched from its source, in bytes.'),
  RULE_PACK_FETCH_TIMEOUT_SECONDS: integer(1, 300)
    .default(60)
    .describe('Seconds that fetching a rule pack from its source may take.'),
  TASKQ_WORKERS: integer(0, 64)
    .default(2)
    .describe(
      'Jobs analysed at the same time by this process, each with ANALYSIS_MEMORY_MB; 0 leaves them to npm run worker.',
    ),
  TASKQ_QUEUE_EXPIRY: integer(1, 2_592_000)
    .default(1800)
    .describe('Seconds a job may wait while no worker does anything before it fails; not a limit of the analysis.'),
  TASKQ_TASK_TIMEOUT: integer(1, 2_592_000)
    .optional()
    .describe('Old name of TASKQ_QUEUE_EXPIRY, for settings files that still have it; the new one wins.'),
  TASKQ_SQS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('SQS queue of the analyses, with TASKQ_LEDGER_TABLE; unset to queue them in the database.'),
  TASKQ_LEDGER_TABLE: z
    .string()
    .max(255)
    .optional()
    .describe('DynamoDB table of the tasks in TASKQ_SQS_URL: partition key jobId, a number; expiry in expiresAt.'),
  ...workerVariables,
  WORKER_HEARTBEAT_INTERVAL: integer(1, 3600).default(30).describe('Seconds between two signs of life of a worker.'),
  WORKER_HEARTBEAT_TTL: integer(2, 86_400)
    .default(60)
    .describe('Seconds of silence after which a worker’s job is taken over.'),
  ...analysisVariables,
  ANALYTICS_FIELDS_PATH: z
    .string()
    .optional()
    .describe('YAML file that says which fields of events name what; config/analytics_fields.yaml when unset.'),
  THREAT_DETECTION_CONFIG_PATH: z
    .string()
    .optional()
    .describe('YAML file of the heuristic threat detection; config/threat_detection.yaml when unset.'),
  MAX_PARSE_EVENTS: integer(0, 1_000_000_000)
    .default(0)
    .describe('Most matched events that analytics, timelines and processes of a job are made of; 0 for all of them.'),
  SIGMA_PLACEHOLDERS: z
    .string()
    .optional()
    .describe('YAML file with the values of %placeholders% in rules, a list by name; read with the rules.'),
  MAX_LOG_OUTPUT_BYTES: integer(0, 104_857_600)
    .default(51_200)
    .describe('Bytes of an engine’s own output that are kept with a task.'),
  RAW_OUTPUT_MAX_MB: integer(0, 256)
    .default(32)
    .describe('Megabytes of matched events that are kept of a task as they are, before compression; 0 keeps none.'),
  JOB_OUTPUT_RETENTION_DAYS: integer(0, 36_500)
    .default(90)
    .describe(
      'Days after which the daily sweep removes the raw outputs of a task; 0 keeps them for ever. Reports stay.',
    ),
  BACKGROUND_TASK_RETENTION_DAYS: integer(0, 36_500)
    .default(30)
    .describe('Days that background tasks which have ended are remembered; 0 for ever.'),
  UPLOAD_RETENTION_DAYS: integer(0, 36_500)
    .default(0)
    .describe(
      'Days after which the daily sweep deletes an uploaded file, counted from the newest analysis of it, together with its jobs; 0 for never.',
    ),
});
export type Environment = z.output<typeof Environment>;
/** The environment variables that mean something to the service. */
export type EnvironmentName = keyof typeof Environment.shape;

/** Reads the environment once; an empty variable counts as unset. Throws a sentence for each wrong one. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse({ TASKQ_QUEUE_EXPIRY: set['TASKQ_TASK_TIMEOUT'], ...set });
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`Wrong settings in the environment: ${sentences.join('; ')}`);
  }
  const contradiction = contradictions(parsed.data).find(([applies]) => applies);
  const problem = contradiction?.[1] ?? containerSettingsProblem(set);
  if (problem !== null) throw new Error(`Wrong settings in the environment: ${problem}`);
  return parsed.data;
}

/** Settings that are well by themselves and not together. */
function contradictions(environment: Environment): [boolean, string][] {
  const { DEBUG, DISABLE_CSP, I_ACCEPT_DISABLE_CSP_IN_PROD, SECRET_KEY } = environment;
  const { DATABASE_URL, SYNC_DATABASE_URL } = environment;
  const embedded = databaseUrlOf(environment) === null;
  return [
    [
      environment.WORKER_HEARTBEAT_TTL <= environment.WORKER_HEARTBEAT_INTERVAL,
      'WORKER_HEARTBEAT_TTL must exceed WORKER_HEARTBEAT_INTERVAL',
    ],
    [
      DISABLE_CSP && !DEBUG && !I_ACCEPT_DISABLE_CSP_IN_PROD,
      'DISABLE_CSP needs DEBUG=true or I_ACCEPT_DISABLE_CSP_IN_PROD=true',
    ],
    [
      (environment.S3_ACCESS_KEY === undefined) !== (environment.S3_SECRET_KEY === undefined),
      'S3_ACCESS_KEY and S3_SECRET_KEY must be set together',
    ],
    [
      !embedded && SECRET_KEY === undefined,
      'DATABASE_URL needs SECRET_KEY, the same for every process of the service; make one with openssl rand -hex 32',
    ],
    [
      environment.DATABASE_AUTH === 'iam' && [DATABASE_URL, SYNC_DATABASE_URL].some(sendsTokenInClear),
      'DATABASE_AUTH=iam needs sslmode=verify-full in DATABASE_URL: a token is as good as a password',
    ],
    [
      (environment.TASKQ_SQS_URL === undefined) !== (environment.TASKQ_LEDGER_TABLE === undefined),
      'TASKQ_SQS_URL and TASKQ_LEDGER_TABLE go together',
    ],
    [
      // The dispatcher of workers has no need of a database.
      embedded && environment.TASKQ_SQS_URL !== undefined && environment.WORKER_CLUSTER === undefined,
      'TASKQ_SQS_URL needs DATABASE_URL; the embedded database has its own queue',
    ],
    ...workerContradictions(environment),
    [exposesKeyValueStore(environment), 'KV_EXPOSE off loopback needs a KV_PASSWORD, or a password in KV_URL'],
  ];
}

/** Where the server database is; null for the embedded one. */
export function databaseUrlOf(environment: Pick<Environment, 'DATABASE_URL' | 'SYNC_DATABASE_URL'>): string | null {
  return environment.DATABASE_URL ?? environment.SYNC_DATABASE_URL ?? null;
}

/** Whether a URL without a password leads to a server that nobody has verified. */
function sendsTokenInClear(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { password, searchParams } = new URL(url);
  return password === '' && searchParams.get('sslmode') !== 'verify-full';
}

/** Where the key-value store is, credentials included; null when there is none. */
export function keyValueUrl({ KV_URL, KV_HOST, KV_PORT, KV_PASSWORD, KV_TLS }: Environment): string | null {
  if (KV_URL !== undefined) return KV_URL;
  if (KV_HOST === undefined) return null;
  const credentials = KV_PASSWORD === undefined ? '' : `:${encodeURIComponent(KV_PASSWORD)}@`;
  return `${KV_TLS ? 'rediss' : 'redis'}://${credentials}${KV_HOST.includes(':') ? `[${KV_HOST}]` : KV_HOST}:${KV_PORT}`;
}

/** Whether the key-value store is published to other hosts although it asks for no password (service 7). */
function exposesKeyValueStore({ KV_EXPOSE, KV_PASSWORD, KV_URL }: Environment): boolean {
  return (
    isOffLoopback(KV_EXPOSE) && KV_PASSWORD === undefined && (KV_URL === undefined || new URL(KV_URL).password === '')
  );
}

/** What of these settings is unsafe where others can reach the service, a sentence each (resolved-platform 15.5). */
export function safetyWarnings(environment: Environment): string[] {
  const warnings: [boolean, string][] = [
    [environment.DEBUG, 'DEBUG is on'],
    [environment.DISABLE_CSP, 'the Content-Security-Policy is off (DISABLE_CSP)'],
    [environment.COOKIE_INSECURE && !environment.DEBUG, 'session cookies also go over plain HTTP (COOKIE_INSECURE)'],
    [
      environment.TRUST_PROXY_HEADERS && environment.TRUSTED_PROXY_CIDRS.includes('*'),
      'callers can choose their address (TRUSTED_PROXY_CIDRS is *)',
    ],
    [(environment.SECRET_KEY?.length ?? 64) < 32, 'SECRET_KEY is shorter than 32 characters'],
    [placeholder.test(environment.S3_SECRET_KEY ?? ''), 'S3_SECRET_KEY is a placeholder'],
    [environment.UPLOAD_RATE_LIMIT_PER_MINUTE === 0, 'anonymous uploads are not limited'],
    [environment.LOGIN_RATE_LIMIT_PER_MINUTE === 0, 'attempts to sign in are not limited'],
  ];
  return warnings.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/** What of these settings an operator should know at start, a sentence each. `source` is the environment itself. */
export function startNotices(environment: Environment, source: Readonly<Record<string, string | undefined>>): string[] {
  const ignored = settingsWithoutEffect(source);
  const notices: [boolean, string][] = [
    [
      environment.TRUST_PROXY_HEADERS,
      `forwarded headers are believed from ${environment.TRUSTED_PROXY_CIDRS.join(', ')}`,
    ],
    [
      environment.TASKQ_WORKERS === 0 && environment.STORAGE_BACKEND === 'local',
      'analyses are left to other processes (TASKQ_WORKERS=0), which must see the folder of the uploads; STORAGE_BACKEND=s3 serves other hosts too',
    ],
    [
      takesUnknownHosts(environment),
      'requests may ask for this service by any name; ALLOWED_HOSTS says which are meant, and keeps out pages that give it one of their own',
    ],
    [environment.TASKQ_TASK_TIMEOUT !== undefined, 'TASKQ_TASK_TIMEOUT is the old name of TASKQ_QUEUE_EXPIRY'],
    [
      ignored.length > 0,
      `${ignored.join(', ')}: without effect here, docs/configuration.md says what takes their place`,
    ],
  ];
  return notices.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/** Name, default and meaning of every variable, for the configuration manual. */
export function describeEnvironment(): { name: string; fallback: string | null; description: string }[] {
  return Object.entries(Environment.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined);
    const fallback = parsed.success && parsed.data !== undefined ? String(parsed.data) : null;
    return { name, fallback, description: schema.description ?? '' };
  });
}
