import type { operations, OutputOf } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { entitiesTogetherQuery, entityJobsQuery } from '../../api/intel.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PartPager } from '../../ui/pager.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import type { TimeWindow } from '../../ui/time-bars/time-bars.ts';
import { AssociatedEntities } from './associated-entities.tsx';
import { EntityAliases } from './entity-aliases.tsx';
import { EntityEnrichment } from './entity-enrichment.tsx';
import { EntityLink } from './entity-link.tsx';
import { EntityNote } from './entity-note.tsx';
import { EntitySightings } from './entity-sightings.tsx';
import { EntityThreats } from './entity-threats.tsx';
import type { EntityView } from './entity-view.ts';
import styles from './entity-overview.module.css';
import { EntityTypeMark } from './entity-types.tsx';

interface OverviewProps {
  readonly entity: OutputOf<typeof operations.getEntity>;
  readonly view: EntityView;
  readonly onChange: (changed: { readonly [K in keyof EntityView]?: EntityView[K] | undefined }) => void;
}

/** Findings and sightings, facts, note, jobs that name it, what it is related to, and what is named beside it. */
export function EntityOverview({ entity, view, onChange }: OverviewProps) {
  const { page = 1, from, to, aliases = false } = view;
  const window = from === undefined || to === undefined ? null : { from, to };
  const narrow = (next: TimeWindow | null) => onChange({ from: next?.from, to: next?.to });
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Card title="Seen">
          <EntitySightings id={entity.id} window={window} onWindow={narrow} />
        </Card>
        <Card title="Facts">
          <dl className={styles.facts}>
            <dt>Jobs</dt>
            <dd>{count(entity.job_count)}, private ones included</dd>
            <dt>First seen</dt>
            <dd>
              <Time iso={entity.first_seen_at} zone />
            </dd>
            <dt>Last seen</dt>
            <dd>
              <Time iso={entity.last_seen_at} zone />
            </dd>
            {entity.allowlist_reason !== null && (
              <>
                <dt>Allowlisted</dt>
                <dd>{entity.allowlist_reason}</dd>
              </>
            )}
          </dl>
        </Card>
        <Card title="Same as">
          <EntityAliases
            entity={entity}
            isCounted={aliases}
            onCount={(isCounted) => onChange({ aliases: isCounted || undefined })}
          />
        </Card>
        <Card title="Note">
          <EntityNote key={entity.id} entity={entity} />
        </Card>
        <Card title={aliases ? 'Jobs that name it or an alias' : 'Jobs that name it'}>
          {window && <FilterChip text={daysOf(window)} onRemove={() => narrow(null)} />}
          <Jobs
            id={entity.id}
            page={page}
            window={window}
            withAliases={aliases}
            onPage={(next) => onChange({ page: next })}
          />
        </Card>
      </div>
      <div className={styles.column}>
        <Card title="Known elsewhere">
          <EntityEnrichment id={entity.id} />
        </Card>
        <Card title="Associated">
          <AssociatedEntities
            id={entity.id}
            onKind={(kinds) => onChange({ view: 'relationships', kinds, from: undefined, to: undefined })}
          />
        </Card>
        <Card title="What went on in its jobs">
          <EntityThreats id={entity.id} />
        </Card>
        <Card title="Named together">
          <Together id={entity.id} />
        </Card>
      </div>
    </div>
  );
}

/** The days of a window, UTC. */
function daysOf({ from, to }: TimeWindow): string {
  const [first, last] = [from, to].map((at) => new Date(at).toISOString().slice(0, 10));
  return first === last ? first! : `${first} to ${last}`;
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={cx('card', styles.card)} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}

interface JobsProps {
  readonly id: number;
  readonly page: number;
  readonly window: TimeWindow | null;
  readonly withAliases: boolean;
  readonly onPage: (page: number) => void;
}

function Jobs({ id, page, window, withAliases, onPage }: JobsProps) {
  const { data, error, refetch } = useQuery(entityJobsQuery(id, page, { ...window, withAliases }));
  if (data === undefined) {
    if (error) return <ErrorState what="The jobs cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={64} />;
  }
  if (data.total === 0) return <p className="soft">None that you may see.</p>;
  return (
    <>
      <ul className={styles.list}>
        {data.jobs.map((job) => (
          <li key={job.id}>
            <Link to={paths.job} params={{ jobId: job.id }} className={styles.row}>
              <span className="cut">{job.filename}</span>
              <StatusMark status={job.status} />
              <span className="faint">{counted(job.occurrence_count, 'event')}</span>
            </Link>
          </li>
        ))}
      </ul>
      {data.total_pages > 1 && <PartPager part={data} rows={data.jobs.length} onPage={onPage} />}
    </>
  );
}

/** So many of what is named together are in sight at first. */
const fewTogether = 10;

function Together({ id }: { id: number }) {
  const [isWhole, setWhole] = useState(false);
  const { data, error, refetch } = useQuery(entitiesTogetherQuery(id));
  if (data === undefined) {
    if (error) return <ErrorState what="This cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={64} />;
  }
  if (data.items.length === 0) return <p className="soft">Nothing, in jobs that you may see.</p>;
  const shown = isWhole ? data.items : data.items.slice(0, fewTogether);
  return (
    <>
      <ul className={styles.list}>
        {shown.map((other) => (
          <li key={other.id} className={cx(styles.row, other.allowlisted && 'faint')}>
            <EntityTypeMark type={other.entity_type} isShort />
            <EntityLink entity={other} className={styles.link} />
            <span className="faint">{counted(other.shared_jobs, 'job')}</span>
          </li>
        ))}
      </ul>
      {data.items.length > fewTogether && (
        <LinkButton aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${data.items.length}`}
        </LinkButton>
      )}
    </>
  );
}
