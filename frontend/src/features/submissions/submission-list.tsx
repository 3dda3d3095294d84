import { Button } from '@mantine/core';
import { mostInBatch, type Home } from '@svc/contracts';
import { IconReportSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { madeBatchQuery } from '../../api/verdicts.ts';
import { paths } from '../../paths.ts';
import { counted } from '../../ui/format.ts';
import { submissionQueue } from './queue-store.ts';
import styles from './submission-list.module.css';
import { AnalyseHere } from './analyse-here.tsx';
import type { OptionParts } from './option-parts.ts';
import type { QueueState } from './submission-queue.ts';
import { SubmissionRow } from './submission-row.tsx';
import { leftBehind } from './left-behind.ts';
import { canSend, isOpen, sendOptions, type Submission } from './submission.ts';

const MOST_NAMES = 3;

interface ListProps {
  readonly home: Home;
  readonly queue: QueueState;
  readonly parts: OptionParts;
}

/** The chosen files with what will be done to them, and the button that does it. */
export function SubmissionList({ home, queue, parts }: ListProps) {
  const { list, leftOut, options } = queue;
  const openWhenAccepted = useOpeningWhenAlone(list);
  const ready = list.filter((submission) => canSend(submission, options, home.workflows));
  const behind = leftBehind(list, options, home.workflows);
  const accepted = list.filter(({ stage }) => stage.at === 'accepted').length;
  const several = list.length > 1;
  const { type, workflow } = options;
  // The rows show no other option, and there can be hundreds of them.
  const common = useMemo(() => ({ type, workflow }), [type, workflow]);
  const submit = () => {
    openWhenAccepted();
    for (const submission of ready) {
      submissionQueue.submit(submission.key, sendOptions(submission, options, home.workflows));
    }
  };
  return (
    <section aria-label="Files to submit" className={styles.section}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{counted(list.length, 'file')}</h1>
        {several && <span className="soft">{progressOf(list)}</span>}
        <div className={styles.end}>
          {accepted > 0 && (
            <Button variant="subtle" color="gray" onClick={() => submissionQueue.clearAccepted()}>
              Clear submitted
            </Button>
          )}
          <BatchLink list={list} />
          <AnalyseHere list={list} common={common} workflows={home.workflows} />
          <Button
            size="sm"
            onClick={submit}
            disabled={ready.length === 0}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- so that Enter submits what was just dropped
            autoFocus
            data-hint={whyNot(list, ready.length)}
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
      {behind.length > 0 && ready.length > 0 && (
        <ul role="status" aria-label="Not submitted with the others" className={styles.behind}>
          {behind.map(({ reason, names }) => (
            <li key={reason} data-hint={names.join('\n')}>
              {counted(names.length, 'file')} left out: {reason} (<span className={styles.names}>{shown(names)}</span>)
            </li>
          ))}
        </ul>
      )}
      {list.some(isOpen) && (
        <Suspense fallback={<div className={styles.coming} />}>
          <parts.CommonOptions home={home} options={options} several={several} />
        </Suspense>
      )}
      <ul className={styles.list}>
        {list.map((submission) => (
          <SubmissionRow
            key={submission.key}
            submission={submission}
            home={home}
            common={common}
            several={several}
            OwnOptions={parts.OwnOptions}
          />
        ))}
      </ul>
    </section>
  );
}

/** Leads to what the files that were sent came to together, once two or more are and none is under way. */
function BatchLink({ list }: { list: readonly Submission[] }) {
  const sent = [...new Set(list.flatMap(({ stage }) => (stage.at === 'accepted' ? [stage.job.job_id] : [])))];
  const isSending = list.some(({ stage }) => stage.at === 'waiting' || stage.at === 'sending');
  const { data: batchId } = useQuery(madeBatchQuery(isSending || sent.length > mostInBatch ? [] : sent));
  if (batchId === undefined || isSending) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconReportSearch size={14} stroke={1.75} />}
      data-hint="Rules, hosts and files, worst first"
      renderRoot={(props) => <Link to={paths.batch} params={{ batchId }} {...props} />}
    >
      Verdict of {counted(sent.length, 'file')}
    </Button>
  );
}

/** The first names of some, and how many more there are. */
function shown(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** How many are where, as far as there are any. */
function progressOf(list: readonly Submission[]): string {
  const at = (...stages: Submission['stage']['at'][]) => list.filter(({ stage }) => stages.includes(stage.at)).length;
  const [underway, accepted, refused] = [at('waiting', 'sending'), at('accepted'), at('refused')];
  return [
    underway > 0 && `${underway} to send`,
    accepted > 0 && `${accepted} submitted`,
    refused > 0 && `${refused} refused`,
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

function whyNot(list: readonly Submission[], ready: number): string | undefined {
  if (ready > 0) return undefined;
  if (list.some(({ detection }) => detection.at === 'asking')) return 'The types of the files are being read';
  if (list.every(({ stage }) => stage.at === 'accepted')) return 'All of these are submitted';
  return 'No file is ready to be sent';
}

/** A single file's report opens by itself once the service has taken the file. */
function useOpeningWhenAlone(list: readonly Submission[]): () => void {
  const navigate = useNavigate();
  const [alone, setAlone] = useState<number | null>(null);
  const stage = list.find(({ key }) => key === alone)?.stage;
  const jobId = stage?.at === 'accepted' && list.length === 1 ? stage.job.job_id : null;
  const reused = stage?.at === 'accepted' && stage.job.reused;
  useEffect(() => {
    if (jobId !== null) void navigate({ to: paths.job, params: { jobId }, search: reused ? { dup: true } : {} });
  }, [jobId, reused, navigate]);
  return () => setAlone(list.length === 1 ? (list[0]?.key ?? null) : null);
}
