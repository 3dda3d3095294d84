import { ActionIcon } from '@mantine/core';
import { compatibleWorkflows, type Home } from '@svc/contracts';
import { logTypeLabels, type LogType } from '@svc/domain';
import {
  IconAdjustmentsHorizontal,
  IconArrowRight,
  IconDeviceDesktopSearch,
  IconFileText,
  IconFolder,
  IconLock,
  IconRefresh,
  IconTag,
  IconX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, Suspense, useState } from 'react';
import { triageQueue, useTriages } from '../../api/triage/triage-store.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { bytes, counted } from '../../ui/format.ts';
import { Skeleton } from '../../ui/states.tsx';
import type { OptionParts } from './option-parts.ts';
import { submissionQueue } from './queue-store.ts';
import { SubmissionOutcome } from './submission-outcome.tsx';
import styles from './submission-row.module.css';
import { isOpen, sendOptions, typeOf, workflowOf, type CommonReading, type Submission } from './submission.ts';

interface RowProps extends Pick<OptionParts, 'OwnOptions'> {
  readonly submission: Submission;
  readonly home: Home;
  readonly common: CommonReading;
  /** One file alone has no options of its own beside the common ones. */
  readonly several: boolean;
}

/** One file: what it is, what will be done with it, and how far that is; drawn anew only when that changes. */
export const SubmissionRow = memo(function SubmissionRow(props: RowProps) {
  const { submission, home, common, several, OwnOptions } = props;
  const { file, stage, key } = submission;
  const [unfolded, setUnfolded] = useState(false);
  const open = isOpen(submission);
  const workflow = workflowOf(submission, common, home.workflows);
  const again = (force: boolean) => {
    const sent = sendOptions(submission, submissionQueue.state().options, home.workflows);
    submissionQueue.submit(key, { ...sent, force: sent.force || force });
  };
  return (
    <li className={styles.row}>
      <IconFileText size={20} stroke={1.5} className={styles.icon} aria-hidden="true" />
      <div className={styles.file}>
        <FileName submission={submission} />
        <span className={styles.second}>
          {bytes(file.size)} <Marks own={submission.own} /> <LocalReportLink submission={submission} />
        </span>
      </div>
      {submission.detection.at === 'asking' ? (
        <>
          <Skeleton width="80%" />
          <Skeleton width="70%" />
        </>
      ) : (
        <>
          <TypeChoice submission={submission} common={common} open={open} />
          <Choice
            label={`Workflow for ${file.name}`}
            open={open}
            value={workflow?.id ?? 0}
            options={compatibleWorkflows(home.workflows, typeOf(submission, common)).map(
              ({ id, name }) => [id, name] as const,
            )}
            none="No workflow"
            onChange={(id) => submissionQueue.choose(key, { workflow: Number(id) })}
          />
        </>
      )}
      <SubmissionOutcome submission={submission} workflow={workflow} onSubmit={again} />
      <div className={styles.actions}>
        {open && several && (
          <ActionIcon
            aria-label={`Options of ${file.name}`}
            aria-expanded={unfolded}
            data-hint="Options of this file"
            onClick={() => setUnfolded(!unfolded)}
          >
            <IconAdjustmentsHorizontal size={16} stroke={1.75} />
          </ActionIcon>
        )}
        {stage.at === 'accepted' ? (
          <IconArrowRight size={16} stroke={1.75} className={styles.icon} aria-hidden="true" />
        ) : (
          <ActionIcon
            aria-label={`Remove ${file.name}`}
            data-hint={stage.at === 'sending' ? 'Stop and remove' : 'Remove'}
            onClick={() => {
              submissionQueue.remove(key);
              triageQueue.remove(key);
            }}
          >
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      {open && several && unfolded && (
        <div className={styles.own}>
          <Suspense fallback={<Skeleton width="100%" height={88} />}>
            <OwnOptions home={home} submission={submission} />
          </Suspense>
        </div>
      )}
    </li>
  );
});

/** To the report that was made of the file here. */
function LocalReportLink({ submission: { key } }: { submission: Submission }) {
  if (!useTriages().some((triage) => triage.key === key)) return null;
  return (
    <Link to={paths.triage} search={{ file: key }} className={cx(styles.mark, styles.here)}>
      <IconDeviceDesktopSearch size={13} stroke={1.75} aria-hidden="true" /> In this browser
    </Link>
  );
}

/** In what the file differs from the others. */
function Marks({ own }: { own: Submission['own'] }) {
  const icon = { size: 13, stroke: 1.75, 'aria-hidden': true } as const;
  return (
    <>
      {own.isPrivate !== undefined && (
        <span className={styles.mark}>
          <IconLock {...icon} /> {own.isPrivate ? 'Private' : 'Not private'}
        </span>
      )}
      {own.tags !== undefined && (
        <span className={styles.mark} data-hint={own.tags.join('\n') || undefined}>
          <IconTag {...icon} /> {own.tags.length === 0 ? 'No tags' : counted(own.tags.length, 'tag')}
        </span>
      )}
      {own.caseId !== undefined && (
        <span className={styles.mark}>
          <IconFolder {...icon} /> {own.caseId === null ? 'No case' : 'Own case'}
        </span>
      )}
      {own.force !== undefined && (
        <span className={styles.mark}>
          <IconRefresh {...icon} /> {own.force ? 'Anew' : 'Not anew'}
        </span>
      )}
    </>
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

function TypeChoice({ submission, common, open }: Pick<RowProps, 'submission' | 'common'> & { open: boolean }) {
  const { detection, own, file, key } = submission;
  const chosen = own.type === undefined ? common.type : own.type;
  const detected = detection.at === 'known' ? detection.type : null;
  const asDetected =
    detected === null ? 'Detected on arrival' : detected === 'unknown' ? 'Unknown type' : logTypeLabels[detected];
  const others = (Object.keys(logTypeLabels) as LogType[]).filter((type) => type !== 'unknown' && type !== detected);
  return (
    <Choice
      label={`Type of ${file.name}`}
      open={open}
      attention={detected === 'unknown' && chosen === null}
      value={chosen === null || chosen === detected ? '' : chosen}
      options={[['', asDetected] as const, ...others.map((type) => [type, logTypeLabels[type]] as const)]}
      onChange={(type) => submissionQueue.choose(key, { type: type === '' ? null : (type as LogType) })}
    />
  );
}
