import { downloadFile } from '@svc/application/report/download-file.ts';
import { exportAnalytics } from '@svc/application/report/export-analytics.ts';
import { exportFindings, exportedVersion } from '@svc/application/report/export-findings.ts';
import { exportRaw } from '@svc/application/report/export-raw.ts';
import { getAnalytics } from '@svc/application/report/get-analytics.ts';
import { getCorrelatedJobs } from '@svc/application/report/get-correlated-jobs.ts';
import { getEventsTimeline } from '@svc/application/report/get-events-timeline.ts';
import { getFindingEvents } from '@svc/application/report/get-finding-events.ts';
import { getFindingRule } from '@svc/application/report/get-finding-rule.ts';
import { getMitreLayer } from '@svc/application/report/get-mitre-layer.ts';
import { getProcessTree } from '@svc/application/report/get-process-tree.ts';
import { getSimilarFiles } from '@svc/application/report/get-similar-files.ts';
import { getTaskLog } from '@svc/application/report/get-task-log.ts';
import { listFindings } from '@svc/application/report/list-findings.ts';
import { listRawOutputs } from '@svc/application/report/list-raw-outputs.ts';
import { recalculateAnalytics } from '@svc/application/report/recalculate-analytics.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presentDownload } from '../present-download.ts';
import { presented, withoutActor, type Presentation, type TableOf } from '../route.ts';

/** An answer that browsers keep as a file. */
const asFile =
  (name: string) =>
  (_: unknown, { input: { id } }: { readonly input: { readonly id: number } }): Presentation => ({
    headers: { 'content-disposition': `attachment; filename="job_${id}_${name}.json"` },
  });

const table = {
  downloadFile: presented(withoutActor(downloadFile), presentDownload),
  exportAnalytics: presented(withoutActor(exportAnalytics), asFile('analytics')),
  exportFindings: presented(exportFindings, asFile('findings'), exportedVersion),
  exportRaw: presented(withoutActor(exportRaw), presentDownload),
  getAnalytics,
  getCorrelatedJobs,
  getEventsTimeline,
  getFindingEvents,
  getFindingRule,
  getMitreLayer: presented(getMitreLayer, asFile('attack_layer')),
  getProcessTree,
  getSimilarFiles,
  getTaskLog: withoutActor(getTaskLog),
  listFindings,
  listRawOutputs: withoutActor(listRawOutputs),
  recalculateAnalytics,
} satisfies TableOf<'report'>;

export const handler = areaHandler(areaPorts.report, table);
