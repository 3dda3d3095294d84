import { Button } from '@mantine/core';
import type { BackgroundTask } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { changeTasks } from '../../api/admin.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';
import { CancelTask } from './task-deeds.tsx';
import { backfills, isInFlight, taskWords, type Backfill } from './task-texts.ts';
import styles from './tasks-page.module.css';

/** What administrators can have made anew or tidied, each with how its last run went. */
export function TaskBackfills({ tasks }: { tasks: readonly BackgroundTask[] }) {
  return (
    <>
      <p className={cx('soft', styles.lead)}>
        After an update, or when a list or file that they go by has changed. Each can be stopped and goes on where it
        was; to run one twice changes nothing.
      </p>
      <ul className={cx('card', styles.backfills)}>
        {backfills.map((backfill) => (
          <li key={backfill.kind} className={styles.backfill}>
            <BackfillRow backfill={backfill} last={tasks.find(({ kind }) => kind === backfill.kind)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function BackfillRow({ backfill, last }: { backfill: Backfill; last: BackgroundTask | undefined }) {
  const begin = useMutation({ mutationFn: () => changeTasks(backfill.begin) });
  return (
    <>
      <div className={styles.words}>
        <strong>{backfill.label}</strong>
        <p className="soft">{backfill.when}</p>
        {last !== undefined && (
          <p className={styles.last} role="status">
            <StatusMark status={last.status} word={taskWords[last.status]} why={last.error} />{' '}
            <span className="faint">
              {last.error ?? last.detail} · <Age iso={last.finished_at ?? last.started_at ?? last.created_at} />
            </span>
          </p>
        )}
        {begin.error && <Failure error={begin.error} />}
      </div>
      {last !== undefined && isInFlight(last) ? (
        <CancelTask task={last} />
      ) : (
        <Button
          variant="default"
          loading={begin.isPending}
          aria-label={`Run: ${backfill.label}`}
          onClick={() => begin.mutate()}
        >
          Run
        </Button>
      )}
    </>
  );
}
