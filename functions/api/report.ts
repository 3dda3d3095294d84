import { downloadFile } from '@svc/application/report/download-file.ts';
import { explainFinding } from '@svc/application/report/explain-finding.ts';
import { exportAnalytics } from '@svc/application/report/export-analytics.ts';
import { exportFindingMatches } from '@svc/application/report/export-finding-matches.ts';
import { exportFindings, exportedVersion } from '@svc/application/report/export-findings.ts';
import { exportFindingsCsv } from '@svc/application/report/export-findings-csv.ts';
import { exportRaw } from '@svc/application/report/export-raw.ts';
import { gatherFindingMatches, getMatchGathering } from '@svc/application/report/gather-finding-matches.ts';
import { getAgreement } from '@svc/application/report/get-agreement.ts';
import { getAlertMarkers } from '@svc/application/report/get-alert-markers.ts';
import { getAnalytics } from '@svc/application/report/get-analytics.ts';
import { getCorrelatedJobs } from '@svc/application/report/get-correlated-jobs.ts';
import { getEventsTimeline } from '@svc/application/report/get-events-timeline.ts';
import { getFindingsNaming } from '@svc/application/report/get-findings-naming.ts';
import { getFindingEvents } from '@svc/application/report/get-finding-events.ts';
import { getFindingRule } from '@svc/application/report/get-finding-rule.ts';
import { getMitreLayer } from '@svc/application/report/get-mitre-layer.ts';
import { getProcessTree } from '@svc/application/report/get-process-tree.ts';
import { getSimilarFiles } from '@svc/application/report/get-similar-files.ts';
import { getTaskLog } from '@svc/application/report/get-task-log.ts';
import { getWhatHappened } from '@svc/application/report/get-what-happened.ts';
import { groupFindingMatches } from '@svc/application/report/group-finding-matches.ts';
import { listFindingMatches } from '@svc/application/report/list-finding-matches.ts';
import { listFindings } from '@svc/application/report/list-findings.ts';
import { listRawOutputs } from '@svc/application/report/list-raw-outputs.ts';
import { listReviewers } from '@svc/application/report/list-reviewers.ts';
import { listReviews } from '@svc/application/report/list-reviews.ts';
import { recalculateAnalytics } from '@svc/application/report/recalculate-analytics.ts';
import { exportRuleDecisions, importRuleDecisions } from '@svc/application/report/rule-decisions.ts';
import {
  addSuppression,
  listSuppressions,
  previewSuppression,
  removeSuppression,
} from '@svc/application/report/suppressions.ts';
import { reviewFindings } from '@svc/application/report/review-findings.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presentDownload } from '../present-download.ts';
import { presented, withoutActor, type Presentation, type TableOf } from '../route.ts';

/** An answer that browsers keep as a file. */
const asFile =
  (name: string, extension = 'json') =>
  (_: unknown, { input: { id } }: { readonly input: { readonly id: number } }): Presentation => ({
    headers: { 'content-disposition': `attachment; filename="job_${id}_${name}.${extension}"` },
  });

const table = {
  addSuppression,
  downloadFile: presented(withoutActor(downloadFile), presentDownload),
  explainFinding,
  exportAnalytics: presented(withoutActor(exportAnalytics), asFile('analytics')),
  exportFindingMatches: presented(exportFindingMatches, presentDownload),
  exportFindings: presented(exportFindings, asFile('findings'), exportedVersion),
  exportFindingsCsv: presented(exportFindingsCsv, (bytes, request) => ({
    ...asFile('findings', 'csv')(bytes, request),
    bytes,
  })),
  exportRuleDecisions: presented(withoutActor(exportRuleDecisions), (bytes) => ({
    bytes,
    headers: { 'content-disposition': 'attachment; filename="rule-decisions.yaml"' },
  })),
  exportRaw: presented(withoutActor(exportRaw), presentDownload),
  gatherFindingMatches,
  getAgreement,
  getAnalytics,
  getCorrelatedJobs,
  getEventsTimeline,
  getAlertMarkers,
  getFindingEvents,
  getFindingsNaming,
  getFindingRule,
  getMatchGathering,
  getMitreLayer: presented(getMitreLayer, asFile('attack_layer')),
  getProcessTree,
  getSimilarFiles,
  getTaskLog: withoutActor(getTaskLog),
  getWhatHappened,
  groupFindingMatches,
  importRuleDecisions,
  listFindingMatches,
  listFindings,
  listRawOutputs: withoutActor(listRawOutputs),
  listReviewers,
  listReviews,
  listSuppressions,
  previewSuppression,
  recalculateAnalytics,
  removeSuppression,
  reviewFindings,
} satisfies TableOf<'report'>;

export const handler = areaHandler(areaPorts.report, table);
