import type { Lane } from './task-queue.ts';

/** What the operator decided in the environment, as far as use cases depend on it. */
export interface Deployment {
  readonly version: string;
  /** For development only (service 5.6). */
  readonly debug: boolean;
  /** Whether there is a TAXII server. */
  readonly taxii: boolean;
  /** The database is this machine’s own, and so is all work; one process serves. */
  readonly embedded: boolean;
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** By which requests may ask for the service beside names of loopback and addresses; null for any name. */
    readonly servedHosts: readonly string[] | null;
    /** Session cookies are sent over TLS only. */
    readonly secureCookies: boolean;
    readonly logRequests: boolean;
    /** Networks whose `X-Forwarded-For` is believed, `*` for all; null when nobody's is. */
    readonly trustedProxies: readonly string[] | null;
    readonly contentSecurityPolicy: boolean;
    /** Of the object store, where browsers send files to it by themselves; else null. */
    readonly uploadOrigin: string | null;
    /** Seconds for which browsers are told to come by TLS only; null to tell them nothing. */
    readonly hstsSeconds: number | null;
    /** Where browsers reach the service, as `https://host`; null to believe the requests. */
    readonly siteUrl: string | null;
    /** What shows that a request came through the edge; null where there is none. */
    readonly edgeKey: string | null;
  };
  /** Requests per minute, 0 for no limit (service 8.1). */
  readonly rateLimits: {
    readonly api: number;
    readonly comment: number;
    readonly login: number;
    readonly preview: number;
    readonly resubmit: number;
    readonly anonymousUpload: number;
    readonly accountUpload: number;
  };
  /** Bytes reserved for uploads and not yet submitted, of a visitor's address and of an account; 0 for no limit. */
  readonly reservedBytes: { readonly address: number; readonly account: number };
  /** What the operator should know of the settings at start, a line each (resolved-platform 15.5). */
  readonly warnings: readonly string[];
  /** Those of them that are about safety. */
  readonly safety: readonly { readonly message: string; readonly fix: string }[];
  /** Where what processes share is. */
  readonly stores: {
    /** Host of the database; null where it is this machine’s own. */
    readonly database: string | null;
    /** Host of the key-value store; null where each process has its own memory for it. */
    readonly keyValue: string | null;
    readonly objects: 'local' | 's3';
    /** Address of an object store that is not AWS’s; else null. */
    readonly objectsAt: string | null;
    /** Settings of containers that are set in vain. */
    readonly ignored: readonly string[];
  };
  /** Packs to import at start, and hours between two looks for newer ones; 0 for none. */
  readonly rulePacks: {
    readonly sources: readonly (readonly [name: string, source: string])[];
    readonly refreshHours: number;
  };
  /** Alert rules that an account can have, of both scopes together. */
  readonly alertRulesPerAccount: number;
  /** Of one file. */
  readonly maxUploadBytes: number;
  readonly maxConcurrentUploads: number;
  /** Jobs that this process analyses at the same time. */
  readonly workers: number;
  /** Tasks of one job that run at the same time, where the site wants them to. */
  readonly tasksAtOnce: number;
  /** Files up to this size are for the fast lane. */
  readonly fastMaxBytes: number;
  /** Whether the heavy lane has a queue and workers of its own. */
  readonly heavyQueue: boolean;
  /** Lanes beside those of analyses that this process has places of its own for. */
  readonly upkeepLanes: readonly Lane[];
  /** Whether this process queues the periodic tasks at their times. */
  readonly keepsSchedule: boolean;
  /** Seconds of having nothing to do after which a worker process ends; null for never. */
  readonly idleExitSeconds: number | null;
  /** Worker processes that the dispatcher lets run at the same time. */
  readonly maxWorkerTasks: number;
  /** Seconds a job may wait for a worker. */
  readonly queueExpirySeconds: number;
  /** Seconds between two signs of life of a worker. */
  readonly heartbeatSeconds: number;
  /** How a process that analyses jobs tells of itself. */
  readonly worker: {
    /** What the operator calls it; null for its host and number. */
    readonly name: string | null;
    /** Shown beside its host; null for what the machine says. */
    readonly ipAddress: string | null;
    /** Seconds of silence after which it counts as gone. */
    readonly aliveSeconds: number;
    /** Seconds of silence after which its jobs are taken over. */
    readonly leaseSeconds: number;
    /** Threads that read one large log. */
    readonly engineThreads: number;
  };
  /** What shows that a request for metrics may be answered; null where there are none. */
  readonly metricsToken: string | null;
  /** Of the text kept of one task. */
  readonly maxLogOutputBytes: number;
  /** Of the matched events kept of one task as they are. */
  readonly maxRawBytes: number;
  /** Days after which what engines put out, uploads, and what has ended of other work are removed (service 8.3); 0 for never. */
  readonly retentionDays: {
    readonly activity: number;
    readonly backgroundTasks: number;
    readonly outputs: number;
    readonly uploads: number;
    readonly webhookDeliveries: number;
  };
  /** Those of them that were set, rather than left at their default. */
  readonly retentionGiven: readonly (keyof Deployment['retentionDays'])[];
  readonly enrichment: {
    /** Requests to one service; 0 for no limit. */
    readonly perMinute: number;
    /** Whether services must be hosts of the Internet. */
    readonly publicOnly: boolean;
  };
  readonly webhooks: {
    /** Attempts of one rule; 0 for no limit. */
    readonly perMinute: number;
    /** Attempts after the first. */
    readonly maxRetries: number;
    /** Seconds after which nobody will say any more how an attempt went. */
    readonly patienceSeconds: number;
    /** Whether receivers must be hosts of the Internet. */
    readonly publicOnly: boolean;
  };
  /** What runs of AI providers may cost. */
  readonly ai: {
    /** Runs a minute that an account starts; 0 for no limit. */
    readonly perMinute: number;
    /** Characters of a brief where its provider says nothing else. */
    readonly maxPromptChars: number;
    /** Tokens in 24 hours, of all and of one account; 0 for no limit. */
    readonly tokensPerDay: number;
    readonly tokensPerUserPerDay: number;
  };
  /** First administrator (resolved-platform 14.3); null unless both variables are set. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | null;
}
