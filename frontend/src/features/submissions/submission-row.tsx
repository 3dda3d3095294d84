import { ActionIcon } from '@mantine/core';
import { compatibleWorkflows, type Home } from '@svc/contracts';
import { logTypeLabels, type LogType } from '@svc/domain';
import { IconArrowRight, IconFileText, IconRefresh, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { bytes } from '../../ui/format.ts';
import { Skeleton } from '../../ui/states.tsx';
import { submissionQueue } from './queue-store.ts';
import { SubmissionOutcome } from './submission-outcome.tsx';
import styles from './submission-row.module.css';
import { sendOptions, typeOf, workflowOf, type Submission } from './submission.ts';

interface RowProps {
  readonly submission: Submission;
  readonly home: Home;
  readonly isPrivate: boolean;
}

/** One file: what it is, what will be done with it, and how far that is. */
export function SubmissionRow({ submission, home, isPrivate }: RowProps) {
  const { file, stage, key } = submission;
  const open = stage.at === 'ready' || (stage.at === 'refused' && !stage.final);
  const workflow = workflowOf(submission, home.workflows);
  const again = (force: boolean) =>
    submissionQueue.submit(key, sendOptions(submission, home.workflows, isPrivate, force));
  return (
    <li className={styles.row}>
      <IconFileText size={20} stroke={1.5} className={styles.icon} aria-hidden="true" />
      <div className={styles.file}>
        <FileName submission={submission} />
        <span className="faint">{bytes(file.size)}</span>
      </div>
      {submission.detection.at === 'asking' ? (
        <>
          <Skeleton width="80%" />
          <Skeleton width="70%" />
        </>
      ) : (
        <>
          <TypeChoice submission={submission} open={open} />
          <Choice
            label={`Workflow for ${file.name}`}
            open={open}
            value={workflow?.id ?? 0}
            options={compatibleWorkflows(home.workflows, typeOf(submission)).map(({ id, name }) => [id, name] as const)}
            none="No workflow"
            onChange={(id) => submissionQueue.choose(key, { workflow: Number(id) })}
          />
        </>
      )}
      <SubmissionOutcome submission={submission} workflow={workflow} onAgain={() => again(true)} />
      <div className={styles.actions}>
        {stage.at === 'refused' && !stage.final && (
          <ActionIcon
            aria-label={`Send ${file.name} again`}
            data-hint="Try again"
            disabled={!workflow}
            onClick={() => again(false)}
          >
            <IconRefresh size={16} stroke={1.75} />
          </ActionIcon>
        )}
        {stage.at === 'accepted' ? (
          <IconArrowRight size={16} stroke={1.75} className={styles.icon} aria-hidden="true" />
        ) : (
          <ActionIcon
            aria-label={`Remove ${file.name}`}
            data-hint={stage.at === 'sending' ? 'Stop and remove' : 'Remove'}
            onClick={() => submissionQueue.remove(key)}
          >
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
    </li>
  );
}

function FileName({ submission: { file, stage } }: { submission: Submission }) {
  if (stage.at !== 'accepted') {
    return (
      <span className={styles.name} data-hint={file.name}>
        {file.name}
      </span>
    );
  }
  return (
    <Link
      to={paths.job}
      params={{ jobId: stage.job.job_id }}
      search={stage.job.reused ? { dup: true } : {}}
      className={styles.link}
    >
      <span className={styles.name}>{file.name}</span>
    </Link>
  );
}

function TypeChoice({ submission, open }: { submission: Submission; open: boolean }) {
  const { detection, chosenType, file, key } = submission;
  const detected = detection.at === 'known' ? detection.type : null;
  const asDetected =
    detected === null ? 'Detected on arrival' : detected === 'unknown' ? 'Unknown type' : logTypeLabels[detected];
  const others = (Object.keys(logTypeLabels) as LogType[]).filter((type) => type !== 'unknown' && type !== detected);
  return (
    <Choice
      label={`Type of ${file.name}`}
      open={open}
      attention={detected === 'unknown' && chosenType === null}
      value={chosenType ?? ''}
      options={[['', asDetected] as const, ...others.map((type) => [type, logTypeLabels[type]] as const)]}
      onChange={(type) => submissionQueue.choose(key, { type: type === '' ? null : (type as LogType) })}
    />
  );
}
