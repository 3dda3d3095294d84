import type { CaseActor, CaseActors, CaseDetails } from '@svc/contracts';
import { severities } from '@svc/domain';
import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { caseActorsQuery } from '../../api/case-story.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import tools from '../../ui/panel-tools.module.css';
import { SeverityMark, severityColors } from '../../ui/severity.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Time } from '../../ui/time.tsx';
import { useCaseView } from './use-case-view.ts';
import styles from './case-hosts.module.css';

/** Where it happened and who was part of it, over all logs of the case. */
export function CaseHosts({ of }: { of: CaseDetails }) {
  const { data, error, refetch } = useQuery(caseActorsQuery(of.id));
  const [, change] = useCaseView();
  if (data === undefined) {
    if (error) return <ErrorState what="Hosts and users cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  if (data.hosts.length + data.users.length === 0) {
    return (
      <EmptyState icon={IconServerOff} title="No host and no user is named">
        Findings of the jobs that you see name none.
      </EmptyState>
    );
  }
  return (
    <div className={styles.panels}>
      <Actors title="Hosts" actors={data.hosts} total={data.hosts_total} jobs={data.jobs}>
        {({ name }) => <LinkButton onClick={() => change({ view: 'findings', host: name })}>{name}</LinkButton>}
      </Actors>
      <Actors title="Users" actors={data.users} total={data.users_total} jobs={data.jobs}>
        {({ name, entity_id: id }) =>
          id === null ? (
            name
          ) : (
            <Link to={paths.entity} params={{ entityId: id }}>
              {name}
            </Link>
          )
        }
      </Actors>
    </div>
  );
}

interface ActorsProps {
  readonly title: 'Hosts' | 'Users';
  readonly actors: readonly CaseActor[];
  readonly total: number;
  readonly jobs: CaseActors['jobs'];
  readonly children: (actor: CaseActor) => ReactNode;
}

function Actors({ title, actors, total, jobs, children }: ActorsProps) {
  if (actors.length === 0) return null;
  const names = new Map(jobs.map(({ id, filename }) => [id, filename]));
  const logsOf = ({ job_ids: ids }: CaseActor) => ids.map((id) => names.get(id)).join('\n');
  return (
    <section className={cx('card', styles.card)} aria-label={title}>
      <div className={tools.tools}>
        <h2 className={styles.title}>{title}</h2>
        <span className={tools.facts}>
          {actors.length < total ? `the worst ${count(actors.length)} of ${count(total)}` : count(total)}
        </span>
      </div>
      <table className={cx(table.table, styles.table)}>
        <colgroup>
          <col style={{ width: '20%' }} />
          <col style={{ width: 208 }} />
          <col style={{ width: 72 }} />
          <col style={{ width: 160 }} />
          <col style={{ width: 160 }} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{title === 'Hosts' ? 'Host' : 'User'}</th>
            <th scope="col">Findings</th>
            <th scope="col" className="num">
              Logs
            </th>
            <th scope="col">First (UTC)</th>
            <th scope="col">Last (UTC)</th>
            <th scope="col">Worst rules</th>
          </tr>
        </thead>
        <tbody>
          {actors.map((actor) => (
            <tr key={actor.name} className={table.row}>
              <td data-hint={actor.name}>{children(actor)}</td>
              <td>
                <Counts of={actor} />
              </td>
              <td className="num" data-hint={logsOf(actor)}>
                {count(actor.job_ids.length)}
              </td>
              <td>{actor.first && <Time iso={actor.first} />}</td>
              <td>{actor.last && <Time iso={actor.last} />}</td>
              <td data-hint={rulesOf(actor)}>
                <Rules of={actor} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Findings by severity, the letter of each before how many. */
function Counts({ of: { findings } }: { of: CaseActor }) {
  return (
    <span className={styles.counts}>
      {severities
        .filter((severity) => (findings[severity] ?? 0) > 0)
        .map((severity) => (
          <span key={severity} className={styles.count} style={severityColors(severity)}>
            <span className={styles.letter} aria-hidden="true">
              {severity.charAt(0).toUpperCase()}
            </span>
            <span className="sr-only">{sentence(severity)}: </span>
            {count(findings[severity] ?? 0)}
          </span>
        ))}
    </span>
  );
}

function Rules({ of: { rules } }: { of: CaseActor }) {
  const [worst] = rules;
  if (worst === undefined) return null;
  return (
    <span className={styles.rules}>
      <SeverityMark severity={worst.severity} />
      <span className="cut">
        {worst.name}
        {rules.length > 1 && <span className="faint"> and {counted(rules.length - 1, 'more', 'more')}</span>}
      </span>
    </span>
  );
}

function rulesOf({ rules }: CaseActor): string {
  return rules.map(({ name, severity }) => `${sentence(severity)}: ${name}`).join('\n');
}
