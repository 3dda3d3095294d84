import type { ObjectStore } from '@svc/application/ports/object-store.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { AppError } from '@svc/domain';
import { PgDatabaseArchive } from './admin/database-archive.ts';
import { PgActivityLog } from './admin/activity-log.ts';
import { PgEngineRuns } from './admin/engine-runs.ts';
import { PgEngineSettings } from './admin/engine-settings.ts';
import { PgServiceFigures } from './admin/service-figures.ts';
import { PgAccountRepository } from './auth/account-repository.ts';
import { PgAiProviderStore } from './ai/ai-provider-store.ts';
import { PgAiRunRepository } from './ai/ai-run-repository.ts';
import { PgAlertRuleRepository } from './alerts/alert-rule-repository.ts';
import { PgEntityAlerts, PgJobAlerts } from './alerts/alert-repository.ts';
import { PgApiTokenRepository } from './auth/api-token-repository.ts';
import { PgBackgroundTaskRepository } from './work/background-task-repository.ts';
import { PgBatchRepository } from './jobs/batch-repository.ts';
import { PgCaseNotifications } from './discussions/case-notifications.ts';
import { PgCaseContents } from './cases/case-contents.ts';
import { PgCaseLists } from './cases/case-lists.ts';
import { PgCaseOverviews } from './cases/case-overviews.ts';
import { PgCaseFindingLists } from './cases/case-finding-lists.ts';
import { PgCaseStory } from './cases/case-story.ts';
import { PgCaseRepository } from './cases/case-repository.ts';
import { PgCaseTimelines } from './cases/case-timelines.ts';
import { PgCommentRepository } from './discussions/comment-repository.ts';
import type { Database } from './database.ts';
import { PgDerivationRepository } from './report/derivation-repository.ts';
import { PgDroppedObjects } from './work/dropped-objects.ts';
import { PgCaseIndicators } from './feeds/case-indicators.ts';
import { PgEntityBlame } from './feeds/entity-blame.ts';
import { PgFeedPages } from './feeds/feed-pages.ts';
import { PgMispFeed } from './feeds/misp-feed.ts';
import { PgToldEntities } from './feeds/told-entities.ts';
import { PgEnrichmentResults } from './intel/enrichment-results.ts';
import { PgEnrichmentRuns } from './intel/enrichment-runs.ts';
import { PgEnrichmentServices } from './intel/enrichment-services.ts';
import { PgEntityAliases } from './intel/entity-aliases.ts';
import { PgEntityGraphs } from './intel/entity-graphs.ts';
import { PgEntityLinks } from './intel/entity-links.ts';
import { PgEntityLists } from './intel/entity-lists.ts';
import { unwrapping } from './errors.ts';
import { PgEntityRepository } from './intel/entity-repository.ts';
import { PgIntelRepository } from './intel/intel-repository.ts';
import { PgFileRepository } from './submissions/file-repository.ts';
import { PgFindingRepository } from './report/finding-repository.ts';
import { PgHappeningRepository } from './happenings/happening-repository.ts';
import { PgJobLists } from './jobs/job-lists.ts';
import { PgJobRepository } from './jobs/job-repository.ts';
import { PgJobViews } from './jobs/job-views.ts';
import { PgKnownNetworks } from './auth/known-networks.ts';
import { PgSeenBefore } from './intel/seen-before.ts';
import { PgRelationshipEvidence } from './intel/relationship-evidence.ts';
import { PgRawOutputRepository } from './report/raw-output-repository.ts';
import { PgReceiptRepository } from './submissions/receipt-repository.ts';
import { PgResultRepository } from './report/result-repository.ts';
import { PgReviewRepository } from './report/review-repository.ts';
import { PgSuppressedFindings } from './report/suppressed-findings.ts';
import { PgSuppressionRepository } from './report/suppression-repository.ts';
import { PgRuleArtifacts } from './rules/rule-artifacts.ts';
import { PgRuleListRepository } from './alerts/rule-list-repository.ts';
import { PgRulePackRepository } from './rules/rule-pack-repository.ts';
import { PgRuleTrials } from './alerts/rule-trials.ts';
import { PgSavedSearchRepository } from './jobs/saved-search-repository.ts';
import { PgShippedRuleStore } from './alerts/shipped-rule-store.ts';
import { PgSessionStore } from './auth/session-store.ts';
import { PgSettingsStore } from './admin/settings-store.ts';
import { PgSiteOverview } from './admin/site-overview.ts';
import { PgStorageRecords } from './admin/storage-records.ts';
import { PgTagRepository } from './tags/tag-repository.ts';
import { PgPeriodicRuns } from './work/periodic-runs.ts';
import { PgQueuedTasks } from './work/queued-tasks.ts';
import { PgQueueDepths } from './work/queue-depths.ts';
import { PgWorkerRegistry } from './work/worker-registry.ts';
import { PgTaskQueue, type TaskBell } from './work/task-queue.ts';
import { pgTransaction } from './transaction.ts';
import { PgUploadRepository } from './submissions/upload-repository.ts';
import { PgWatchEventRepository } from './discussions/watch-event-repository.ts';
import { PgWatchRepository } from './discussions/watch-repository.ts';
import { PgWebhookAttempts } from './alerts/webhook-attempts.ts';
import { PgWebhookDeliveryLists } from './alerts/webhook-delivery-lists.ts';
import { PgWebhookDeliveryRepository } from './alerts/webhook-delivery-repository.ts';
import { PgWorkflowStore } from './admin/workflow-store.ts';
import { PgWorkflowRepository } from './submissions/workflow-repository.ts';

