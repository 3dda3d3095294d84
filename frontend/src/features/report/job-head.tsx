import { Button } from '@mantine/core';
import { call, operations, type JobDetail } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { IconFolder, IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type ComponentType } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { ofJob } from '../../api/query-key.ts';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';
import { ReportHead } from '../../ui/report-head.tsx';
import { reasonOf } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Tags } from '../../ui/tag.tsx';
import { FileFacts } from './file-facts.tsx';
import styles from './job-head.module.css';
import { VerdictDetails, VerdictMark } from './verdict.tsx';

// Not what a reader looks at first.
const SaveJob = lazy(async () => ({ default: (await import('./handover/save-job.tsx')).SaveJob }));
const JobActions = lazy(async () => ({ default: (await import('./job-actions.tsx')).JobActions }));

interface HeadProps {
  readonly job: JobDetail;
  readonly WatchButton: ComponentType<{ job: JobDetail }>;
}

/** Which job this is, how it stands, and what can be done with it. */
export function JobHead({ job, WatchButton }: HeadProps) {
  return (
    <ReportHead
      parent={{ to: paths.jobs, text: 'Jobs' }}
      here={job.job_id}
      title={job.filename}
      hint={job.original_filename === null ? undefined : `Original name: ${job.original_filename}`}
      actions={<Actions job={job} WatchButton={WatchButton} />}
      details={
        isTerminal(job.status) && (
          <VerdictDetails job={job}>
            <FileFacts job={job} />
          </VerdictDetails>
        )
      }
    >
      <StatusMark status={job.status} partlyRead={job.partly_read} pill />
      <VerdictMark job={job} />
      {job.is_private && (
        <span className={styles.private} data-hint="Only the submitter and administrators can read this report">
          <IconLock size={14} stroke={1.75} aria-hidden="true" /> Private
        </span>
      )}
      {job.member_cases.map(({ case_id: id, name }) => (
        <Link key={id} to={paths.case} params={{ caseId: id }} className={styles.private} data-hint="Case">
          <IconFolder size={14} stroke={1.75} aria-label="In the case" /> {name}
        </Link>
      ))}
      <Tags tags={job.tags} most={10} within={{ q: '' }} />
    </ReportHead>
  );
}

function Actions({ job, WatchButton }: HeadProps) {
  return (
    <>
      {job.tabs.includes('discussion') && <WatchButton job={job} />}
      {job.can_cancel && <Cancel jobId={job.job_id} />}
      <Suspense>
        <SaveJob job={job} />
        <JobActions job={job} />
      </Suspense>
    </>
  );
}

/** Asks once more in its own place, since a stopped analysis cannot be taken up again. */
function Cancel({ jobId }: { jobId: number }) {
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    mutationFn: () => call(operations.cancelJob, { id: jobId }),
    onSuccess: () => queryClient.invalidateQueries(ofJob(jobId)),
  });
  if (cancel.isSuccess) return <span className="soft">Stopping</span>;
  if (!asked) {
    return (
      <Button variant="default" onClick={() => setAsked(true)}>
        Cancel
      </Button>
    );
  }
  return (
    <span className={styles.confirm}>
      {cancel.isError ? <span role="alert">{reasonOf(cancel.error)}</span> : <span>Stop this analysis?</span>}
      <Button variant="filled" color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        Stop it
      </Button>
      <Button variant="default" onClick={() => setAsked(false)}>
        Keep running
      </Button>
    </span>
  );
}
