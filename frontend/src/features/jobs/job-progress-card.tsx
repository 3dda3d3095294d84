import type { JobDetail, TaskState } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { progressQuery } from '../../api/queries.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, counted, duration } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './job-progress-card.module.css';

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

function Task({ task }: { task: TaskState }) {
  const { progress, status, tool } = task;
  return (
    <li className={styles.task}>
      <div className={styles.line}>
        <code>{tool}</code>
        <StatusMark status={status} />
        <span className={styles.far}>
          {status === 'running' && progress && `${bytes(progress.bytes_done)} of ${bytes(progress.bytes_total)}`}
          {status === 'completed' && counted(task.findings_count, 'rule')}
          {status === 'completed' && task.duration_ms !== null && `, ${duration(task.duration_ms)}`}
        </span>
      </div>
      {status === 'running' && (
        <Progress label={tool} {...(progress && { done: progress.bytes_done, total: progress.bytes_total })} />
      )}
    </li>
  );
}
