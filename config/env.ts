import { z } from 'zod';
import { analysisVariables } from './environment/analysis.ts';
import { engineVariables } from './environment/engines.ts';
import { containerSettingsProblem, settingsWithoutEffect } from './environment/containers.ts';
import { databaseContradictions, databaseVariables } from './environment/database.ts';
import { engineTaskContradictions, engineTaskVariables } from './environment/engine-tasks.ts';
import { takesUnknownHosts } from './environment/hosts.ts';
import { keyValueContradictions, keyValueVariables } from './environment/key-value.ts';
import { limitVariables } from './environment/limits.ts';
import { logVariables } from './environment/logs.ts';
import { offlineVariables } from './environment/offline.ts';
import { outboundVariables } from './environment/outbound.ts';
import { queueContradictions, queueVariables } from './environment/queue.ts';
import { retentionVariables } from './environment/retention.ts';
import { ruleVariables } from './environment/rules.ts';
import { secretContradictions, secretVariables } from './environment/secrets.ts';
import { settingSentence } from './environment/sentence.ts';
import { storageContradictions, storageVariables } from './environment/storage.ts';
import { integer, placeholder, type Contradiction } from './environment/values.ts';
import { webContradictions, webVariables } from './environment/web.ts';
import { workerContradictions, workerVariables } from './environment/workers.ts';

/** Environment variables that the service reads now; the descriptions are the operator's manual, in its order. */
export const Environment = z.object({
  PORT: integer(0, 65_535).default(8000).describe('Port to serve on; 0 takes any free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to serve on; 0.0.0.0 for all of the machine’s.'),
  DATA_DIR: z.string().default('./data').describe('Folder of the database, the uploads and the generated secret key.'),
  ...databaseVariables,
  ...storageVariables,
  ...keyValueVariables,
  ...secretVariables,
  ...logVariables,
  ...limitVariables,
  ...webVariables,
  ...offlineVariables,
  ...outboundVariables,
  ...ruleVariables,
  ...queueVariables,
  ...workerVariables,
  ...engineTaskVariables,
  ...analysisVariables,
  ...engineVariables,
  ...retentionVariables,
});
export type Environment = z.output<typeof Environment>;
/** The environment variables that mean something to the service. */
export type EnvironmentName = keyof typeof Environment.shape;

/** Reads the environment once; an empty variable counts as unset. Throws a sentence for each wrong one. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(
    { TASKQ_QUEUE_EXPIRY: set['TASKQ_TASK_TIMEOUT'], ...set },
    { error: settingSentence },
  );
  if (!parsed.success) {
    // Of a list, several entries may be wrong in the same way; the variable is what is set.
    throw new WrongSettings([
      ...new Set(parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`)),
    ]);
  }
  const refusals = contradictions(parsed.data).flatMap(([applies, sentence]) => (applies ? [sentence] : []));
  const ofContainers = containerSettingsProblem(set);
  if (ofContainers !== null) refusals.push(ofContainers);
  if (refusals.length > 0) throw new WrongSettings(refusals);
  return parsed.data;
}

/** What of the environment stops the start, a sentence each. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings';
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(`Wrong settings in the environment: ${sentences.join('; ')}`);
    this.sentences = sentences;
  }
}

/** Settings that are well by themselves and not together. */
function contradictions(environment: Environment): Contradiction[] {
  return [
    ...webContradictions(environment),
    ...storageContradictions(environment),
    ...secretContradictions(environment),
    ...databaseContradictions(environment),
    ...queueContradictions(environment),
    ...workerContradictions(environment),
    ...engineTaskContradictions(environment),
    ...keyValueContradictions(environment),
  ];
}

/** Something unsafe, and what to do about it. */
export interface SafetyWarning {
  readonly message: string;
  readonly fix: string;
}

/** What of these settings is unsafe where others can reach the service (resolved-platform 15.5). */
export function safetyWarnings(environment: Environment): SafetyWarning[] {
  const warnings: [boolean, string, string][] = [
    [environment.DEBUG, 'DEBUG is on', 'Unset DEBUG'],
    [environment.DISABLE_CSP, 'the Content-Security-Policy is off (DISABLE_CSP)', 'Unset DISABLE_CSP'],
    [
      environment.COOKIE_INSECURE && !environment.DEBUG,
      'session cookies also go over plain HTTP (COOKIE_INSECURE)',
      'Put a proxy with TLS in front, and unset COOKIE_INSECURE',
    ],
    [
      environment.TRUST_PROXY_HEADERS && environment.TRUSTED_PROXY_CIDRS.includes('*'),
      'callers can choose their address (TRUSTED_PROXY_CIDRS is *)',
      'Name the networks of your proxies in TRUSTED_PROXY_CIDRS',
    ],
    [
      (environment.SECRET_KEY?.length ?? 64) < 32,
      'SECRET_KEY is shorter than 32 characters',
      'Set one of openssl rand -hex 32, and the old one as ENRICHMENT_ENCRYPTION_KEY_PREVIOUS; everybody signs in again',
    ],
    [
      placeholder.test(environment.S3_SECRET_KEY ?? ''),
      'S3_SECRET_KEY is a placeholder',
      'Give the object store a key of its own, and set it here',
    ],
    [
      environment.UPLOAD_RATE_LIMIT_PER_MINUTE === 0,
      'anonymous uploads are not limited',
      'Unset UPLOAD_RATE_LIMIT_PER_MINUTE, or set a number above 0',
    ],
    [
      environment.LOGIN_RATE_LIMIT_PER_MINUTE === 0,
      'attempts to sign in are not limited',
      'Unset LOGIN_RATE_LIMIT_PER_MINUTE, or set a number above 0',
    ],
  ];
  return warnings.filter(([applies]) => applies).map(([, message, fix]) => ({ message, fix }));
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
    const value = parsed.success ? parsed.data : undefined;
    const fallback = value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return { name, fallback, description: schema.description ?? '' };
  });
}
