import { Button } from '@mantine/core';
import { call, operations, type BackgroundTask } from '@svc/contracts';
import { IconChecklist } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { changeTasks, tasksQuery } from '../../api/admin.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import { backfills, isInFlight, taskWords, type Backfill } from './task-texts.ts';
import styles from './tasks-page.module.css';

/** Backfills that administrators can begin, and the last background tasks. */
export function TasksPage(): ReactNode {
  const { data, error, refetch } = useQuery(tasksQuery);
  if (data === undefined && error) {
    return <ErrorState whole what="The tasks cannot be listed" error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <title>Tasks · svc</title>
      <PageHead title="Tasks" />
      <section aria-labelledby="anew" className={styles.part}>
        <h2 id="anew">Make anew</h2>
        <p className="soft">
          After an update, or when a list or file that they go by has changed. Each can be stopped and goes on where it
          was; to run one twice changes nothing.
        </p>
        <ul className={cx('card', styles.backfills)}>
          {backfills.map((backfill) => (
            <li key={backfill.kind} className={styles.backfill}>
              <BackfillRow backfill={backfill} last={data?.find(({ kind }) => kind === backfill.kind)} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="recent" className={styles.part}>
        <h2 id="recent">Recent tasks</h2>
        {data === undefined ? (
          <Skeleton height={240} />
        ) : data.length === 0 ? (
          <EmptyState icon={IconChecklist} title="Nothing was done aside yet">
            What is made anew for a single job or rule has its row here, too.
          </EmptyState>
        ) : (
          <RecentTasks tasks={data} />
        )}
      </section>
    </>
  );
}

function BackfillRow({ backfill, last }: { backfill: Backfill; last: BackgroundTask | undefined }) {
  const begin = useMutation({ mutationFn: () => changeTasks(backfill.begin) });
  const runs = last !== undefined && isInFlight(last);
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
      {runs ? (
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

function RecentTasks({ tasks }: { tasks: readonly BackgroundTask[] }) {
  return (
    <div className={cx('card', table.wrap)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.state}>
              State
            </th>
            <th scope="col">Task</th>
            <th scope="col">How far</th>
            <th scope="col" className={styles.who}>
              Asked for by
            </th>
            <th scope="col" className={cx(styles.age, 'num')}>
              When
            </th>
            <th scope="col" className={styles.deeds}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <tr key={task.id} className={table.row}>
              <td>
                <StatusMark status={task.status} word={taskWords[task.status]} why={task.error} />
              </td>
              <td>
                {nameOf(task)}
                {task.target_id !== null && <span className="faint"> #{task.target_id}</span>}
              </td>
              <td className="soft" data-hint={task.error ?? task.detail ?? undefined}>
                {task.error ?? task.detail ?? <span className="faint">–</span>}
              </td>
              <td className="soft">{task.requested_by === '' ? 'the service' : task.requested_by}</td>
              <td className="num soft">
                <Age iso={task.created_at} />
              </td>
              <td>{isInFlight(task) && <CancelTask task={task} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CancelTask({ task }: { task: BackgroundTask }) {
  const cancel = useMutation({
    mutationFn: () => changeTasks(() => call(operations.cancelBackgroundTask, { id: task.id })),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={cancel.isPending}
      aria-label={`Stop: ${nameOf(task)}`}
      onClick={() => cancel.mutate()}
    >
      Stop
    </Button>
  );
}

const singleTasks: Readonly<Record<string, string>> = {
  recalculate_single_analytics: 'Analytics of a job',
  gather_finding_matches: 'All events of a finding',
  backtest_alert_rule: 'Back-test of an alert rule',
};

function nameOf({ kind }: Pick<BackgroundTask, 'kind'>): string {
  return backfills.find((one) => one.kind === kind)?.label ?? singleTasks[kind] ?? kind;
}
