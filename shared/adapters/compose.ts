import { sendWebhook } from '@svc/application/alerts/send-webhook.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { databaseUrlOf, serviceRoleOf, keyValueUrl, WrongSettings } from '@svc/config';
import { join, resolve } from 'node:path';
import { lazyModelClient } from './ai/lazy-model-client.ts';
import { iamDatabasePasswords } from './aws/iam-database-passwords.ts';
import { lazyFargateEngines } from './aws/lazy-fargate-engines.ts';
import { lazyQueuedTasks } from './aws/lazy-queued-tasks.ts';
import { lazyTaskQueue } from './aws/lazy-task-queue.ts';
import { lazyWebhookQueue } from './aws/lazy-webhook-queue.ts';
import { lazyUploadTargets } from './aws/lazy-upload-targets.ts';
import { awsQueueOf, launcherSettingsOf } from './aws/lane-settings.ts';
import { lazyWorkerLauncher } from './aws/lazy-worker-launcher.ts';
import { s3SettingsOf, uploadOriginOf } from './aws/s3-settings.ts';
import { deploymentOf } from './deployment-of.ts';
import { openEngines } from './engines/open-engines.ts';
import { lazy } from './lazy.ts';
import { Argon2Hasher } from './local/argon2-hasher.ts';
import { JoseSessions } from './local/jose-sessions.ts';
import { cronSchedules } from './local/cron-schedules.ts';
import { memoryCoordination } from './local/coordination.ts';
import { LocalHappeningBell } from './local/happening-bell.ts';
import { FileLookups, noOfflineLookups } from './local/offline/offline-lookups.ts';
import { LocalObjectListing } from './local/object-listing.ts';
import { noMetrics } from './local/no-metrics.ts';
import { LocalObjectStore } from './local/object-store.ts';
import { OwnUploadTargets } from './local/own-upload-targets.ts';
import { pinoLog } from './local/pino-log.ts';
import { HostMachine } from './machine/host-machine.ts';
import { projectRoot } from './machine/project-root.ts';
import { ScratchFolder } from './machine/scratch-folder.ts';
import { secretBoxOf, secretKeyOf } from './local/secrets.ts';
import { ShippedFiles } from './local/shipped-content.ts';
import { type DeriveFiles, readDeriveConfig } from './local/derive-config.ts';
import { SigmaNativeEngine } from './local/sigma-native.ts';
import { standingWorkers } from './local/standing-workers.ts';
import { systemClock } from './local/system-clock.ts';
import { ThreadDigests } from './local/thread-digests.ts';
import { ThreadRuleCompiler } from './local/thread-rule-compiler.ts';
import { ThreadRuleTester } from './local/thread-rule-tester.ts';
import { lazyOutboundHttp } from './outbound/lazy-outbound-http.ts';
import { outboundPolicies } from './outbound/policies.ts';
import { PgDatabaseUpkeep } from './postgres/admin/database-upkeep.ts';
import { databaseFolders } from './postgres/database-folders.ts';
import { LocalDatabase } from './postgres/local-database.ts';
import { postgresPorts, type PostgresPorts, repositoriesOf } from './postgres/ports.ts';
import { ServerDatabase } from './postgres/server-database.ts';
import { environmentHere, environmentVariables } from './variables.ts';
import { RedisConnection } from './redis/connection.ts';
import { redisCoordination } from './redis/coordination.ts';

type Store = Ports['objects'] & Ports['objectArchive'];
type Coordination = ReturnType<typeof memoryCoordination>;

/** The adapters that the environment chooses, port by port; what it leaves open is within this process. */
class Adapters {
  readonly #environment = environmentHere();
  readonly #dataDir = resolve(this.#environment.DATA_DIR);
  readonly #config = join(projectRoot(), 'config');
  readonly #built = new Map<keyof Ports, unknown>();
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #happeningBell = new LocalHappeningBell();
  #database: LocalDatabase | ServerDatabase | null = null;
  #repositories: PostgresPorts | null = null;
  #tasks: ReturnType<typeof lazyTaskQueue>['port'] | null = null;
  #logger: Ports['log'] | null = null;
  #coordinated: Coordination | null = null;
  #opened: ReturnType<typeof openEngines> | null = null;

