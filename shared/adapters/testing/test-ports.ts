import type { Deployment } from '@svc/application/ports/deployment.ts';
import type { PasswordHasher } from '@svc/application/ports/password-hasher.ts';
import { sendWebhook } from '@svc/application/alerts/send-webhook.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { readEnvironment } from '@svc/config';
import { siteSettingDefaults, type Actor, type SiteSettings } from '@svc/domain';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDeriveConfig } from '../local/derive-config.ts';
import { JoseSecretBox } from '../local/jose-secret-box.ts';
import { JoseSessions } from '../local/jose-sessions.ts';
import { cronSchedules } from '../local/cron-schedules.ts';
import { memoryCoordination } from '../local/coordination.ts';
import { LocalHappeningBell } from '../local/happening-bell.ts';
import { noOfflineLookups } from '../local/offline/offline-lookups.ts';
import { LocalObjectListing } from '../local/object-listing.ts';
import { PromMetrics } from '../local/prom-metrics.ts';
import { LocalObjectStore } from '../local/object-store.ts';
import { openEngines } from '../engines/open-engines.ts';
import { HostMachine } from '../machine/host-machine.ts';
import { projectRoot } from '../machine/project-root.ts';
import { ScratchFolder } from '../machine/scratch-folder.ts';
import { OwnUploadTargets } from '../local/own-upload-targets.ts';
import { standingWorkers } from '../local/standing-workers.ts';
import { ThreadDigests } from '../local/thread-digests.ts';
import { ThreadRuleCompiler } from '../local/thread-rule-compiler.ts';
import { ThreadRuleTester } from '../local/thread-rule-tester.ts';
import { ShippedFiles } from '../local/shipped-content.ts';
import { outboundPolicies } from '../outbound/policies.ts';
import { HttpModelClient } from '../ai/http-model-client.ts';
import { UndiciOutboundHttp } from '../outbound/undici-outbound-http.ts';
import { PgDatabaseUpkeep } from '../postgres/admin/database-upkeep.ts';
import { postgresPorts } from '../postgres/ports.ts';
import { enginesOf, FakeEngine } from './fake-engine.ts';
import { silentLog } from './silent-log.ts';
import { borrowDatabase, emptyTables, type TestDatabase } from './test-database.ts';

/** Reversible and quick; the real one takes 46 MiB and some 20 ms of a processor. */
const plainHasher: PasswordHasher = {
  hash: async (password) => `plain:${password}`,
  verify: async (hash, password) => hash === `plain:${password}`,
};

const deployment: Deployment = {
  version: '0.0.0-test',
  debug: false,
  taxii: false,
  embedded: true,
  http: {
    host: '127.0.0.1',
    port: 0,
    servedHosts: null,
    secureCookies: false,
    logRequests: false,
    trustedProxies: null,
    contentSecurityPolicy: true,
    uploadOrigin: null,
    siteUrl: null,
    edgeKey: null,
    hstsSeconds: null,
  },
  rateLimits: { api: 0, comment: 0, login: 0, preview: 0, resubmit: 0, anonymousUpload: 0, accountUpload: 0 },
  reservedBytes: { address: 0, account: 0 },
  warnings: [],
  safety: [],
  stores: { database: null, keyValue: null, objects: 'local', objectsAt: null, ignored: [] },
  rulePacks: { sources: [], refreshHours: 24 },
  alertRulesPerAccount: 50,
  maxUploadBytes: 10 * 1_048_576,
  maxConcurrentUploads: 4,
  workers: 1,
  fastMaxBytes: 67_108_864,
  heavyQueue: false,
  upkeepLanes: ['prompt', 'sweep', 'outbound', 'ai'],
  keepsSchedule: true,
  idleExitSeconds: null,
  maxWorkerTasks: 4,
  queueExpirySeconds: 1800,
  heartbeatSeconds: 30,
  worker: { name: null, ipAddress: null, aliveSeconds: 180, leaseSeconds: 60, engineThreads: 1 },
  metricsToken: null,
  maxLogOutputBytes: 51_200,
  maxRawBytes: 1_048_576,
  tasksAtOnce: 2,
  retentionDays: { activity: 90, backgroundTasks: 30, outputs: 90, uploads: 0, webhookDeliveries: 30 },
  retentionGiven: [],
  enrichment: { perMinute: 0, publicOnly: true },
  webhooks: { perMinute: 0, maxRetries: 3, patienceSeconds: 60, publicOnly: false },
  ai: { perMinute: 0, maxPromptChars: 60_000, tokensPerDay: 0, tokensPerUserPerDay: 0 },
  firstAdmin: null,
};

const shippedDeriveFiles = {
  analyticsFields: join(projectRoot(), 'config/analytics_fields.yaml'),
  threatDetection: join(projectRoot(), 'config/threat_detection.yaml'),
};

