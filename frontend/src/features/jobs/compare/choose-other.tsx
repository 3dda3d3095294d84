import { isTerminal } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { jobQuery, jobsQuery } from '../../../api/queries.ts';
import { paths } from '../../../paths.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { SeverityCell } from '../../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Age } from '../../../ui/time.tsx';
import styles from './compare.module.css';

/** The newest jobs, of which one is chosen to be compared with a job. */
export function ChooseOther({ job: id }: { job: number }) {
  const { data: job } = useQuery(jobQuery(id));
  const { data, error, refetch } = useQuery(jobsQuery(1));
  if (error) return <ErrorState whole what="The jobs cannot be listed" error={error} retry={() => void refetch()} />;
  const others = data?.jobs.filter(({ job_id: other, status }) => other !== id && isTerminal(status));
  return (
    <>
      <PageHead title={`Compare ${job?.filename ?? `job ${id}`} with`} />
      {others === undefined ? (
        <div role="status" aria-busy="true" aria-label="Jobs are loading">
          <Skeleton height={160} />
        </div>
      ) : (
        <ul className={styles.others}>
          {others.map((other) => (
            <li key={other.job_id} className={styles.other}>
              <Link to={paths.compare} search={{ a: id, b: other.job_id }} className="cut">
                {other.filename}
              </Link>
              <SeverityCell summary={other.severity_summary} status={other.status} />
              <span className="num faint">
                <Age iso={other.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="faint">
        These are the newest. Any two can be selected in the <Link to={paths.jobs}>list of jobs</Link>, which can be
        searched.
      </p>
    </>
  );
}
