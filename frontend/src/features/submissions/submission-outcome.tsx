import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { JobState, SubmittedJob } from '@svc/contracts';
import { useEffect, useState } from 'react';
import { findingsQuery, progressQuery, useJobState } from '../../api/queries.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, count, counted } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { SeverityBar, SeverityMark } from '../../ui/severity.tsx';
import { SignInLink } from '../../ui/sign-in-link.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { adviceFor } from './refusal-advice.ts';
import styles from './submission-outcome.module.css';
import type { Submission, WorkflowChoice } from './submission.ts';

interface OutcomeProps {
  readonly submission: Submission;
  readonly workflow: WorkflowChoice | null;
  /** Sends the file once more; by force to analyse known bytes anew. */
  readonly onSubmit: (force: boolean) => void;
}

/** How far a file is, and in the end its verdict. */
export function SubmissionOutcome({ submission: { stage, detection, file }, workflow, onSubmit }: OutcomeProps) {
  switch (stage.at) {
    case 'ready':
      if (detection.at === 'asking') return <span className={styles.word}>Reading its type</span>;
      return workflow === null ? (
        <span className={cx(styles.word, styles.warn)}>
          {detection.at === 'known' && detection.notLog !== null
            ? `This is ${detection.notLog}, not a log. Remove it, or choose its type if it is one after all.`
            : 'No workflow reads this type. Choose another type, if you know it.'}
        </span>
      ) : (
        <span className={styles.word}>Ready to submit</span>
      );
    case 'waiting':
      return (
        <span className={styles.word}>
          {stage.reason === null ? (
            'Waiting for its turn'
          ) : (
            <>
              <span className={styles.warn}>{stage.reason}.</span> <Countdown until={stage.until} />
            </>
          )}
        </span>
      );
    case 'sending':
      return (
        <div className={styles.moving}>
          <span className={styles.word}>
            {stepNames[stage.step]} {bytes(stage.done)} of {bytes(file.size)}
          </span>
          <Progress label={`${stepNames[stage.step]} ${file.name}`} done={stage.done} total={file.size} />
        </div>
      );
    case 'refused':
      return (
        <div className={styles.refused}>
          <p className={styles.word} role="alert">
            <span className={styles.bad}>{sentence(stage.message)}</span> {adviceFor(stage.code)}{' '}
            {stage.code === 'unauthenticated' && <SignInLink />}
            {stage.requestId !== null && <span className={styles.reference}>Reference {stage.requestId}</span>}
          </p>
          {!stage.final && (
            <Button
              variant="default"
              size="compact-xs"
              leftSection={<IconRefresh size={14} stroke={1.75} aria-hidden="true" />}
              aria-label={`Retry ${file.name}`}
              disabled={workflow === null}
              onClick={() => onSubmit(false)}
            >
              Retry
            </Button>
          )}
        </div>
      );
    case 'accepted':
      return <JobOutcome job={stage.job} onAgain={() => onSubmit(true)} />;
    default:
      return stage satisfies never;
  }
}

/** The fingerprint names the bytes that the service then accepts, and no others. */
const stepNames = { hashing: 'Fingerprinting', sending: 'Sending' } as const;

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** How long until a file is sent again, by the second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again';
}

function JobOutcome({ job, onAgain }: { job: SubmittedJob; onAgain: () => void }) {
  const state = useJobState(job.job_id);
  const status = state?.status ?? job.status;
  if (status === 'running') return <Running jobId={job.job_id} />;
  if (status === 'pending' || state === undefined) return <StatusMark status="pending" />;
  const reused = job.reused && (
    <span className={styles.word}>
      Analysed before.{' '}
      <button type="button" className={styles.again} onClick={onAgain}>
        Analyse again
      </button>
    </span>
  );
  if (status === 'failed' || status === 'cancelled') {
    return (
      <div className={styles.moving}>
        <StatusMark status={status} />
        {state.error !== null && <span className={styles.word}>{state.error}</span>}
        {reused}
      </div>
    );
  }
  return (
    <div className={styles.moving}>
      <Verdict state={state} />
      {reused}
    </div>
  );
}

function Running({ jobId }: { jobId: number }) {
  const { data } = useQuery(progressQuery(jobId));
  const progress = data?.tasks.find(({ status }) => status === 'running')?.progress;
  return (
    <div className={styles.moving}>
      <span className={styles.word}>
        Analysing{progress ? ` ${bytes(progress.bytes_done)} of ${bytes(progress.bytes_total)}` : ''}
      </span>
      <Progress
        label={`Analysing job ${jobId}`}
        {...(progress && { done: progress.bytes_done, total: progress.bytes_total })}
      />
    </div>
  );
}

function Verdict({ state }: { state: JobState }) {
  const { data: findings } = useQuery({ ...findingsQuery(state.job_id), enabled: state.total_findings > 0 });
  const top = findings?.[0];
  return (
    <>
      <span className={styles.verdict}>
        {(state.status === 'partial' || state.partly_read) && (
          <StatusMark status={state.status} partlyRead={state.partly_read} />
        )}
        {state.total_findings === 0 ? (
          <span className={styles.word}>No rule matched</span>
        ) : top ? (
          <>
            <SeverityMark severity={top.severity} />
            <span className="cut" data-hint={`${top.rule_name}\n${counted(top.count, 'matched event')}`}>
              {top.rule_name}
            </span>
            {findings.length > 1 && <span className={styles.more}>+{count(findings.length - 1)}</span>}
          </>
        ) : (
          <Skeleton width="70%" />
        )}
      </span>
      {state.total_findings > 0 && <SeverityBar summary={state.severity_summary} />}
    </>
  );
}