  readonly #providers = {
    ...repositoriesOf(() => this.#postgres()),
    aiRunner: () => this.#aiRunner(),
    clock: () => systemClock,
    database: () => this.#db(),
    databaseUpkeep: () => new PgDatabaseUpkeep(this.#db().orm, this.#databaseFolders()),
    deliveries: () => this.#awsQueue(),
    deployment: () => deploymentOf(this.#environment),
    digests: () => new ThreadDigests(),
    engines: () => this.#engines(),
    engineRunner: () => this.#engineRunner(),
    happeningBell: () => this.#happeningBell,
    keyValue: () => this.#coordination().keyValue,
    launcher: () => this.#launcher(),
    ledger: () => this.#queue().ledger,
    log: () => this.#log(),
    machine: () => this.#machine(),
    models: () => lazyModelClient(this.port('outbound') as Ports['outbound']),
    objectListing: () => this.#objectListing(),
    metrics: () => this.#metrics(),
    objectArchive: () => this.port('objects') as Store,
    objects: () => this.#objects(),
    oneTimeTasks: () => this.#oneTimeTasks(),
    offlineLookups: () => this.#offlineLookups(),
    outbound: () => lazyOutboundHttp(outboundPolicies(this.#environment)),
    passwords: () => new Argon2Hasher(),
    queuedTasks: () => this.#queuedTasks(),
    queueDepths: () => this.#queue().queueDepths,
    rateLimiter: () => this.#coordination().rateLimiter,
    reportConfig: () => ({ current: () => readDeriveConfig(this.#deriveFiles()) }),
    ruleCompiler: () => new ThreadRuleCompiler({ placeholdersFile: this.#environment.SIGMA_PLACEHOLDERS }),
    ruleTester: () => new ThreadRuleTester({ placeholdersFile: this.#environment.SIGMA_PLACEHOLDERS }),
    schedules: () => cronSchedules,
    secretBox: () => secretBoxOf(this.#environment, this.#dataDir, this.#log()),
    sessions: () => new JoseSessions(this.#secretKey()),
    shipped: () => new ShippedFiles(this.#config),
    tasks: () => this.#queue().tasks,
    transaction: () => this.#postgres().transaction,
    uploadAdmission: () => this.#coordination().uploadAdmission,
    uploadTargets: () => this.#uploadTargets(),
    webhookAnswers: () => this.#webhookQueue(this.#environment.WEBHOOK_ANSWERS_SQS_URL),
    webhookSender: () => this.#webhookSender(),
  } satisfies { [P in keyof Ports]: () => Ports[P] };

  port(name: keyof Ports): unknown {
    if (!this.#built.has(name)) this.#built.set(name, this.#providers[name]());
    return this.#built.get(name);
  }

  /** In the opposite order of building: what uses the database ends before it. */
  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  #db(): LocalDatabase | ServerDatabase {
    if (!this.#database) {
      const database = this.#openDatabase();
      this.#closers.push(() => database.close());
      this.#database = database;
    }
    return this.#database;
  }

  #openDatabase(): LocalDatabase | ServerDatabase {
    const { SYNC_DATABASE_URL, AUTO_MIGRATE, DATABASE_AUTH, SERVE_LATER_SCHEMA } = this.#environment;
    const { DB_POOL_SIZE, DB_MAX_OVERFLOW, DB_POOL_RECYCLE } = this.#environment;
    const url = databaseUrlOf(this.#environment);
    if (url === null) return new LocalDatabase(this.#dataDir, this.#log());
    const pool = { url, size: DB_POOL_SIZE, overflow: DB_MAX_OVERFLOW, recycleSeconds: DB_POOL_RECYCLE };
    const passwords = DATABASE_AUTH === 'iam' ? iamDatabasePasswords : undefined;
    const serviceRole = serviceRoleOf(this.#environment);
    const directUrl = SYNC_DATABASE_URL ?? url;
    const schema = { autoMigrate: AUTO_MIGRATE, servesLater: SERVE_LATER_SCHEMA };
    return new ServerDatabase({ ...pool, ...schema, passwords, directUrl, serviceRole }, this.#log());
  }

  #postgres(): PostgresPorts {
    this.#repositories ??= postgresPorts(this.#db(), {
      leaseSeconds: this.#environment.WORKER_HEARTBEAT_TTL,
      objects: { open: (key) => (this.port('objects') as Ports['objects']).open(key) },
      committed: () => this.#happeningBell.ring(),
    });
    return this.#repositories;
  }

  /** In SQS where one is named, else in tables of the database. */
  #queue(): Pick<Ports, 'tasks' | 'ledger' | 'queueDepths'> {
    if (this.#environment.TASKQ_SQS_URL === undefined) return this.#postgres();
    const queue = this.#awsQueue();
    return { tasks: queue, ledger: queue, queueDepths: queue };
  }

  #queuedTasks(): Ports['queuedTasks'] {
    if (this.#environment.TASKQ_SQS_URL === undefined) return this.#postgres().queuedTasks;
    const { port, close } = lazyQueuedTasks(awsQueueOf(this.#environment).table);
    this.#closers.push(close);
    return port;
  }

  /** By a function of its own where one is named. */
  #aiRunner(): Ports['aiRunner'] {
    const { AI_FUNCTION: name } = this.#environment;
    if (name === undefined) return { handOver: async () => false };
    return lazy<Ports['aiRunner']>(async () => {
      const runner = (await import('./aws/lambda-ai-runner.ts')).lambdaAiRunner(name);
      this.#closers.push(async () => runner.close());
      return runner;
    }).port;
  }

  #webhookSender(): Ports['webhookSender'] {
    const { WEBHOOK_SQS_URL: url } = this.#environment;
    if (url === undefined) {
      const outbound = this.port('outbound') as Ports['outbound'];
      return { send: ({ request }) => sendWebhook({ outbound }, request) };
    }
    return this.#webhookQueue(url);
  }

  #webhookQueue(url: string | undefined): Ports['webhookAnswers'] & Ports['webhookSender'] {
    if (url === undefined) throw new Error('this function sends to webhooks for others: set WEBHOOK_ANSWERS_SQS_URL');
    const { port, close } = lazyWebhookQueue(url);
    this.#closers.push(close);
    return port;
  }

  #awsQueue(): ReturnType<typeof lazyTaskQueue>['port'] {
    if (!this.#tasks) {
      const { port, close } = lazyTaskQueue(awsQueueOf(this.#environment));
      this.#closers.push(close);
      this.#tasks = port;
    }
    return this.#tasks;
  }

  /** By ECS where a cluster or its dispatcher is named; else workers run all the time. */
  #launcher(): Ports['launcher'] {
    const settings = launcherSettingsOf(this.#environment);
    if (settings === null) return standingWorkers;
    const launcher = lazyWorkerLauncher(settings, this.#log());
    this.#closers.push(() => launcher.close());
    return launcher;
  }

  /** By ECS, in the cluster that is named. */
  #oneTimeTasks(): Ports['oneTimeTasks'] {
    const { fargate = null } = launcherSettingsOf(this.#environment) ?? {};
    return lazy<Ports['oneTimeTasks']>(async () => {
      if (fargate === null) throw new Error('one-time tasks run where WORKER_CLUSTER and WORKER_TASK_DEFINITION say');
      return (await import('./aws/fargate-tasks.ts')).openFargateTasks(fargate);
    }).port;
  }

  #secretKey(): string {
    return secretKeyOf(this.#environment, this.#dataDir);
  }

  #log(): Ports['log'] {
    this.#logger ??= pinoLog(this.#environment);
    return this.#logger;
  }

  /** Where nobody may ask for them, nothing is counted. */
  #metrics(): Ports['metrics'] {
    if (this.#environment.METRICS_TOKEN === undefined) return noMetrics;
    return lazy<Ports['metrics']>(async () => new (await import('./local/prom-metrics.ts')).PromMetrics()).port;
  }

  /** By Redis where there is one, else in the memory of this process. */
  #coordination(): Coordination {
    this.#coordinated ??= this.#coordinate();
    return this.#coordinated;
  }

  #coordinate(): Coordination {
    const places = this.#environment.UPLOAD_MAX_CONCURRENT;
    const url = keyValueUrl(this.#environment);
    if (url === null) return memoryCoordination(places);
    const redis = new RedisConnection(url, this.#log());
    this.#closers.push(() => redis.close());
    return redisCoordination(redis, places);
  }

  #databaseFolders(): readonly string[] {
    return databaseUrlOf(this.#environment) === null ? databaseFolders(this.#dataDir) : [];
  }

  #objects(): Store {
    const { STORAGE_BACKEND, MAX_UPLOAD_SIZE_MB } = this.#environment;
    if (STORAGE_BACKEND === 'local') return new LocalObjectStore(this.#objectFolder());
    const scratch = new ScratchFolder(join(this.#dataDir, 'scratch'));
    this.#closers.push(() => scratch.close());
    const largestBytes = MAX_UPLOAD_SIZE_MB * 1_048_576;
    const options = { settings: s3SettingsOf(this.#environment), scratch, largestBytes };
    return lazy<Store>(async () => (await import('./aws/s3-object-store.ts')).openObjectStore(options)).port;
  }

  /** With the folders in which something of the service lasts. */
  #machine(): Ports['machine'] {
    const uploads = this.#environment.STORAGE_BACKEND === 'local' ? { Uploads: this.#objectFolder() } : {};
    const data = databaseUrlOf(this.#environment) === null ? { Data: this.#dataDir } : {};
    return new HostMachine({ ...uploads, ...data });
  }

  #objectListing(): Ports['objectListing'] {
    if (this.#environment.STORAGE_BACKEND === 'local') return new LocalObjectListing(this.#objectFolder());
    const settings = s3SettingsOf(this.#environment);
    return lazy<Ports['objectListing']>(async () =>
      (await import('./aws/s3-object-listing.ts')).openObjectListing(settings),
    ).port;
  }

  #offlineLookups(): Ports['offlineLookups'] {
    const { GEOIP_DATABASES: networks, KNOWN_HASHES_PATH: knownHashes = null } = this.#environment;
    if (networks.length === 0 && knownHashes === null) return noOfflineLookups;
    const folder = join(this.#dataDir, 'known-hashes');
    const lookups = new FileLookups({ networks, knownHashes, folder }, this.#log());
    this.#closers.push(() => lookups.close());
    return lookups;
  }

  #objectFolder(): string {
    return resolve(this.#environment.UPLOAD_DIR ?? join(this.#dataDir, 'objects'));
  }

  #uploadTargets(): Ports['uploadTargets'] {
    const own = new OwnUploadTargets(this.#secretKey());
    if (uploadOriginOf(this.#environment) === null) return own;
    return lazyUploadTargets({ settings: s3SettingsOf(this.#environment), own, log: this.#log() });
  }

  #engines(): Ports['engines'] {
    const native = new SigmaNativeEngine({
      deriveFrom: this.#deriveFiles(),
      memoryMb: this.#environment.ANALYSIS_MEMORY_MB,
      limits: {
        unpacked: {
          ratio: this.#environment.UNPACK_MAX_RATIO,
          unpackedBytes: this.#environment.UNPACK_MAX_MB * 1_048_576,
        },
        seconds: this.#environment.ANALYSIS_CPU_SECONDS,
        secondsPerMb: this.#environment.ANALYSIS_CPU_SECONDS_PER_MB,
      },
      threads: this.#environment.ENGINE_THREADS,
    });
    this.#closers.push(() => native.close());
    return this.#othersEngines().catalog(native, {
      runner: this.port('engineRunner') as Ports['engineRunner'],
      settings: this.port('engineSettings') as Ports['engineSettings'],
      compiler: this.port('ruleCompiler') as Ports['ruleCompiler'],
    });
  }

  /** On this machine, but for engines that the deployment has in images of their own. */
  #engineRunner(): Ports['engineRunner'] {
    const engines = lazyFargateEngines(this.#othersEngines().runner, this.#environment, this.#log());
    this.#closers.push(() => engines.close());
    return engines.runner;
  }

  #othersEngines(): ReturnType<typeof openEngines> {
    if (this.#opened === null) {
      const scratch = new ScratchFolder(join(this.#dataDir, 'engine-runs'));
      this.#closers.push(() => scratch.close());
      const places = { dataDir: this.#dataDir, base: this.#config, scratch };
      this.#opened = openEngines(this.#environment, environmentVariables(), places);
    }
    return this.#opened;
  }

  #deriveFiles(): DeriveFiles {
    const {
      ANALYTICS_FIELDS_PATH: analyticsFields = join(this.#config, 'analytics_fields.yaml'),
      THREAT_DETECTION_CONFIG_PATH: threatDetection = join(this.#config, 'threat_detection.yaml'),
      MAX_PARSE_EVENTS: maxEvents,
    } = this.#environment;
    return { analyticsFields, threatDetection, maxEvents: maxEvents || undefined };
  }
}

/** Why the environment stops the start, a sentence each; none where it does not. */
export function wrongSettings(): readonly string[] {
  try {
    environmentHere();
    return [];
  } catch (error) {
    if (error instanceof WrongSettings) return error.sentences;
    throw error;
  }
}

let adapters: Adapters | null = null;
let given: Partial<Ports> = {};

/** Builds the named ports and no others, each once per process, from the environment. */
export function compose<P extends keyof Ports>(...names: P[]): Pick<Ports, P> {
  const port = (name: P): unknown => {
    if (given[name] !== undefined) return given[name];
    adapters ??= new Adapters();
    return adapters.port(name);
  };
  // The cast is safe: there is one entry per name.
  return Object.fromEntries(names.map((name) => [name, port(name)])) as Pick<Ports, P>;
}

/** Makes `compose` hand out these ports instead of its own: for tests, before handlers are imported. */
export function usePorts(ports: Partial<Ports>): void {
  given = ports;
}

/** Stops threads, closes the database and forgets all ports; `compose` builds anew afterwards. */
export async function closePorts(): Promise<void> {
  const closing = adapters;
  adapters = null;
  given = {};
  await closing?.close();
}
