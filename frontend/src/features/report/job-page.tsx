import { RequestError, type JobDetail } from '@svc/contracts';
import { isPostStep, isTerminal } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ComponentType } from 'react';
import { findingsQuery, jobQuery } from '../../api/queries.ts';
import { jobReport, ReportProvider } from '../../api/report-source.ts';
import { paths } from '../../paths.ts';
import { NotFound } from '../../ui/not-found.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { FileFacts } from './file-facts.tsx';
import { JobHead } from './job-head.tsx';
import { JobNotices } from './job-notices.tsx';
import styles from './report-page.module.css';
import { JobProgressCard } from './job-progress-card.tsx';
import { JobSkeleton } from './job-skeleton.tsx';
import { PrintedJob } from './handover/printed-job.tsx';
import { ReportTabs } from './report-tabs.tsx';
import { LogContents } from './log-contents.tsx';
import { NothingFound } from './verdict.tsx';
import { worstOf } from '../../ui/severity.tsx';

const route = getRouteApi(paths.job);

/** What people do with a job beside reading its report; each shows itself. */
export interface JobParts {
  readonly WatchButton: ComponentType<{ job: JobDetail }>;
  readonly Discussion: ComponentType<{ job: JobDetail }>;
  readonly Ai: ComponentType<{ job: JobDetail }>;
}

/** A job's report: is it bad, what, when; then the findings with their events and rules. */
export function JobPage({ parts }: { parts: JobParts }) {
  const { jobId } = route.useParams();
  // Nothing that was half done or folded on the page of one job is on that of another.
  return <Job key={jobId} jobId={jobId} parts={parts} />;
}

function Job({ jobId, parts: { WatchButton, Discussion, Ai } }: { jobId: number; parts: JobParts }) {
  const { data: job, error, refetch } = useQuery(jobQuery(jobId));
  const report = useMemo(() => jobReport(jobId), [jobId]);
  const done = job !== undefined && isTerminal(job.status);
  const findings = useQuery({ ...findingsQuery(jobId), enabled: done });
  if (error instanceof RequestError && error.status === 404) return <NotFound />;
  if (job === undefined) {
    if (error) return <ErrorState whole what="This job cannot be shown" error={error} retry={() => void refetch()} />;
    return <JobSkeleton />;
  }
  const isRead = job.status === 'completed' || job.status === 'partial';
  const isClean = isRead && findings.data?.length === 0;
  return (
    <div className={styles.page}>
      <title>{`${job.filename} · svc`}</title>
      <JobHead job={job} WatchButton={WatchButton} />
      <JobNotices job={job} />
      {done ? (
        worstOf(job.severity_summary) === null && <NothingFound job={job} />
      ) : (
        <div className={styles.summary}>
          <JobProgressCard job={job} />
          <FileFacts job={job} />
        </div>
      )}
      {findings.isError ? (
        <ErrorState what="The findings cannot be read" error={findings.error} retry={() => void findings.refetch()} />
      ) : (
        <ReportProvider value={report}>
          {findings.data && <PrintedJob job={job} findings={findings.data} />}
          {isClean && <LogContents />}
          <ReportTabs
            panels={job.panels}
            findings={findings.data}
            isCompared={enginesOf(job).size > 1}
            {...(job.tabs.includes('discussion') && {
              discussion: { comments: job.comment_count, panel: <Discussion job={job} /> },
            })}
            {...(done && job.tabs.includes('ai') && { ai: <Ai job={job} /> })}
          />
        </ReportProvider>
      )}
    </div>
  );
}

/** Those that came to their end. */
function enginesOf({ tasks }: JobDetail): ReadonlySet<string> {
  return new Set(tasks.flatMap(({ tool, status }) => (status === 'completed' && !isPostStep(tool) ? [tool] : [])));
}
