import type { Ports } from '@svc/application/ports/ports.ts';
import { PgAccountRepository } from './account-repository.ts';
import { PgApiTokenRepository } from './api-token-repository.ts';
import { PgBackgroundTaskRepository } from './background-task-repository.ts';
import { PgCaseRepository } from './case-repository.ts';
import { PgCommentRepository } from './comment-repository.ts';
import type { Database } from './database.ts';
import { PgDerivationRepository } from './derivation-repository.ts';
import { PgDroppedObjects } from './dropped-objects.ts';
import { unwrapping } from './errors.ts';
import { PgFileRepository } from './file-repository.ts';
import { PgFindingRepository } from './finding-repository.ts';
import { PgHappeningRepository } from './happening-repository.ts';
import { PgJobLists } from './job-lists.ts';
import { PgJobRepository } from './job-repository.ts';
import { PgJobViews } from './job-views.ts';
import { PgKnownNetworks } from './known-networks.ts';
import { PgRawOutputRepository } from './raw-output-repository.ts';
import { PgReceiptRepository } from './receipt-repository.ts';
import { PgResultRepository } from './result-repository.ts';
import { PgRuleArtifacts } from './rule-artifacts.ts';
import { PgRulePackRepository } from './rule-pack-repository.ts';
import { PgSessionStore } from './session-store.ts';
import { PgSettingsStore } from './settings-store.ts';
import { PgTagRepository } from './tag-repository.ts';
import { PgTaskQueue, type TaskBell } from './task-queue.ts';
import { pgTransaction } from './transaction.ts';
import { PgUploadRepository } from './upload-repository.ts';
import { PgWatchEventRepository } from './watch-event-repository.ts';
import { PgWatchRepository } from './watch-repository.ts';
import { PgWorkflowRepository } from './workflow-repository.ts';

export type PostgresPorts = Pick<
  Ports,
  | 'accounts'
  | 'apiTokens'
  | 'backgroundTasks'
  | 'cases'
  | 'comments'
  | 'derivations'
  | 'droppedObjects'
  | 'files'
  | 'findings'
  | 'happenings'
  | 'jobs'
  | 'jobLists'
  | 'jobViews'
  | 'knownNetworks'
  | 'ledger'
  | 'rawOutputs'
  | 'receipts'
  | 'results'
  | 'ruleArtifacts'
  | 'rulePacks'
  | 'sessionStore'
  | 'settings'
  | 'tags'
  | 'tasks'
  | 'transaction'
  | 'uploads'
  | 'watches'
  | 'watchEvents'
  | 'workflows'
>;

/** What repositories need of a database. */
export interface PostgresDatabase {
  readonly orm: Database;
  /** Null where one process is all that uses it. */
  readonly bell: TaskBell | null;
}

export interface PostgresOptions {
  readonly leaseSeconds: number;
  /** Is told that happenings were committed which wait to be delivered. @default nobody is */
  readonly committed?: () => Promise<void>;
}

/** Every port that a PostgreSQL database serves. */
export function postgresPorts(
  { orm: db, bell }: PostgresDatabase,
  { leaseSeconds, committed = async () => undefined }: PostgresOptions,
): PostgresPorts {
  const queue = unwrapping(new PgTaskQueue(db, leaseSeconds, bell));
  return {
    accounts: unwrapping(new PgAccountRepository(db)),
    apiTokens: unwrapping(new PgApiTokenRepository(db)),
    backgroundTasks: unwrapping(new PgBackgroundTaskRepository(db)),
    cases: unwrapping(new PgCaseRepository(db)),
    comments: unwrapping(new PgCommentRepository(db)),
    derivations: unwrapping(new PgDerivationRepository(db)),
    droppedObjects: unwrapping(new PgDroppedObjects(db)),
    files: unwrapping(new PgFileRepository(db)),
    findings: unwrapping(new PgFindingRepository(db)),
    happenings: unwrapping(new PgHappeningRepository(db)),
    jobs: unwrapping(new PgJobRepository(db)),
    jobLists: unwrapping(new PgJobLists(db)),
    jobViews: unwrapping(new PgJobViews(db)),
    knownNetworks: unwrapping(new PgKnownNetworks(db)),
    ledger: queue,
    rawOutputs: unwrapping(new PgRawOutputRepository(db)),
    receipts: unwrapping(new PgReceiptRepository(db)),
    results: unwrapping(new PgResultRepository(db)),
    ruleArtifacts: unwrapping(new PgRuleArtifacts(db)),
    rulePacks: unwrapping(new PgRulePackRepository(db)),
    sessionStore: unwrapping(new PgSessionStore(db)),
    settings: unwrapping(new PgSettingsStore(db)),
    tags: unwrapping(new PgTagRepository(db)),
    tasks: queue,
    transaction: pgTransaction(db, committed),
    uploads: unwrapping(new PgUploadRepository(db)),
    watches: unwrapping(new PgWatchRepository(db)),
    watchEvents: unwrapping(new PgWatchEventRepository(db)),
    workflows: unwrapping(new PgWorkflowRepository(db)),
  };
}
