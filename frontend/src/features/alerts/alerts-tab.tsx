import { Button } from '@mantine/core';
import type { Alert } from '@svc/contracts';
import { IconBellOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment, useId, useState, type ReactNode } from 'react';
import { alertsQuery, useAcknowledge, type AlertKind } from '../../api/alerts.ts';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { FlagField } from '../../ui/option-field.tsx';
import { EmptyState, ErrorState, Notice, reasonOf, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import { AlertReason } from './alert-reason.tsx';
import { alertRulesView, type AlertRulesView } from './alert-rules-view.ts';
import styles from './alerts-tab.module.css';

const route = getRouteApi(paths.alertRules);
const kinds = ['entities', 'jobs'] as const;
const titles: Readonly<Record<AlertKind, string>> = { entities: 'On entities', jobs: 'On jobs' };

/** What rules have matched: the newest of each kind, and why. */
export function AlertsTab(): ReactNode {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useMe()?.role === 'admin';
  const { entity, all, everybody } = view;
  const rule = view.rule === 'new' ? undefined : view.rule;
  const { data, error, refetch } = useQuery(alertsQuery({ rule, entity, all, everybody }));
  const acknowledge = useAcknowledge();
  const show = (change: { [K in keyof AlertRulesView]?: AlertRulesView[K] | undefined }) =>
    void navigate({ search: alertRulesView({ ...view, ...change }), replace: true, resetScroll: false });
  if (data === undefined) {
    if (error) return <ErrorState what="The alerts cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const shown = [...data.entities.alerts, ...data.jobs.alerts];
  const named = shown.find((alert) => alert.rule.id === rule)?.rule.name;
  const waits = shown.some(({ acknowledged_at: at }) => at === null);
  return (
    <>
      <div className={styles.bar}>
        <FlagField
          label="Also acknowledged"
          hint="Show alerts that were acknowledged, too"
          checked={all === true}
          onChange={(isOn) => show({ all: isOn ? true : undefined })}
        />
        {isAdmin && (
          <FlagField
            label="All members"
            hint="Show the alerts of everybody's rules, not only of yours and shared ones"
            checked={everybody === true}
            onChange={(isOn) => show({ everybody: isOn ? true : undefined })}
          />
        )}
        {rule !== undefined && (
          <FilterChip text={`rule ${named ?? `#${rule}`}`} onRemove={() => show({ rule: undefined })} />
        )}
        {entity !== undefined && (
          <FilterChip
            text={`entity ${shown.find((alert) => alert.entity?.id === entity)?.entity?.value ?? `#${entity}`}`}
            onRemove={() => show({ entity: undefined })}
          />
        )}
        {waits && everybody !== true && (
          <Button
            variant="default"
            className={styles.end}
            loading={acknowledge.isPending && acknowledge.variables === 'all'}
            onClick={() => acknowledge.mutate('all')}
          >
            Acknowledge all
          </Button>
        )}
      </div>
      {acknowledge.error && <Notice tone="bad">{reasonOf(acknowledge.error)}</Notice>}
      {shown.length === 0 && (
        <EmptyState icon={IconBellOff} title={all === true ? 'No alerts' : 'No alert waits'}>
          When a rule with its alert on matches what a job names, or a job, it shows up here and in the bell.
        </EmptyState>
      )}
      {kinds.map(
        (kind) =>
          data[kind].alerts.length > 0 && (
            <AlertTable
              key={kind}
              kind={kind}
              {...data[kind]}
              onRule={(id) => show({ rule: id })}
              onAcknowledge={(id) => acknowledge.mutate({ kind, id })}
            />
          ),
      )}
    </>
  );
}

interface TableProps {
  readonly kind: AlertKind;
  readonly total: number;
  readonly alerts: readonly Alert[];
  readonly onRule: (id: number) => void;
  readonly onAcknowledge: (id: number) => void;
}

function AlertTable({ kind, total, alerts, onRule, onAcknowledge }: TableProps): ReactNode {
  const title = useId();
  return (
    <section aria-labelledby={title}>
      <h2 id={title} className={styles.title}>
        {titles[kind]}{' '}
        <span className="faint">
          {total > alerts.length ? `the newest ${alerts.length} of ${count(total)}` : count(total)}
        </span>
      </h2>
      <div className="card">
        <table className={table.table} aria-labelledby={title}>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              {kind === 'entities' && <th scope="col">Entity</th>}
              <th scope="col">Job</th>
              <th scope="col" className={styles.when}>
                When
              </th>
              <th scope="col" className={styles.deeds}>
                <span className="sr-only">What to do</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {alerts.map((alert) => (
              <AlertRow key={alert.id} {...{ kind, alert, onRule, onAcknowledge }} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function AlertRow({
  kind,
  alert,
  onRule,
  onAcknowledge,
}: Pick<TableProps, 'kind' | 'onRule' | 'onAcknowledge'> & { readonly alert: Alert }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { id, rule, entity, job, at, acknowledged_at: acknowledgedAt } = alert;
  return (
    <Fragment>
      <tr className={table.row}>
        <td className={cx(acknowledgedAt === null && styles.open)}>
          <LinkButton onClick={() => onRule(rule.id)}>{rule.name}</LinkButton>
          {rule.owner !== undefined && <span className="faint"> {rule.owner}</span>}
          {rule.is_shared && <span className="faint"> shared</span>}
        </td>
        {entity && (
          <td className={styles.value}>
            <Link to={paths.entity} params={{ entityId: entity.id }}>
              {entity.value}
            </Link>
          </td>
        )}
        <td className={styles.value}>
          <Link to={paths.job} params={{ jobId: job.id }}>
            {job.filename}
          </Link>
        </td>
        <td>
          <Age iso={at} />
        </td>
        <td>
          <span className={styles.doing}>
            <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Why
            </LinkButton>
            {acknowledgedAt === null && <LinkButton onClick={() => onAcknowledge(id)}>Acknowledge</LinkButton>}
          </span>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={kind === 'entities' ? 5 : 4}>
            <AlertReason kind={kind} id={id} jobId={job.id} entityId={entity?.id ?? null} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}