/** What a database serves with nothing but itself, by port: all that a new repository has to be added to. */
const repositories = {
  accounts: PgAccountRepository,
  activityLog: PgActivityLog,
  aiProviders: PgAiProviderStore,
  aiRuns: PgAiRunRepository,
  alertRules: PgAlertRuleRepository,
  apiTokens: PgApiTokenRepository,
  backgroundTasks: PgBackgroundTaskRepository,
  batches: PgBatchRepository,
  caseContents: PgCaseContents,
  caseNotifications: PgCaseNotifications,
  caseLists: PgCaseLists,
  caseOverviews: PgCaseOverviews,
  caseFindings: PgCaseFindingLists,
  caseStory: PgCaseStory,
  cases: PgCaseRepository,
  caseTimelines: PgCaseTimelines,
  comments: PgCommentRepository,
  databaseArchive: PgDatabaseArchive,
  derivations: PgDerivationRepository,
  droppedObjects: PgDroppedObjects,
  engineRuns: PgEngineRuns,
  engineSettings: PgEngineSettings,
  enrichmentResults: PgEnrichmentResults,
  enrichmentRuns: PgEnrichmentRuns,
  enrichmentServices: PgEnrichmentServices,
  entities: PgEntityRepository,
  entityAlerts: PgEntityAlerts,
  jobAlerts: PgJobAlerts,
  figures: PgServiceFigures,
  files: PgFileRepository,
  happenings: PgHappeningRepository,
  intel: PgIntelRepository,
  jobs: PgJobRepository,
  caseIndicators: PgCaseIndicators,
  entityBlame: PgEntityBlame,
  entityAliases: PgEntityAliases,
  entityGraphs: PgEntityGraphs,
  entityLinks: PgEntityLinks,
  entityLists: PgEntityLists,
  relationshipEvidence: PgRelationshipEvidence,
  seenBefore: PgSeenBefore,
  jobLists: PgJobLists,
  jobViews: PgJobViews,
  knownNetworks: PgKnownNetworks,
  periodicRuns: PgPeriodicRuns,
  queuedTasks: PgQueuedTasks,
  rawOutputs: PgRawOutputRepository,
  receipts: PgReceiptRepository,
  results: PgResultRepository,
  reviews: PgReviewRepository,
  ruleArtifacts: PgRuleArtifacts,
  ruleLists: PgRuleListRepository,
  rulePacks: PgRulePackRepository,
  ruleTrials: PgRuleTrials,
  savedSearches: PgSavedSearchRepository,
  sessionStore: PgSessionStore,
  settings: PgSettingsStore,
  shippedRules: PgShippedRuleStore,
  siteOverview: PgSiteOverview,
  storageRecords: PgStorageRecords,
  suppressedFindings: PgSuppressedFindings,
  suppressions: PgSuppressionRepository,
  tags: PgTagRepository,
  toldEntities: PgToldEntities,
  mispFeed: PgMispFeed,
  feedPages: PgFeedPages,
  uploads: PgUploadRepository,
  watches: PgWatchRepository,
  watchEvents: PgWatchEventRepository,
  webhookAttempts: PgWebhookAttempts,
  webhookDeliveries: PgWebhookDeliveryRepository,
  webhookDeliveryLists: PgWebhookDeliveryLists,
  workers: PgWorkerRegistry,
  workflows: PgWorkflowRepository,
  workflowStore: PgWorkflowStore,
} as const satisfies { readonly [P in keyof Ports]?: new (db: Database) => Ports[P] };

type RepositoryName = keyof typeof repositories | 'findings';
export type PostgresPorts = Pick<Ports, RepositoryName | 'ledger' | 'queueDepths' | 'tasks' | 'transaction'>;

/** What repositories need of a database. */
export interface PostgresDatabase {
  readonly orm: Database;
  /** Null where one process is all that uses it. */
  readonly bell: TaskBell | null;
}

export interface PostgresOptions {
  readonly leaseSeconds: number;
  /** Where sample events are. @default a store that has none */
  readonly objects?: Pick<ObjectStore, 'open'>;
  /** Is told that happenings were committed which wait to be delivered. @default nobody is */
  readonly committed?: () => Promise<void>;
}

const noObjects: Pick<ObjectStore, 'open'> = {
  open: () => Promise.reject(new AppError('upload_missing', 'There is no object store')),
};

/** Every port that a PostgreSQL database serves. */
export function postgresPorts(
  { orm: db, bell }: PostgresDatabase,
  { leaseSeconds, objects = noObjects, committed = async () => undefined }: PostgresOptions,
): PostgresPorts {
  const queue = unwrapping(new PgTaskQueue(db, leaseSeconds, bell));
  const built = Object.entries(repositories).map(([name, Repository]) => [name, unwrapping(new Repository(db))]);
  // The cast is safe: there is one entry per name, of the class that the table holds against its port.
  const repositoryPorts = Object.fromEntries(built) as Pick<Ports, keyof typeof repositories>;
  const findings = unwrapping(new PgFindingRepository(db, objects));
  return {
    ...repositoryPorts,
    findings,
    ledger: queue,
    queueDepths: unwrapping(new PgQueueDepths(db)),
    tasks: queue,
    transaction: pgTransaction(db, { objects, committed }),
  };
}

/** For each repository its port of what `open` gives, once that is asked for. */
export function repositoriesOf(open: () => PostgresPorts): { readonly [P in RepositoryName]: () => Ports[P] } {
  const names = [...Object.keys(repositories), 'findings'] as RepositoryName[];
  // The cast is safe for the same reason.
  return Object.fromEntries(names.map((name) => [name, () => open()[name]])) as ReturnType<typeof repositoriesOf>;
}
