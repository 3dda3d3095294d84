import type { ObjectStore } from '@svc/application/ports/object-store.ts';
import type { Transaction, TransactionPorts } from '@svc/application/ports/transaction.ts';
import { AppError } from '@svc/domain';
import { DatabaseError } from 'pg';
import { PgAccountRepository } from './auth/account-repository.ts';
import { PgAiProviderStore } from './ai/ai-provider-store.ts';
import { PgAiRunRepository } from './ai/ai-run-repository.ts';
import { PgAlertRuleRepository } from './alerts/alert-rule-repository.ts';
import { PgCaseNotifications } from './discussions/case-notifications.ts';
import { PgCaseLinks } from './cases/case-links.ts';
import { PgCaseRepository } from './cases/case-repository.ts';
import { PgCommentRepository } from './discussions/comment-repository.ts';
import type { Database } from './database.ts';
import { PgDroppedObjects } from './work/dropped-objects.ts';
import { reasonOf, unwrapping } from './errors.ts';
import { PgEnrichmentServices } from './intel/enrichment-services.ts';
import { PgEntityAliases } from './intel/entity-aliases.ts';
import { PgEntityRepository } from './intel/entity-repository.ts';
import { PgIntelRepository } from './intel/intel-repository.ts';
import { PgFileRepository } from './submissions/file-repository.ts';
import { PgFindingRepository } from './report/finding-repository.ts';
import { PgHappeningRepository } from './happenings/happening-repository.ts';
import { PgJobRepository } from './jobs/job-repository.ts';
import { PgRawOutputRepository } from './report/raw-output-repository.ts';
import { PgReceiptRepository } from './submissions/receipt-repository.ts';
import { PgResultRepository } from './report/result-repository.ts';
import { PgReviewRepository } from './report/review-repository.ts';
import { PgSuppressedFindings } from './report/suppressed-findings.ts';
import { PgSuppressionRepository } from './report/suppression-repository.ts';
import { PgRuleListRepository } from './alerts/rule-list-repository.ts';
import { PgRuleMatches } from './alerts/rule-matches.ts';
import { PgRulePasses } from './alerts/rule-passes.ts';
import { PgSettingsStore } from './admin/settings-store.ts';
import { PgSavedSearchRepository } from './jobs/saved-search-repository.ts';
import { PgTagRepository } from './tags/tag-repository.ts';
import { PgUploadRepository } from './submissions/upload-repository.ts';
import { PgWatchEventRepository } from './discussions/watch-event-repository.ts';
import { PgWorkflowStore } from './admin/workflow-store.ts';
import { PgWebhookDeliveryRepository } from './alerts/webhook-delivery-repository.ts';

/** How often one is begun that the database undoes for the sake of another. */
const mostAttempts = 4;

interface TransactionOptions {
  /** Where sample events are. */
  readonly objects: Pick<ObjectStore, 'open'>;
  /** Is told, after the commit, that there are happenings to deliver, or something to tell webhooks. */
  readonly committed: () => Promise<void>;
}

export function pgTransaction(db: Database, { objects, committed }: TransactionOptions): Transaction {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      let isToDeliver = false;
      try {
        const result = await db.transaction((tx) => work(repositoriesOn(tx, objects, () => void (isToDeliver = true))));
        if (isToDeliver) await committed();
        return result;
      } catch (error) {
        const reason = reasonOf(error);
        if (attempt === mostAttempts || !isUndoneForAnother(reason)) throw reason;
      }
    }
  };
}

/** Made when they are first asked for: most transactions want a few. */
function repositoriesOn(
  tx: Database,
  objects: TransactionOptions['objects'],
  deliveryAdded: () => void,
): TransactionPorts {
  const makers: { readonly [P in keyof TransactionPorts]: () => TransactionPorts[P] } = {
    accounts: () => new PgAccountRepository(tx),
    aiProviders: () => new PgAiProviderStore(tx),
    aiRuns: () => new PgAiRunRepository(tx),
    alertRules: () => new PgAlertRuleRepository(tx),
    caseNotifications: () => new PgCaseNotifications(tx),
    caseLinks: () => new PgCaseLinks(tx),
    cases: () => new PgCaseRepository(tx),
    comments: () => new PgCommentRepository(tx),
    droppedObjects: () => new PgDroppedObjects(tx),
    enrichmentServices: () => new PgEnrichmentServices(tx),
    entities: () => new PgEntityRepository(tx),
    entityAliases: () => new PgEntityAliases(tx),
    files: () => new PgFileRepository(tx),
    findings: () => new PgFindingRepository(tx, objects),
    happenings: () => new PgHappeningRepository(tx, deliveryAdded),
    intel: () => new PgIntelRepository(tx),
    jobs: () => new PgJobRepository(tx),
    rawOutputs: () => new PgRawOutputRepository(tx),
    receipts: () => new PgReceiptRepository(tx),
    results: () => new PgResultRepository(tx),
    reviews: () => new PgReviewRepository(tx),
    ruleLists: () => new PgRuleListRepository(tx),
    ruleMatches: () => new PgRuleMatches(tx),
    rulePasses: () => new PgRulePasses(tx),
    settings: () => new PgSettingsStore(tx),
    suppressedFindings: () => new PgSuppressedFindings(tx),
    suppressions: () => new PgSuppressionRepository(tx),
    savedSearches: () => new PgSavedSearchRepository(tx),
    tags: () => new PgTagRepository(tx),
    uploads: () => new PgUploadRepository(tx),
    watchEvents: () => new PgWatchEventRepository(tx),
    webhookDeliveries: () => new PgWebhookDeliveryRepository(tx, deliveryAdded),
    workflowStore: () => new PgWorkflowStore(tx),
  };
  const made = new Map<string, object>();
  return new Proxy({} as TransactionPorts, {
    get: (_, name: keyof TransactionPorts) => {
      const repository = made.get(name) ?? unwrapping(makers[name]());
      made.set(name, repository);
      return repository;
    },
  });
}

/** A deadlock, or a serialization failure. */
function isUndoneForAnother(error: unknown): boolean {
  const cause = error instanceof AppError && error.code === 'unavailable' ? error.cause : null;
  return cause instanceof DatabaseError && (cause.code === '40P01' || cause.code === '40001');
}
