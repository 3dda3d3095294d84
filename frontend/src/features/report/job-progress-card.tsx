import type { JobDetail, JobProgress, TaskState } from '@svc/contracts';
import { isPostStep } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { progressQuery } from '../../api/queries.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, counted, duration } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './job-progress-card.module.css';
import { StepName } from './step-name.tsx';

/** How far a running job is, engine by engine. */
export function JobProgressCard({ job }: { job: JobDetail }) {
  const { data } = useQuery(progressQuery(job.job_id));
  const tasks = data?.tasks ?? job.tasks;
  const status = data?.status ?? job.status;
  const delay = data?.delay ?? job.delay;
  return (
    <section className={cx('card', styles.card)} aria-label="Progress" aria-live="polite">
      <div>
        <div className={styles.word}>{status === 'pending' ? 'Waiting for a worker' : 'Analysing'}</div>
        <p className="soft">
          Submitted <Time iso={job.created_at} zone />. The report appears here by itself.
        </p>
        {data && <p className="soft">{waitOf(data)}</p>}
        {delay !== null && <p className="soft">{delay}</p>}
      </div>
      {tasks.length === 0 ? (
        <Progress label="Waiting" />
      ) : (
        <ul className={styles.tasks}>
          {tasks.map((task) => (
            <Task key={task.id} task={task} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Where it stands in the queue, and how long it is likely to take; empty where nothing tells. */
function waitOf({ queue_position: position, estimated_remaining_s: seconds }: JobProgress): string {
  const place =
    position === undefined ? '' : position <= 1 ? 'Next in the queue. ' : `Number ${position} in the queue. `;
  if (seconds === undefined || seconds === 0) return place.trim();
  const words = position === undefined ? 'left' : 'from its start on';
  return `${place}About ${duration(Math.max(1, seconds) * 1000)} ${words}, going by recent analyses of this kind.`;
}

function Task({ task }: { task: TaskState }) {
  const { progress, status, tool } = task;
  return (
    <li className={styles.task}>
      <div className={styles.line}>
        <StepName tool={tool} />
        <StatusMark status={status} />
        <span className={styles.far}>
          {status === 'running' && progress && `${bytes(progress.bytes_done)} of ${bytes(progress.bytes_total)}`}
          {status === 'completed' && !isPostStep(tool) && counted(task.findings_count, 'rule')}
          {status === 'completed' && task.duration_ms !== null && `, ${duration(task.duration_ms)}`}
        </span>
      </div>
      {status === 'running' && (
        <Progress label={tool} {...(progress && { done: progress.bytes_done, total: progress.bytes_total })} />
      )}
    </li>
  );
}
