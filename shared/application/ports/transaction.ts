import type { AccountRepository } from '../auth/account-repository.ts';
import type { AiProviderStore } from '../ai/ai-provider-store.ts';
import type { AiRunRepository } from '../ai/ai-run-repository.ts';
import type { AlertRuleRepository } from '../alerts/alert-rule-repository.ts';
import type { CaseNotifications } from '../discussions/case-notifications.ts';
import type { CaseLinks } from '../cases/case-links.ts';
import type { CaseRepository } from '../cases/case-repository.ts';
import type { CommentRepository } from '../discussions/comment-repository.ts';
import type { DroppedObjects } from '../work/dropped-objects.ts';
import type { EnrichmentServices } from '../intel/enrichment/enrichment-services.ts';
import type { EntityAliases } from '../intel/entity-aliases.ts';
import type { EntityRepository } from '../intel/entity-repository.ts';
import type { IntelRepository } from '../intel/intel-repository.ts';
import type { FileRepository } from '../submissions/file-repository.ts';
import type { FindingRepository } from '../report/finding-repository.ts';
import type { HappeningRepository } from '../happenings/happening-repository.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { RawOutputRepository } from '../report/raw-output-repository.ts';
import type { ReceiptRepository } from '../submissions/receipt-repository.ts';
import type { ResultRepository } from '../report/result-repository.ts';
import type { ReviewRepository } from '../report/review-repository.ts';
import type { SuppressedFindings, SuppressionRepository } from '../report/suppression-repository.ts';
import type { RuleListRepository } from '../alerts/rule-list-repository.ts';
import type { SavedSearchRepository } from '../jobs/saved-search-repository.ts';
import type { RuleMatches } from '../alerts/rule-matches.ts';
import type { RulePasses } from '../alerts/rule-passes.ts';
import type { SettingsStore } from '../admin/settings-store.ts';
import type { TagRepository } from '../tags/tag-repository.ts';
import type { UploadRepository } from '../submissions/upload-repository.ts';
import type { WatchEventRepository } from '../discussions/watch-event-repository.ts';
import type { WorkflowStore } from '../admin/workflows/workflow-store.ts';
import type { WebhookDeliveryRepository } from '../alerts/webhook-delivery-repository.ts';

/** Repositories as one transaction has them. */
export interface TransactionPorts {
  readonly accounts: AccountRepository;
  readonly aiProviders: AiProviderStore;
  readonly aiRuns: AiRunRepository;
  readonly alertRules: AlertRuleRepository;
  readonly caseLinks: CaseLinks;
  readonly caseNotifications: CaseNotifications;
  readonly cases: CaseRepository;
  readonly comments: CommentRepository;
  readonly droppedObjects: DroppedObjects;
  readonly enrichmentServices: EnrichmentServices;
  readonly entities: EntityRepository;
  readonly entityAliases: EntityAliases;
  readonly files: FileRepository;
  readonly findings: FindingRepository;
  readonly happenings: HappeningRepository;
  readonly intel: IntelRepository;
  readonly jobs: JobRepository;
  readonly rawOutputs: RawOutputRepository;
  readonly receipts: ReceiptRepository;
  readonly results: ResultRepository;
  readonly reviews: ReviewRepository;
  readonly ruleLists: RuleListRepository;
  readonly ruleMatches: RuleMatches;
  readonly rulePasses: RulePasses;
  readonly savedSearches: SavedSearchRepository;
  readonly settings: SettingsStore;
  readonly suppressedFindings: SuppressedFindings;
  readonly suppressions: SuppressionRepository;
  readonly tags: TagRepository;
  readonly uploads: UploadRepository;
  readonly watchEvents: WatchEventRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
  readonly workflowStore: WorkflowStore;
}

/**
 * Does all of `work` or, when it throws, nothing; what happened in it is then on its way to its consumers. `work` uses
 * the repositories that it is given and no others, changes nothing else, and may be run again where the database undid
 * it for the sake of another transaction. Within it, of the same things: the job first, then what hangs on it.
 */
export type Transaction = <T>(work: (tx: TransactionPorts) => Promise<T>) => Promise<T>;
