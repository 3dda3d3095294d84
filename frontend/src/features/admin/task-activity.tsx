import { type BackgroundTask, type JobRow, type operations, type OutputOf } from '@svc/contracts';
import { IconChecklist } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { counted } from '../../ui/format.ts';
import { EmptyState } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import { CancelJob, TaskDeed } from './task-deeds.tsx';
import { isInFlight, nameOf, taskWords } from './task-texts.ts';
import styles from './tasks-page.module.css';

type Tasks = OutputOf<typeof operations.listTasks>;

interface Row {
  readonly key: string;
  readonly at: string;
  readonly cells: ReactNode;
}

/** Jobs and background tasks: those that are worked on or wait, and the last that have ended. */
export function TaskActivity({ tasks }: { tasks: Tasks }) {
  const stale = new Set(tasks.stale_ids);
  const active = [
    ...tasks.active_jobs.map((job) => ofJob(job, true)),
    ...tasks.active_tasks.map((task) => ofTask(task, stale.has(task.id))),
  ];
  const recent = [...tasks.recent_jobs.map((job) => ofJob(job)), ...tasks.recent_tasks.map((task) => ofTask(task))];
  return (
    <>
      <section aria-labelledby="active" className={styles.part}>
        <h2 id="active">Active</h2>
        {active.length === 0 ? (
          <p className="soft">Nothing is worked on, and nothing waits.</p>
        ) : (
          <Rows rows={active} />
        )}
      </section>
      <section aria-labelledby="recent" className={styles.part}>
        <h2 id="recent">Recent</h2>
        {recent.length === 0 ? (
          <EmptyState icon={IconChecklist} title="Nothing was done yet">
            Jobs that have ended stand here, and what was made anew.
          </EmptyState>
        ) : (
          <Rows rows={recent.sort((a, b) => b.at.localeCompare(a.at))} />
        )}
      </section>
    </>
  );
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <div className={cx('card', table.wrap)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.state}>
              State
            </th>
            <th scope="col">What</th>
            <th scope="col" className={styles.far}>
              How far
            </th>
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
          {rows.map(({ key, at, cells }) => (
            <tr key={key} className={table.row} data-at={at}>
              {cells}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ofJob(job: JobRow, isActive = false): Row {
  const at = job.finished_at ?? job.started_at ?? job.created_at;
  return {
    key: `job ${job.job_id}`,
    at,
    cells: (
      <>
        <td>
          <StatusMark status={job.status} partlyRead={job.partly_read} why={job.error} />
        </td>
        <td data-hint={job.filename}>
          <Link to={paths.job} params={{ jobId: job.job_id }}>
            {job.filename}
          </Link>
        </td>
        <td className="soft">
          {job.error ?? (isActive ? job.workflow.name : counted(job.total_findings, 'matched event'))}
        </td>
        <td className={cx('soft', styles.who)}>{job.submitter}</td>
        <td className="num soft">
          <Age iso={at} />
        </td>
        <td>{isActive && <CancelJob job={job} />}</td>
      </>
    ),
  };
}

function ofTask(task: BackgroundTask, isStale = false): Row {
  const { id, kind, target_id: target, status, error, detail, requested_by: by } = task;
  const at = task.finished_at ?? task.started_at ?? task.created_at;
  const said = isStale ? 'no worker reports on it' : (error ?? detail);
  return {
    key: `task ${id}`,
    at,
    cells: (
      <>
        <td>
          {isStale ? (
            <StatusMark status="partial" word="Lost" why="Recover closes it, so that it can be run again" />
          ) : (
            <StatusMark status={status} word={taskWords[status]} why={error} />
          )}
        </td>
        <td>
          {nameOf(kind)}
          {target !== null && <span className="faint"> #{target}</span>}
        </td>
        <td className="soft" data-hint={said ?? undefined}>
          {said ?? <span className="faint">{isInFlight(task) ? 'begins soon' : '–'}</span>}
        </td>
        <td className={cx('soft', styles.who)}>{by === '' ? 'the service' : by}</td>
        <td className="num soft">
          <Age iso={at} />
        </td>
        <td>
          <TaskDeed task={task} isStale={isStale} />
        </td>
      </>
    ),
  };
}
