import { Button } from '@mantine/core';
import { call, operations, type BackgroundTask, type JobRow } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { changeTasks } from '../../api/admin.ts';
import { reasonOf } from '../../ui/states.tsx';
import { isInFlight, nameOf } from './task-texts.ts';

interface DeedProps {
  readonly word: string;
  /** What it is done to. */
  readonly to: string;
  readonly act: () => Promise<unknown>;
}

/** A button of a row; what kept it from being done is its hint, and said to screen readers. */
export function Deed({ word, to, act }: DeedProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => changeTasks(act) });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={isPending}
        aria-label={`${word}: ${to}`}
        data-hint={error ? reasonOf(error) : undefined}
        onClick={() => mutate()}
      >
        {error ? 'Retry' : word}
      </Button>
      {error && (
        <span className="sr-only" role="alert">
          {reasonOf(error)}
        </span>
      )}
    </>
  );
}

export function CancelTask({ task }: { task: BackgroundTask }) {
  return <Deed word="Stop" to={nameOf(task.kind)} act={() => call(operations.cancelBackgroundTask, { id: task.id })} />;
}

/** What can be done about a task as it stands. */
export function TaskDeed({ task, isStale }: { task: BackgroundTask; isStale: boolean }) {
  const name = nameOf(task.kind);
  if (isStale) return <Deed word="Recover" to={name} act={() => call(operations.recoverTask, { id: task.id })} />;
  // A vacuum ends by itself.
  if (isInFlight(task)) return task.kind === 'vacuum_database' ? null : <CancelTask task={task} />;
  // That is done on the page of the back-test.
  if (task.kind === 'backtest_alert_rule') return null;
  return <Deed word="Run again" to={name} act={() => call(operations.runTaskAgain, { id: task.id })} />;
}

export function CancelJob({ job }: { job: JobRow }) {
  return <Deed word="Stop" to={job.filename} act={() => call(operations.cancelJob, { id: job.job_id })} />;
}
