import type { Deployment } from '@svc/application/ports/deployment.ts';
import { queuedSeconds } from '@svc/contracts/tasks.ts';
import {
  databaseUrlOf,
  keyValueUrl,
  safetyWarnings,
  servedHosts,
  settingsWithoutEffect,
  startNotices,
  type Environment,
} from '@svc/config';
import { sigmaHq } from '@svc/domain';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { upkeepOf } from './aws/lane-settings.ts';
import { uploadOriginOf } from './aws/s3-settings.ts';
import { affordableThreads } from './local/sigma-native.ts';
import { projectRoot } from './machine/project-root.ts';
import { environmentVariables, missingFile } from './variables.ts';

/** What of the environment the use cases ask for. */
export function deploymentOf(environment: Environment): Deployment {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = environment;
  const manifest = readFileSync(join(projectRoot(), 'package.json'), 'utf8');
  const safety = safetyWarnings(environment);
  const noThreats = missingFile(environment, 'THREAT_DETECTION_CONFIG_PATH');
  return {
    version: (JSON.parse(manifest) as { version: string }).version,
    debug: environment.DEBUG,
    taxii: environment.TAXII_ENABLED,
    embedded: databaseUrlOf(environment) === null,
    http: {
      host: environment.HOST,
      port: environment.PORT,
      servedHosts: servedHosts(environment),
      secureCookies: !(environment.DEBUG || environment.COOKIE_INSECURE),
      logRequests: environment.REQUEST_LOG_ENABLED,
      trustedProxies: environment.TRUST_PROXY_HEADERS ? environment.TRUSTED_PROXY_CIDRS : null,
      contentSecurityPolicy: !environment.DISABLE_CSP,
      uploadOrigin: uploadOriginOf(environment),
      hstsSeconds: environment.ENABLE_HSTS ? environment.HSTS_MAX_AGE : null,
      siteUrl: environment.SITE_URL ?? null,
      edgeKey: environment.EDGE_KEY ?? null,
    },
    rateLimits: {
      api: environment.API_TOKEN_RATE_LIMIT_PER_MINUTE,
      comment: environment.COMMENT_RATE_LIMIT_PER_MINUTE,
      login: environment.LOGIN_RATE_LIMIT_PER_MINUTE,
      preview: environment.PREVIEW_RATE_LIMIT_PER_MINUTE,
      resubmit: environment.RESUBMIT_RATE_LIMIT_PER_MINUTE,
      anonymousUpload: environment.UPLOAD_RATE_LIMIT_PER_MINUTE,
      accountUpload: environment.AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE,
    },
    reservedBytes: {
      address: environment.UPLOAD_RESERVED_MAX_MB * 1_048_576,
      account: environment.AUTHENTICATED_UPLOAD_RESERVED_MAX_MB * 1_048_576,
    },
    warnings: [
      ...safety.map(({ message }) => `PRODUCTION SAFETY: ${message}`),
      ...startNotices(environment, environmentVariables()),
      ...(noThreats === null ? [] : [`${noThreats}; no log is looked through for threats (Heuristics)`]),
    ],
    safety,
    stores: {
      database: hostOf(databaseUrlOf(environment)),
      keyValue: hostOf(keyValueUrl(environment)),
      objects: environment.STORAGE_BACKEND,
      objectsAt: (environment.STORAGE_BACKEND === 's3' && environment.S3_ENDPOINT) || null,
      ignored: settingsWithoutEffect(environmentVariables()),
    },
    rulePacks: { sources: environment.RULE_PACKS.map(withAddress), refreshHours: environment.RULE_PACK_REFRESH_HOURS },
    alertRulesPerAccount: environment.WATCH_RULES_MAX_PER_USER,
    maxUploadBytes: environment.MAX_UPLOAD_SIZE_MB * 1_048_576,
    maxConcurrentUploads: environment.UPLOAD_MAX_CONCURRENT,
    workers: environment.TASKQ_WORKERS,
    tasksAtOnce: environment.TOOL_MAX_WORKERS,
    fastMaxBytes: environment.FAST_LANE_MAX_MB * 1_048_576,
    heavyQueue: environment.TASKQ_SQS_HEAVY_URL !== undefined,
    ...upkeepOf(environment),
    idleExitSeconds: environment.WORKER_IDLE_EXIT_SECONDS ?? null,
    maxWorkerTasks: environment.WORKER_MAX_TASKS,
    queueExpirySeconds: environment.TASKQ_QUEUE_EXPIRY,
    heartbeatSeconds: environment.WORKER_HEARTBEAT_INTERVAL,
    worker: {
      name: environment.WORKER_NAME ?? null,
      ipAddress: environment.WORKER_IP ?? null,
      aliveSeconds: Math.max(environment.WORKER_ALIVE_TTL, environment.WORKER_HEARTBEAT_INTERVAL + 60),
      leaseSeconds: environment.WORKER_HEARTBEAT_TTL,
      engineThreads: affordableThreads(environment.ANALYSIS_MEMORY_MB, environment.ENGINE_THREADS),
    },
    metricsToken: environment.METRICS_TOKEN ?? null,
    maxLogOutputBytes: environment.MAX_LOG_OUTPUT_BYTES,
    maxRawBytes: environment.RAW_OUTPUT_MAX_MB * 1_048_576,
    ...retentionOf(environment),
    enrichment: {
      perMinute: environment.ENRICHMENT_RATE_LIMIT_PER_MINUTE,
      publicOnly: environment.ENRICHMENT_REQUIRE_PUBLIC_HOST,
    },
    webhooks: {
      perMinute: environment.WEBHOOK_RATE_LIMIT_PER_MINUTE,
      maxRetries: environment.WEBHOOK_MAX_RETRIES,
      // A queue may keep a request waiting; what has waited for longer, its function does not send.
      patienceSeconds:
        environment.WEBHOOK_TIMEOUT_SECONDS + (environment.WEBHOOK_SQS_URL === undefined ? 60 : 2 * queuedSeconds),
      publicOnly: environment.WEBHOOK_REQUIRE_PUBLIC_HOST,
    },
    ai: {
      perMinute: environment.AI_RATE_LIMIT_PER_MINUTE,
      maxPromptChars: environment.AI_MAX_PROMPT_CHARS,
      tokensPerDay: environment.AI_TOKENS_PER_DAY,
      tokensPerUserPerDay: environment.AI_TOKENS_PER_USER_PER_DAY,
    },
    firstAdmin: email !== undefined && password !== undefined ? { email, password } : null,
  };
}

