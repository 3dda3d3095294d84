import type { CaseDetails } from '@svc/contracts';
import { operations } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { caseSummaryQuery, useCaseDeed } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import styles from './case-overview.module.css';

/** Findings over all jobs of the case that the viewer sees. */
export function CaseRollUp({ of }: { of: CaseDetails }) {
  const { data, error, refetch } = useQuery(caseSummaryQuery(of.id));
  const edit = useCaseDeed(operations.editCase);
  if (data === undefined) {
    if (error) return <ErrorState what="This cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={160} />;
  }
  const { jobs, findings, events, by_severity: bySeverity, suggested_severity: suggested } = data;
  if (jobs === 0) return <p className="soft">No job that you may see is in it yet.</p>;
  if (findings === 0) return <p className="soft">Nothing was found in its {counted(jobs, 'job')}.</p>;
  return (
    <>
      <p className={styles.counts}>
        <strong>{counted(findings, 'finding')}</strong>
        <span className="soft">
          {counted(events, 'matched event')} in {counted(jobs, 'job')}
        </span>
      </p>
      <p className={styles.counts}>
        {bySeverity.map(({ severity, findings: many, events: matched }) => (
          <span key={severity} className={styles.amount} data-hint={counted(matched, 'matched event')}>
            <SeverityMark severity={severity} /> {count(many)}
          </span>
        ))}
      </p>
      {of.can_edit && suggested !== null && suggested !== of.severity && (
        <p className="soft">
          The worst is {suggested}; the case {of.severity === null ? 'says nothing yet' : `says ${of.severity}`}.{' '}
          <LinkButton disabled={edit.isPending} onClick={() => edit.mutate({ id: of.id, severity: suggested })}>
            Take it over
          </LinkButton>
        </p>
      )}
      <h3 className={styles.subtitle}>Worst rules</h3>
      <ul className={styles.list}>
        {data.top_rules.map(({ rule_name: name, severity, events: matched, jobs: many }) => (
          <li key={name} className={styles.row}>
            <span className={styles.fixed}>
              <SeverityMark severity={severity} />
            </span>
            <Link
              to={paths.jobs}
              search={{ q: `case:${of.id} rule:${JSON.stringify(name)}` }}
              className={styles.name}
              title={name}
            >
              {name}
            </Link>
            <span className="faint">
              {count(matched)} in {counted(many, 'job')}
            </span>
          </li>
        ))}
      </ul>
      {data.tactics.length > 0 && (
        <>
          <h3 className={styles.subtitle}>Tactics</h3>
          <ul className={styles.list}>
            {data.tactics.map(({ tactic, findings: many, events: matched }) => (
              <li key={tactic} className={styles.row}>
                <span className={styles.name}>{sentence(tactic.replaceAll('_', ' '))}</span>
                <span className="faint">
                  {counted(many, 'finding')}, {counted(matched, 'event')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
