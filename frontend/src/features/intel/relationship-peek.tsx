import type { JobEvidence } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { relationshipEvidenceQuery, relationshipTimespanQuery } from '../../api/intel.ts';
import { paths } from '../../paths.ts';
import { count, counted } from '../../ui/format.ts';
import { PartPager } from '../../ui/pager.tsx';
import { Peek } from '../../ui/peek.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { EntityLink } from './entity-link.tsx';
import { EntityTypeMark } from './entity-types.tsx';
import styles from './relationship-peek.module.css';

/** What shows a relationship: when, in which jobs, by which events, and what was found in these. */
export function RelationshipPeek({ id, onClose }: { id: number; onClose: () => void }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(relationshipEvidenceQuery(id, page));
  return (
    <Peek label="Evidence of the relationship" onClose={onClose}>
      {data === undefined ? (
        error ? (
          <ErrorState what="The evidence cannot be read" error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton height={160} />
        )
      ) : (
        <>
          <header className={styles.head}>
            <p className={styles.end}>
              <EntityTypeMark type={data.source.entity_type} isShort />
              <EntityLink entity={data.source} className={styles.value} />
            </p>
            <h2 className={styles.kind}>{data.rel_label}</h2>
            <p className={styles.end}>
              <EntityTypeMark type={data.target.entity_type} isShort />
              <EntityLink entity={data.target} className={styles.value} />
            </p>
            <Span id={id} />
          </header>
          {data.total === 0 && <p className="soft">No job that you may see shows it.</p>}
          {data.evidence.map((evidence) => (
            <Evidence key={evidence.job.id} evidence={evidence} />
          ))}
          {data.total_pages > 1 && <PartPager part={data} rows={data.evidence.length} onPage={setPage} />}
        </>
      )}
    </Peek>
  );
}

/** From when to when, and in how much of what there is. */
function Span({ id }: { id: number }) {
  const { data } = useQuery(relationshipTimespanQuery(id));
  if (data === undefined) return <Skeleton width="80%" />;
  const [from, to] = [data.from, data.to].map((at) => new Date(at).toISOString()) as [string, string];
  return (
    <p className="soft">
      {data.time_source === 'event' ? 'Observed' : 'No event tells a time; recorded'} <Time iso={from} />
      {from !== to && (
        <>
          {' – '}
          <Time iso={to} />
        </>
      )}{' '}
      <span className="faint">UTC</span>,{' '}
      {data.evidence_occurrences === data.occurrence_count
        ? `${counted(data.occurrence_count, 'event')} of ${counted(data.jobs, 'job')}`
        : `${counted(data.evidence_occurrences, 'event')} of ${counted(data.jobs, 'job')} that you may see, ${count(data.occurrence_count)} in all`}
    </p>
  );
}

function Evidence({ evidence }: { evidence: JobEvidence }) {
  const { job, occurrence_count: events, failed_count: failed = 0, from, to, findings, events: samples } = evidence;
  return (
    <section className={styles.job} aria-label={job.filename}>
      <h3 className={styles.title}>
        <Link to={paths.job} params={{ jobId: job.id }} className="cut">
          {job.filename}
        </Link>{' '}
        <span className="faint">#{job.id}</span>
      </h3>
      <p className="soft">
        {events === undefined ? 'Names both; no event of it shows this' : counted(events, 'event')}
        {failed > 0 && `, ${count(failed)} of them failed`}
        {from !== null && (
          <>
            , <Time iso={new Date(from).toISOString()} />
            {to !== null && to !== from && (
              <>
                {' – '}
                <Time iso={new Date(to).toISOString()} />
              </>
            )}
          </>
        )}
      </p>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="Findings that name both">
          {findings.map((finding) => (
            <li key={finding.id}>
              <SeverityMark severity={finding.severity} />
              <Link to={paths.job} params={{ jobId: job.id }} search={{ finding: finding.id }} className="cut">
                {finding.rule_name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {samples.map((sample, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- samples have nothing but their place
        <details key={place} className={styles.event} open={place === 0}>
          <summary>{headOf(sample)}</summary>
          <dl className={styles.fields}>
            {Object.entries(sample).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{shown(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  );
}

/** What an event is, by the fields that say so. */
function headOf(sample: JobEvidence['events'][number]): string {
  const { EventID: event, UtcTime: utc, SystemTime: system, Timestamp: stamp } = sample;
  const parts = [utc ?? system ?? stamp, event === undefined ? undefined : `event ${shown(event)}`];
  const told = parts.filter((part) => part !== undefined).map(shown);
  return told.length === 0 ? 'Event' : told.join(' · ');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
