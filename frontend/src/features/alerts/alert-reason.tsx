import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { MatchedEvent } from '@svc/contracts';
import type { Severity } from '@svc/domain';
import { alertReasonQuery, type AlertKind } from '../../api/alerts.ts';
import { paths } from '../../paths.ts';
import { count, counted } from '../../ui/format.ts';
import { MatchedEventCard } from '../../ui/matched-event/matched-event-card.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import styles from './alerts-tab.module.css';

interface ReasonProps {
  readonly kind: AlertKind;
  readonly id: number;
  readonly jobId: number;
  /** What it matched; null where that is the job. */
  readonly entityId: number | null;
}

/** Which terms of the rule hold, and the events behind it. */
export function AlertReason({ kind, id, jobId, entityId }: ReasonProps): ReactNode {
  const { data, error, refetch } = useQuery(alertReasonQuery(kind, id));
  const [opened, setOpened] = useState<number | null>(null);
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
        <ul
          className={styles.findings}
          aria-label={kind === 'entities' ? 'Findings whose events name it' : 'The worst findings of the job'}
        >
          {data.findings.map((finding) => (
            <li key={finding.id}>
              <span className={styles.finding}>
                {/* The service knows no other severities. */}
                <SeverityMark severity={finding.severity as Severity} />
                <Link to={paths.job} params={{ jobId }} search={{ finding: finding.id, ...momentOf(finding.event) }}>
                  {finding.rule_name}
                </Link>
                <span className="faint">
                  {count(finding.count)} {finding.count === 1 ? 'event' : 'events'}
                </span>
              </span>
              {finding.event && (
                <MatchedEventCard
                  event={finding.event}
                  terms={[]}
                  open={opened === finding.id}
                  onToggle={() => setOpened(opened === finding.id ? null : finding.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {entityId !== null && data.findings.length === 0 && (
        <p className="faint">
          No finding of the job names it, but {counted(data.events ?? 0, 'event')} that no rule of detection matched.{' '}
          <Link to={paths.entity} params={{ entityId }} search={{ view: 'relationships', job: jobId }}>
            What it did there
          </Link>
        </p>
      )}
    </div>
  );
}

/** Where the report shows an event among those of its finding. */
function momentOf(event: MatchedEvent | null): { readonly at?: number } {
  const at = event?.timestamp ? Date.parse(event.timestamp) : Number.NaN;
  return Number.isNaN(at) ? {} : { at };
}
