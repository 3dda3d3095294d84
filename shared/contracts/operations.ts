import { adminOperations } from './admin/operations.ts';
import { aiFactOperations } from './ai/facts.ts';
import { aiProviderOperations } from './ai/providers.ts';
import { aiRunOperations } from './ai/runs.ts';
import { alertOperations } from './alerts/alerts.ts';
import { alertRuleOperations } from './alerts/alert-rules.ts';
import { backtestOperations } from './alerts/backtests.ts';
import { ruleListOperations } from './alerts/rule-lists.ts';
import { webhookDeliveryOperations } from './alerts/webhook-deliveries.ts';
import { authOperations } from './auth/operations.ts';
import { backgroundTaskOperations } from './admin/background-tasks.ts';
import { storageOperations } from './admin/storage.ts';
import { batchOperations } from './jobs/batches.ts';
import { caseOperations } from './cases/operations.ts';
import { discussionOperations } from './discussions/operations.ts';
import { enrichmentOperations } from './intel/enrichment.ts';
import { enrichmentServiceOperations } from './admin/enrichment.ts';
import { entityGraphOperations } from './intel/entity-graph.ts';
import { entityLinkOperations } from './intel/entity-links.ts';
import { entityOverviewOperations } from './intel/entity-overview.ts';
import { seenBeforeOperations } from './intel/seen-before.ts';
import { relationshipEvidenceOperations } from './intel/relationship-evidence.ts';
import { entityListOperations } from './intel/entity-list.ts';
import { feedOperations } from './feeds/operations.ts';
import { taxiiOperations } from './feeds/taxii.ts';
import { agreementOperations } from './report/agreement.ts';
import { findingOperations } from './report/findings.ts';
import { reviewOperations } from './report/reviews.ts';
import { suppressionOperations } from './report/suppressions.ts';
import { jobLifeOperations } from './jobs/job-life.ts';
import { jobOperations } from './jobs/operations.ts';
import { intelOperations } from './intel/operations.ts';
import { matchOperations } from './report/matches.ts';
import { rawOutputOperations } from './report/raw-outputs.ts';
import { relatedJobOperations } from './report/related-jobs.ts';
import { reportOperations } from './report/operations.ts';
import { whyOperations } from './report/why.ts';
import { ruleOperations } from './rules/operations.ts';
import { savedSearchOperations } from './jobs/saved-searches.ts';
import { engineOperations } from './admin/engines.ts';
import { activityOperations } from './admin/activity.ts';
import { readinessOperations } from './admin/readiness.ts';
import { siteSettingOperations } from './admin/site-settings.ts';
import { submissionOperations } from './submissions/operations.ts';
import { systemOperations } from './system/operations.ts';
import { tagOperations } from './tags/operations.ts';
import { triageOperations } from './rules/triage.ts';
import { workerOperations } from './admin/workers.ts';
import { uploadOperations } from './submissions/uploads.ts';
import { workflowOperations } from './admin/workflows.ts';

/** Every operation of the service. An operation has one name in every layer: this key. */
export const operations = {
  ...submissionOperations,
  ...uploadOperations,
  ...jobOperations,
  ...agreementOperations,
  ...engineOperations,
  ...findingOperations,
  ...reviewOperations,
  ...suppressionOperations,
  ...reportOperations,
  ...whyOperations,
  ...matchOperations,
  ...rawOutputOperations,
  ...relatedJobOperations,
  ...jobLifeOperations,
  ...batchOperations,
  ...savedSearchOperations,
  ...caseOperations,
  ...intelOperations,
  ...tagOperations,
  ...entityListOperations,
  ...entityLinkOperations,
  ...relationshipEvidenceOperations,
  ...entityOverviewOperations,
  ...seenBeforeOperations,
  ...entityGraphOperations,
  ...enrichmentOperations,
  ...enrichmentServiceOperations,
  ...alertRuleOperations,
  ...backtestOperations,
  ...ruleListOperations,
  ...alertOperations,
  ...webhookDeliveryOperations,
  ...aiFactOperations,
  ...aiProviderOperations,
  ...aiRunOperations,
  ...feedOperations,
  ...taxiiOperations,
  ...discussionOperations,
  ...ruleOperations,
  ...triageOperations,
  ...authOperations,
  ...adminOperations,
  ...backgroundTaskOperations,
  ...storageOperations,
  ...siteSettingOperations,
  ...workflowOperations,
  ...activityOperations,
  ...readinessOperations,
  ...workerOperations,
  ...systemOperations,
} as const;

export type OperationName = keyof typeof operations;
