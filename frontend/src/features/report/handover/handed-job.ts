import { jobSubject } from '@svc/application/report/shown/handover/job-subject.ts';
import type { FindingRow, JobDetail } from '@svc/contracts';
import { isCounting } from '@svc/domain';
import { jobReport } from '../../../api/report-source.ts';
import type { HandedReport } from './gather-handover.ts';

/** The report of a job, to be handed over. */
export function handedJob(job: JobDetail, findings: readonly FindingRow[]): HandedReport {
  return {
    source: jobReport(job.job_id),
    // What is suppressed is nothing to hand over.
    findings: findings.filter(isCounting),
    panels: job.panels,
    hasDiscussion: job.tabs.includes('discussion'),
    subject: jobSubject(job, new URL(job.job_url, location.href).href),
  };
}