function hostOf(url: string | null): string | null {
  return url === null ? null : new URL(url).hostname;
}

const retentionVariables = {
  activity: 'ACTIVITY_RETENTION_DAYS',
  backgroundTasks: 'BACKGROUND_TASK_RETENTION_DAYS',
  outputs: 'JOB_OUTPUT_RETENTION_DAYS',
  uploads: 'UPLOAD_RETENTION_DAYS',
  webhookDeliveries: 'WEBHOOK_DELIVERY_RETENTION_DAYS',
} as const satisfies Record<keyof Deployment['retentionDays'], keyof Environment>;

function retentionOf(environment: Environment): Pick<Deployment, 'retentionDays' | 'retentionGiven'> {
  const pairs = Object.entries(retentionVariables) as [keyof Deployment['retentionDays'], keyof Environment][];
  const given = environmentVariables();
  return {
    // The cast is safe: there is one entry for each.
    retentionDays: Object.fromEntries(
      pairs.map(([of, variable]) => [of, environment[variable]]),
    ) as Deployment['retentionDays'],
    retentionGiven: pairs.filter(([, variable]) => (given[variable] ?? '') !== '').map(([of]) => of),
  };
}

/** SigmaHQ's release may be named without its address. */
function withAddress([name, source]: readonly [string, string]): readonly [string, string] {
  return [name, source === sigmaHq.name ? sigmaHq.archive : source];
}
