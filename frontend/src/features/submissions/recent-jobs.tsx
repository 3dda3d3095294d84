import { logTypeLabels } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { recentJobsQuery, useLiveJobs } from '../../api/queries.ts';
import { paths } from '../../paths.ts';
import { SeverityCell } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './recent-jobs.module.css';

/** The newest jobs that the visitor may read, what was just submitted among them. */
export function RecentJobs() {
  const { data, isPending, isError, error, refetch } = useQuery(recentJobsQuery);
  const jobs = useLiveJobs(data ?? []);
  if (data?.length === 0) return null;
  return (
    <section aria-labelledby="recent-jobs" className={styles.section}>
      <div className={styles.head}>
        <h2 id="recent-jobs" className={styles.title}>
          Recent jobs
        </h2>
        <Link to={paths.jobs}>All jobs</Link>
      </div>
      {isError ? (
        <ErrorState what="The recent jobs cannot be listed" error={error} retry={() => void refetch()} />
      ) : (
        <ul className={styles.list}>
          {isPending
            ? Array.from({ length: 4 }, (_, row) => (
                <li key={row} className={styles.row}>
                  <Skeleton width={84} />
                  <Skeleton width="60%" />
                  <Skeleton width="70%" />
                  <Skeleton />
                  <Skeleton width={40} />
                </li>
              ))
            : jobs.map((job) => (
                <li key={job.job_id} className={styles.row}>
                  <StatusMark status={job.status} partlyRead={job.partly_read} why={job.error} />
                  <Link to={paths.job} params={{ jobId: job.job_id }} className={styles.link}>
                    {job.filename}
                  </Link>
                  <span className="cut soft">{logTypeLabels[job.log_type]}</span>
                  <SeverityCell summary={job.severity_summary} status={job.status} />
                  <span className="num faint">
                    <Age iso={job.created_at} />
                  </span>
                </li>
              ))}
        </ul>
      )}
    </section>
  );
}
