import type { AccountRepository } from './account-repository.ts';
import type { ApiTokenRepository } from './api-token-repository.ts';
import type { Clock } from './clock.ts';
import type { DatabaseState } from './database-state.ts';
import type { Deployment } from './deployment.ts';
import type { EngineCatalog } from './detection-engine.ts';
import type { FileRepository } from './file-repository.ts';
import type { FindingRepository } from './finding-repository.ts';
import type { JobRepository } from './job-repository.ts';
import type { JobViews } from './job-views.ts';
import type { Log } from './log.ts';
import type { ObjectStore } from './object-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ReceiptRepository } from './receipt-repository.ts';
import type { ResultRepository } from './result-repository.ts';
import type { Sessions } from './sessions.ts';
import type { SettingsStore } from './settings-store.ts';
import type { ShippedContent } from './shipped-content.ts';
import type { TaskLedger } from './task-ledger.ts';
import type { TaskQueue } from './task-queue.ts';
import type { WorkflowRepository } from './workflow-repository.ts';

/** Everything outside that use cases reach; each names the ports it needs in its signature. */
export interface Ports {
  readonly accounts: AccountRepository;
  readonly apiTokens: ApiTokenRepository;
  readonly clock: Clock;
  readonly database: DatabaseState;
  readonly deployment: Deployment;
  readonly engines: EngineCatalog;
  readonly files: FileRepository;
  readonly findings: FindingRepository;
  readonly jobViews: JobViews;
  readonly jobs: JobRepository;
  readonly ledger: TaskLedger;
  readonly log: Log;
  readonly objects: ObjectStore;
  readonly passwords: PasswordHasher;
  readonly rateLimiter: RateLimiter;
  readonly receipts: ReceiptRepository;
  readonly results: ResultRepository;
  readonly sessions: Sessions;
  readonly settings: SettingsStore;
  readonly shipped: ShippedContent;
  readonly tasks: TaskQueue;
  readonly workflows: WorkflowRepository;
}
