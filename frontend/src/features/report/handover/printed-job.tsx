import type { FindingRow, JobDetail } from '@svc/contracts';
import { useMemo } from 'react';
import { handedJob } from './handed-job.ts';
import { PrintedReport } from './printed-report.tsx';

/** The report of a job on paper. */
export function PrintedJob({ job, findings }: { job: JobDetail; findings: readonly FindingRow[] }) {
  return <PrintedReport report={useMemo(() => handedJob(job, findings), [job, findings])} />;
}