/** All ports on real adapters (a database of their own, a temporary folder), with what tests steer. */
export interface TestPorts {
  readonly ports: Ports;
  /** Where their object store keeps its objects. */
  readonly folder: string;
  readonly engine: FakeEngine;
  readonly settings: { -readonly [K in keyof SiteSettings]: SiteSettings[K] };
  /** Moves the clock of use cases; the queue's leases go by the database's. */
  advance(seconds: number): void;
  /** Empties the tables, seeds the shipped workflows, and undoes what was steered. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens them once per test file; `reset` before each test. */
export async function openTestPorts(
  over: {
    deployment?: Partial<Omit<Deployment, 'http'>> & { http?: Partial<Deployment['http']> };
    leaseSeconds?: number;
    /** Stays open. @default one that they have for themselves */
    database?: TestDatabase;
  } = {},
): Promise<TestPorts> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ports-'));
  const { database, giveBack } = over.database
    ? { database: over.database, giveBack: async () => undefined }
    : await borrowDatabase();
  const settings: TestPorts['settings'] = { ...siteSettingDefaults };
  const engine = new FakeEngine();
  const happeningBell = new LocalHappeningBell();
  const objects = new LocalObjectStore(join(folder, 'objects'));
  const outbound = new UndiciOutboundHttp(outboundPolicies(readEnvironment({})));
  const leaseSeconds = over.leaseSeconds ?? 60;
  let ahead = 0;
  const ports: Ports = {
    ...postgresPorts(database, { leaseSeconds, objects, committed: () => happeningBell.ring() }),
    ...memoryCoordination(over.deployment?.maxConcurrentUploads ?? deployment.maxConcurrentUploads),
    clock: { now: () => new Date(Date.now() + ahead * 1000) },
    database,
    databaseUpkeep: new PgDatabaseUpkeep(database.orm),
    deployment: { ...deployment, ...over.deployment, http: { ...deployment.http, ...over.deployment?.http } },
    digests: new ThreadDigests(),
    engines: enginesOf((name) => (name === engine.name ? engine : null)),
    engineRunner: openEngines(readEnvironment({}), process.env, {
      dataDir: folder,
      base: join(projectRoot(), 'config'),
      scratch: new ScratchFolder(join(folder, 'engine-runs')),
    }).runner,
    deliveries: {
      accept: () => Promise.reject(new Error('tasks of tables do not come by themselves')),
      begin: () => Promise.reject(new Error('tasks of tables are queued first')),
    },
    happeningBell,
    launcher: standingWorkers,
    log: silentLog,
    machine: new HostMachine({ Uploads: join(folder, 'objects'), Data: folder }),
    objectListing: new LocalObjectListing(join(folder, 'objects')),
    metrics: new PromMetrics(),
    models: new HttpModelClient(outbound),
    aiRunner: { handOver: async () => false },
    objectArchive: objects,
    objects,
    oneTimeTasks: {
      list: async () => [],
      begin: () => Promise.reject(new Error('there is nothing to run one-time tasks on')),
    },
    offlineLookups: noOfflineLookups,
    outbound,
    passwords: plainHasher,
    reportConfig: { current: () => readDeriveConfig(shippedDeriveFiles) },
    ruleCompiler: new ThreadRuleCompiler({}),
    ruleTester: new ThreadRuleTester({}),
    schedules: cronSchedules,
    secretBox: new JoseSecretBox('a key that only tests have', [], silentLog),
    sessions: new JoseSessions('a key that only tests have'),
    settings: { current: async () => ({ ...settings }), change: async (changes) => Object.assign(settings, changes) },
    shipped: new ShippedFiles(join(projectRoot(), 'config')),
    uploadTargets: new OwnUploadTargets('a key that only tests have'),
    webhookAnswers: { tell: () => Promise.reject(new Error('nobody sends for others')) },
    webhookSender: { send: ({ request }) => sendWebhook({ outbound }, request) },
  };
  return {
    ports,
    folder,
    engine,
    settings,
    advance: (seconds) => void (ahead += seconds),
    reset: async () => {
      await emptyTables(database);
      await ports.workflows.seed((await ports.shipped.workflows()).workflows);
      Object.assign(settings, siteSettingDefaults);
      Object.assign(engine, { behave: new FakeEngine().behave });
      engine.inputs.length = 0;
      ahead = 0;
    },
    close: async () => {
      await giveBack();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An administrator, with an account. */
export async function addAdmin({ accounts }: Pick<Ports, 'accounts'>): Promise<Extract<Actor, { kind: 'account' }>> {
  const account = { email: 'boss@example.org', passwordHash: 'x', role: 'admin', displayName: null } as const;
  const { id } = await accounts.create(account);
  return { kind: 'account', userId: id, email: account.email, role: 'admin', ip: '192.0.2.2' };
}
