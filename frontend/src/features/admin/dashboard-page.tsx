import { Button } from '@mantine/core';
import type { Dashboard } from '@svc/contracts';
import { IconChecklist, IconHistory, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dashboardQuery, runReadiness } from '../../api/admin.ts';
import { importPackUrl, offeredPackQuery } from '../../api/rule-packs.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { OfferedPack } from '../../ui/offered-pack.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { useOfferAway } from '../../ui/use-offer-away.ts';
import styles from './dashboard-page.module.css';
import { ReadinessReport } from './readiness-report.tsx';
import { backfills, taskWords } from './task-texts.ts';

/** Whether the service is ready and what mends it, what there is, and what was done last. */
export function DashboardPage(): ReactNode {
  const { data, error, refetch } = useQuery(dashboardQuery);
  const run = useMutation({ mutationFn: runReadiness });
  const [isAway, putAway] = useOfferAway();
  const offered = useQuery({ ...offeredPackQuery, enabled: !isAway });
  if (data === undefined && error) {
    return <ErrorState whole what="The dashboard cannot be shown" error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <title>Dashboard · svc</title>
      <PageHead title="Dashboard">
        {data !== undefined && (
          <span className="faint">
            Checked <Time iso={data.readiness.checked_at} zone />
          </span>
        )}
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden="true" />}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          Run checks now
        </Button>
      </PageHead>
      {run.error && <Failure error={run.error} />}
      {data === undefined ? (
        <Skeleton height={320} />
      ) : (
        <>
          <OfferedPack offer={isAway ? null : offered.data?.offer} take={importPackUrl} putAway={() => putAway(true)} />
          <ReadinessReport readiness={data.readiness} />
          <Amounts dashboard={data} />
          <div className={styles.halves}>
            <RecentActivity events={data.overview.recent_activity} />
            <Maintenance rows={data.maintenance} />
          </div>
          <p className={styles.note}>
            The same checks on the machine itself, also when the service does not start: <code>svc doctor</code>.{' '}
            <GuideLink chapter="administration">Administration in the guide</GuideLink>
          </p>
        </>
      )}
    </>
  );
}

function Amounts({ dashboard: { overview, counts } }: { dashboard: Dashboard }) {
  const { jobs } = overview;
  const work = [
    jobs.running > 0 && `${count(jobs.running)} running`,
    jobs.pending > 0 && `${count(jobs.pending)} waiting`,
    `${count(jobs.completed)} completed`,
  ];
  return (
    <ul aria-label="What there is" className={styles.amounts}>
      <Amount to={paths.jobs} label="Jobs" value={jobs.total} more={work.filter(Boolean).join(', ')} />
      <Amount to={paths.tasks} label="Background tasks" value={overview.active_background} more="in flight" />
      <Amount to={paths.users} label="Users" value={counts.users} more={counted(counts.admins, 'administrator')} />
      <Amount to={paths.apiTokens} label="API tokens" value={counts.active_tokens} more="active" />
      <Amount to={paths.activity} label="Activity" value={counts.activity_last_hour} more="in the last hour" />
      <Amount to={paths.workflows} label="Workflows" value={counts.workflows} more="for submitted logs" />
      <Amount to={paths.enrichment} label="Enrichment" {...switchedOn(counts.enrichment)} />
      <Amount to={paths.aiProviders} label="AI providers" {...switchedOn(counts.ai_providers)} />
    </ul>
  );
}

function switchedOn({ total, enabled }: { total: number; enabled: number }) {
  return { value: total, more: total === enabled ? 'switched on' : `${enabled} switched on` };
}

interface AmountProps {
  readonly to?:
    | typeof paths.aiProviders
    | typeof paths.enrichment
    | typeof paths.jobs
    | typeof paths.tasks
    | typeof paths.users
    | typeof paths.apiTokens
    | typeof paths.workflows;
  readonly label: string;
  readonly value: number;
  readonly more: string;
}

function Amount({
  to,
  label,
  value,
  more,
}: Omit<AmountProps, 'to'> & { to?: AmountProps['to'] | typeof paths.activity }) {
  return (
    <li className={cx('card', styles.amount)}>
      {to === undefined ? <span className="soft">{label}</span> : <Link to={to}>{label}</Link>}
      <strong>{count(value)}</strong>
      <span className="faint">{more}</span>
    </li>
  );
}

function RecentActivity({ events }: { events: Dashboard['overview']['recent_activity'] }) {
  return (
    <section aria-labelledby="activity" className={cx('card', styles.part)}>
      <div className={styles.partHead}>
        <h2 id="activity">Recent activity</h2>
        <Link to={paths.activity}>All activity</Link>
      </div>
      {events.length === 0 ? (
        <EmptyState icon={IconHistory} title="Nothing is recorded">
          <p>
            The activity log is switched on in the{' '}
            <Link to={paths.settings} className={styles.inText}>
              settings
            </Link>
            .
          </p>
        </EmptyState>
      ) : (
        <ul className={styles.rows}>
          {events.map(({ id, summary, actor, action, outcome, timestamp }) => (
            <li key={id} className={styles.row}>
              <div className={styles.words}>
                <Link to={paths.activity} search={{ action }}>
                  {summary}
                </Link>
                {outcome !== 'success' && <span className={styles.bad}> {outcome}</span>}
                <p className="faint">{actor.label}</p>
              </div>
              <span className="faint">
                <Age iso={timestamp} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Maintenance({ rows }: { rows: Dashboard['maintenance'] }) {
  return (
    <section aria-labelledby="maintenance" className={cx('card', styles.part)}>
      <div className={styles.partHead}>
        <h2 id="maintenance">Maintenance</h2>
        <Link to={paths.tasks}>All tasks</Link>
      </div>
      {rows.length === 0 ? (
        <EmptyState icon={IconChecklist} title="There is nothing to do" />
      ) : (
        <ul className={styles.rows}>
          {rows.map(({ kind, last }) => (
            <li key={kind} className={styles.row}>
              <div className={styles.words}>
                {backfills.find((one) => one.kind === kind)?.label ?? kind}
                {last !== null && <p className="faint">{last.error ?? last.detail}</p>}
              </div>
              {last === null ? (
                <span className="faint">not run yet</span>
              ) : (
                <span className={styles.last}>
                  <StatusMark status={last.status} word={taskWords[last.status]} why={last.error} />
                  <span className="faint">
                    <Age iso={last.finished_at ?? last.started_at ?? last.created_at} />
                  </span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
