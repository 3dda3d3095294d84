import type { CorrelatedJobs as Correlated, FindingRow } from '@svc/contracts';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Age } from '../../../ui/time.tsx';
import tools from '../../../ui/panel-tools.module.css';
import { correlatedQuery } from './similar-queries.ts';
import styles from './similar-panel.module.css';
import { useJobView } from '../use-job-view.ts';

/** Findings that are looked for in other jobs unasked: the first of the report, which are its worst. */
const mostFindings = 8;

interface Seen {
  readonly finding: FindingRow;
  readonly jobs: Correlated['findings'];
}

/** Other jobs in which the worst findings of this one were made, and the one that the address names. */
export function CorrelatedJobs({ jobId, findings }: { jobId: number; findings: readonly FindingRow[] }) {
  const [{ finding: asked }, change] = useJobView();
  const named = findings.find(({ id }) => id === asked);
  const looked = [...new Set([...(named ? [named] : []), ...findings.slice(0, mostFindings)])];
  const answers = useQueries({ queries: looked.map((finding) => correlatedQuery(jobId, finding)) });
  const failed = answers.find(({ error }) => error);
  if (failed) {
    return <ErrorState what="Other jobs cannot be read" error={failed.error} retry={() => void failed.refetch()} />;
  }
  const seen = looked.flatMap((finding, at): Seen[] => {
    const jobs = answers[at]?.data?.findings;
    return jobs === undefined ? [] : [{ finding, jobs }];
  });
  const nowhere = seen.filter(({ finding, jobs }) => jobs.length === 0 && finding !== named);
  return (
    <section className={cx('card', tools.card)} aria-label="Seen in other jobs">
      <header className={tools.tools}>
        <h2 className={styles.title}>Seen in other jobs</h2>
        <span className={tools.facts}>
          {named ? 'the chosen finding, then the worst ones' : 'the worst findings'}; up to 20 of the newest jobs each
        </span>
      </header>
      {seen.length < looked.length && (
        <div className={styles.text}>
          <Skeleton height={32} />
        </div>
      )}
      {seen
        .filter((one) => !nowhere.includes(one))
        .map((one) => (
          <Where key={one.finding.id} {...one} onOpen={() => change({ view: undefined, finding: one.finding.id })} />
        ))}
      {nowhere.length > 0 && (
        <p className={styles.text}>
          {nowhere.length === looked.length
            ? 'None of these findings was made in another job that you can see.'
            : `In no other job that you can see: ${nowhere.map(({ finding }) => finding.rule_name).join(', ')}.`}
        </p>
      )}
    </section>
  );
}

function Where({ finding, jobs, onOpen }: Seen & { onOpen: () => void }) {
  return (
    <section className={styles.where} aria-label={finding.rule_name}>
      <header className={styles.rule}>
        <SeverityMark severity={finding.severity} />
        <h3 className={styles.name}>{finding.rule_name}</h3>
        <span className="faint">
          {jobs.length === 0 ? 'in no other job that you can see' : `in ${counted(jobs.length, 'other job')}`}
        </span>
        <LinkButton onClick={onOpen}>Show the finding</LinkButton>
      </header>
      <ul className={styles.jobs}>
        {jobs.map((job) => (
          <li key={job.job_id} className={styles.job}>
            <Link to={paths.job} params={{ jobId: job.job_id }} className="cut">
              {job.filename}
            </Link>
            <span className="faint">#{job.job_id}</span>
            <span className={styles.figure}>
              {count(job.count)} {job.count === 1 ? 'event' : 'events'}
            </span>
            <span className={styles.figure}>
              <Age iso={job.job_created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
