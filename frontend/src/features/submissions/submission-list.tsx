import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Switch } from '@mantine/core';
import type { Home } from '@svc/contracts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { counted } from '../../ui/format.ts';
import { submissionQueue } from './queue-store.ts';
import styles from './submission-list.module.css';
import { SubmissionRow } from './submission-row.tsx';
import { canSend, sendOptions, type Submission } from './submission.ts';

interface SubmissionListProps {
  readonly home: Home;
  readonly submissions: readonly Submission[];
  readonly leftOut: number;
}

/** The chosen files with what will be done to them, and the button that does it. */
export function SubmissionList({ home, submissions, leftOut }: SubmissionListProps) {
  const [isPrivate, setPrivate] = useState(false);
  const openWhenAccepted = useOpeningWhenAlone(submissions);
  const ready = submissions.filter((submission) => canSend(submission, home.workflows));
  const accepted = submissions.filter(({ stage }) => stage.at === 'accepted').length;
  const submit = () => {
    openWhenAccepted();
    for (const submission of ready) {
      submissionQueue.submit(submission.key, sendOptions(submission, home.workflows, isPrivate));
    }
  };
  return (
    <section aria-label="Files to submit" className={styles.section}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{counted(submissions.length, 'file')}</h1>
        {accepted > 0 && (
          <Button variant="subtle" color="gray" onClick={() => submissionQueue.clearAccepted()}>
            Clear submitted
          </Button>
        )}
        <div className={styles.end}>
          <Privacy isPrivate={isPrivate} onChange={setPrivate} />
          <Button
            size="sm"
            onClick={submit}
            disabled={ready.length === 0}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- so that Enter submits what was just dropped
            autoFocus
            data-hint={whyNot(submissions, ready.length)}
          >
            {ready.length > 1 ? `Submit ${ready.length} files` : 'Submit'}
          </Button>
        </div>
      </div>
      {leftOut > 0 && (
        <p role="status" className={styles.leftOut}>
          {counted(leftOut, 'file was', 'files were')} left out: this service takes {home.max_upload_files} at a time.
          Submit these, then add the rest.
        </p>
      )}
      <ul className={styles.list}>
        {submissions.map((submission) => (
          <SubmissionRow key={submission.key} submission={submission} home={home} isPrivate={isPrivate} />
        ))}
      </ul>
    </section>
  );
}

function Privacy({ isPrivate, onChange }: { isPrivate: boolean; onChange: (isPrivate: boolean) => void }) {
  const me = useMe();
  if (me === null) {
    return (
      <span className={styles.privacy}>
        Everyone here can read these reports. <Link to={paths.login}>Sign in</Link> to submit privately.
      </span>
    );
  }
  return (
    <Switch
      size="xs"
      label="Private"
      checked={isPrivate}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      wrapperProps={{ 'data-hint': 'Only you and administrators can read private reports' }}
    />
  );
}

function whyNot(submissions: readonly Submission[], ready: number): string | undefined {
  if (ready > 0) return undefined;
  if (submissions.some(({ detection }) => detection.at === 'asking')) return 'The types of the files are being read';
  if (submissions.every(({ stage }) => stage.at === 'accepted')) return 'All of these are submitted';
  return 'No file is ready to be sent';
}

/** A single file's report opens by itself once the service has taken the file. */
function useOpeningWhenAlone(submissions: readonly Submission[]): () => void {
  const navigate = useNavigate();
  const [alone, setAlone] = useState<number | null>(null);
  const stage = submissions.find(({ key }) => key === alone)?.stage;
  const jobId = stage?.at === 'accepted' && submissions.length === 1 ? stage.job.job_id : null;
  const reused = stage?.at === 'accepted' && stage.job.reused;
  useEffect(() => {
    if (jobId !== null) void navigate({ to: paths.job, params: { jobId }, search: reused ? { dup: true } : {} });
  }, [jobId, reused, navigate]);
  return () => setAlone(submissions.length === 1 ? (submissions[0]?.key ?? null) : null);
}
