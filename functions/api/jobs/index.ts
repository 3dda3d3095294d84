import { httpHandler } from '../../http-handler.ts';
import { cancelJobRoute } from './cancel-job.ts';
import { deleteJobRoute } from './delete-job.ts';
import { deleteJobsRoute } from './delete-jobs.ts';
import { downloadFileRoute } from './download-file.ts';
import { exportAnalyticsRoute } from './export-analytics.ts';
import { exportFindingsRoute } from './export-findings.ts';
import { exportRawRoute } from './export-raw.ts';
import { getAnalyticsRoute } from './get-analytics.ts';
import { getCorrelatedJobsRoute } from './get-correlated-jobs.ts';
import { getEventsTimelineRoute } from './get-events-timeline.ts';
import { getFindingEventsRoute } from './get-finding-events.ts';
import { getFindingRuleRoute } from './get-finding-rule.ts';
import { getJobProgressRoute } from './get-job-progress.ts';
import { getJobRoute } from './get-job.ts';
import { getMitreLayerRoute } from './get-mitre-layer.ts';
import { getProcessTreeRoute } from './get-process-tree.ts';
import { getSimilarFilesRoute } from './get-similar-files.ts';
import { getTaskLogRoute } from './get-task-log.ts';
import { listFindingsRoute } from './list-findings.ts';
import { listJobsRoute } from './list-jobs.ts';
import { listRawOutputsRoute } from './list-raw-outputs.ts';
import { suggestJobSearchRoute } from './suggest-job-search.ts';
import { recalculateAnalyticsRoute } from './recalculate-analytics.ts';
import { recoverStuckJobsRoute } from './recover-stuck-jobs.ts';

export const handler = httpHandler([
  cancelJobRoute,
  deleteJobRoute,
  deleteJobsRoute,
  downloadFileRoute,
  exportAnalyticsRoute,
  exportFindingsRoute,
  exportRawRoute,
  getAnalyticsRoute,
  getCorrelatedJobsRoute,
  getEventsTimelineRoute,
  getFindingEventsRoute,
  getFindingRuleRoute,
  getJobProgressRoute,
  getJobRoute,
  getMitreLayerRoute,
  getProcessTreeRoute,
  getSimilarFilesRoute,
  getTaskLogRoute,
  listFindingsRoute,
  listJobsRoute,
  listRawOutputsRoute,
  suggestJobSearchRoute,
  recalculateAnalyticsRoute,
  recoverStuckJobsRoute,
]);
