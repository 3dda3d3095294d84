import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import type { Severity } from '@svc/domain';
import { alertReasonQuery, type AlertKind } from '../../api/alerts.ts';
import { paths } from '../../paths.ts';
import { count } from '../../ui/format.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import styles from './alerts-tab.module.css';

/** Which terms of the rule hold, and the events behind it. */
export function AlertReason({ kind, id, jobId }: { kind: AlertKind; id: number; jobId: number }): ReactNode {
  const { data, error, refetch } = useQuery(alertReasonQuery(kind, id));
  if (data === undefined) {
    if (error) return <ErrorState what="The reason cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={48} />;
  }
  return (
    <div className={styles.reason}>
      <dl className={styles.terms}>
        {data.terms.length === 0 && (
          <div>
            <dt>No condition</dt>
            <dd>matches {kind === 'entities' ? 'every entity of its types' : 'every job'}</dd>
          </div>
        )}
        {data.terms.map(({ text, holds }) => (
          <div key={text}>
            <dt>
              <code>{text}</code>
            </dt>
            <dd className={holds === true ? styles.holds : styles.fails}>
              {holds === null ? 'cannot be told' : holds ? 'holds' : 'does not hold'}
            </dd>
          </div>
        ))}
      </dl>
      {data.is_edited && <p className="faint">The rule was changed after this alert; this is what it says now.</p>}
      {data.findings.length > 0 && (
        <ul className={styles.findings} aria-label="Findings whose events name it">
          {data.findings.map((finding) => (
            <li key={finding.id}>
              {/* The service knows no other severities. */}
              <SeverityMark severity={finding.severity as Severity} />
              <Link to={paths.job} params={{ jobId }} search={{ finding: finding.id }}>
                {finding.rule_name}
              </Link>
              <span className="faint">
                {count(finding.count)} {finding.count === 1 ? 'event' : 'events'}
              </span>
            </li>
          ))}
        </ul>
      )}
      {kind === 'entities' && data.findings.length === 0 && (
        <p className="faint">No finding of the job names it: it stands in events that no rule of detection matched.</p>
      )}
    </div>
  );
}
