import { jobSubject } from '@svc/application/report/shown/handover/job-subject.ts';
import type { FindingRow, JobDetail } from '@svc/contracts';
import { jobReport } from '../../../api/report-source.ts';
import type { HandedReport } from './gather-handover.ts';

/** The report of a job, to be handed over. */
export function handedJob(job: JobDetail, findings: readonly FindingRow[]): HandedReport {
  return {
    source: jobReport(job.job_id),
    findings,
    panels: job.panels,
    hasDiscussion: job.tabs.includes('discussion'),
    subject: jobSubject(job, new URL(job.job_url, location.href).href),
  };
}
