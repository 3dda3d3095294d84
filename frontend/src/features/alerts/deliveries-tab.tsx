import { Button } from '@mantine/core';
import { operations, type WebhookAttempt, type WebhookDelivery } from '@svc/contracts';
import type { DeliveryState } from '@svc/domain';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { alertRulesQuery } from '../../api/alert-rules.ts';
import { operationQuery } from '../../api/query-key.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { focusStep } from '../../ui/focus-step.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Age, Time } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import type { AlertRulesView } from './alert-rules-view.ts';
import styles from './deliveries-tab.module.css';
import { DeliveryDetails } from './delivery-details.tsx';

const route = getRouteApi(paths.alertRules);

const outcomes: Readonly<Record<DeliveryState, string>> = {
  queued: 'On its way',
  delivered: 'Delivered',
  failed: 'Failed',
};
const anyOutcome = 'any';

/** What was told to webhooks, newest first, and how each attempt went. */
export function DeliveriesTab(): ReactNode {
  const { rule, outcome, before } = route.useSearch();
  const navigate = route.useNavigate();
  const rules = useQuery(alertRulesQuery);
  const asked = { ...(rule && { rule_id: rule }), ...(outcome && { state: outcome }), ...(before && { before }) };
  const { data, error, refetch } = useQuery({
    ...operationQuery(operations.listWebhookDeliveries, asked),
    refetchInterval: 10_000,
  });
  const show = (changes: Pick<AlertRulesView, 'rule' | 'outcome' | 'before'>): void =>
    void navigate({
      search: {
        view: 'deliveries',
        ...(rule && { rule }),
        ...(outcome && { outcome }),
        ...changes,
      },
      resetScroll: false,
    });
  const isNarrowed = rule !== undefined || outcome !== undefined || before !== undefined;
  return (
    <>
      <div className={styles.filters}>
        <Choice
          label="Outcome"
          value={outcome ?? anyOutcome}
          options={[[anyOutcome, 'Any outcome'], ...Object.entries(outcomes)]}
          onChange={(value) =>
            void navigate({
              search: {
                view: 'deliveries',
                ...(rule && { rule }),
                ...(value !== anyOutcome && { outcome: value as DeliveryState }),
              },
            })
          }
        />
        {rule !== undefined && (
          <FilterChip
            text={`rule:${data?.deliveries[0]?.rule.name ?? rule}`}
            onRemove={() => void navigate({ search: { view: 'deliveries', ...(outcome && { outcome }) } })}
          />
        )}
        <GuideLink chapter="webhooks">How a receiver verifies a signature</GuideLink>
      </div>
      {rules.data?.readiness.map(({ message, fix }) => (
        <p key={message} className={cx(styles.reach, 'faint')}>
          {message}.{fix !== null && ` ${fix}.`}
        </p>
      ))}
      {data === undefined && error ? (
        <ErrorState what="The deliveries cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={320} />
      ) : data.deliveries.length === 0 ? (
        <EmptyState icon={IconSend} title={isNarrowed ? 'No such deliveries' : 'Nothing was told to a webhook yet'}>
          {isNarrowed
            ? 'Take a filter away to see others.'
            : 'A rule whose webhook is on tells it of each match. Test, beside the webhook of a rule, sends a first delivery.'}
        </EmptyState>
      ) : (
        <DeliveriesTable deliveries={data.deliveries} onRule={(id) => show({ rule: id })} />
      )}
      <nav className={styles.pages} aria-label="Pages">
        {before !== undefined && (
          <Button variant="default" onClick={() => show({})}>
            Newest
          </Button>
        )}
        {data?.before && (
          <Button variant="default" onClick={() => show({ before: data.before! })}>
            Older
          </Button>
        )}
      </nav>
    </>
  );
}

function DeliveriesTable(props: { deliveries: readonly WebhookDelivery[]; onRule: (id: number) => void }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  useKeys({
    j: () => focusStep(body.current, 'button[data-row]', 1),
    k: () => focusStep(body.current, 'button[data-row]', -1),
  });
  return (
    <div className={cx('card', table.wrap)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.outcome}>
              Outcome
            </th>
            <th scope="col">Rule</th>
            <th scope="col" className={styles.event}>
              Event
            </th>
            <th scope="col" className={styles.job}>
              Job
            </th>
            <th scope="col">Last attempt</th>
            <th scope="col" className={cx(styles.when, 'num')}>
              When
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {props.deliveries.map((delivery) => (
            <Row
              key={delivery.id}
              delivery={delivery}
              open={opened === delivery.id}
              onOpen={() => setOpened(opened === delivery.id ? null : delivery.id)}
              onRule={props.onRule}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: { delivery: WebhookDelivery; open: boolean; onOpen: () => void; onRule: (id: number) => void }) {
  const { delivery, open, onOpen, onRule } = props;
  const { id, rule, state, event, job_id: job, filename, attempts, created_at: at } = delivery;
  const last = attempts.at(-1);
  return (
    <>
      <tr className={table.row}>
        <td>
          <LinkButton
            data-row
            aria-expanded={open}
            aria-controls={open ? `delivery-${id}` : undefined}
            className={styles[state]}
            onClick={onOpen}
          >
            {outcomes[state]}
          </LinkButton>
        </td>
        <td>
          <LinkButton data-hint={`Only deliveries of ${rule.name}`} onClick={() => onRule(rule.id)}>
            {rule.name}
          </LinkButton>
        </td>
        <td>
          <code>{event}</code>
        </td>
        <td>
          {job === null ? (
            <span className="faint">–</span>
          ) : (
            <Link to={paths.job} params={{ jobId: job }} data-hint={filename ?? undefined}>
              {filename ?? `Job ${job}`}
            </Link>
          )}
        </td>
        <td className="soft">{last === undefined ? 'Not tried yet' : <LastAttempt attempt={last} />}</td>
        <td className="num soft">
          <Age iso={at} />
        </td>
      </tr>
      {open && (
        <tr id={`delivery-${id}`}>
          <td colSpan={6} className={styles.details}>
            <DeliveryDetails id={id} state={state} />
          </td>
        </tr>
      )}
    </>
  );
}

function LastAttempt({
  attempt: { attempt, ok, status_code: status, error, next_attempt_at: next },
}: {
  attempt: WebhookAttempt;
}) {
  const how = ok === null ? 'Under way' : ok ? `Answered ${status}` : (error ?? 'Failed');
  return (
    <span data-hint={how}>
      {how}
      {attempt > 1 && `, attempt ${attempt}`}
      {next !== null && (
        <>
          {' '}
          · next <Time iso={next} />
        </>
      )}
    </span>
  );
}
