import type { ActivityEvent } from '@svc/contracts';
import { useRef, useState } from 'react';
import { cx } from '../../ui/class-names.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import table from '../../ui/table.module.css';
import { Age, Time } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import styles from './activity-page.module.css';
import type { ActivityView } from './activity-view.ts';

interface TableProps {
  readonly events: readonly ActivityEvent[];
  readonly onNarrow: (view: Pick<ActivityView, 'action' | 'actor' | 'target'>) => void;
}

/** Rows of the log, each of which opens to all that is known of it. */
export function ActivityTable({ events, onNarrow }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [opened, setOpened] = useState<number | null>(null);
  useKeys({
    j: () => focusStep(body.current, 'button[data-row]', 1),
    k: () => focusStep(body.current, 'button[data-row]', -1),
  });
  return (
    <div className={cx('card', table.wrap)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className={styles.who}>
              Who
            </th>
            <th scope="col" className={styles.action}>
              Action
            </th>
            <th scope="col" className={cx(styles.when, 'num')}>
              When
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {events.map((event) => (
            <Row
              key={event.id}
              event={event}
              open={opened === event.id}
              onOpen={() => setOpened(opened === event.id ? null : event.id)}
              onNarrow={onNarrow}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: { event: ActivityEvent; open: boolean; onOpen: () => void; onNarrow: TableProps['onNarrow'] }) {
  const { event, open, onOpen, onNarrow } = props;
  const { id, summary, outcome, actor, action, timestamp } = event;
  return (
    <>
      <tr className={table.row}>
        <td>
          <LinkButton
            data-row
            aria-expanded={open}
            aria-controls={open ? `activity-${id}` : undefined}
            onClick={onOpen}
          >
            {summary}
          </LinkButton>
          {outcome !== 'success' && <span className={styles.bad}>{outcome}</span>}
        </td>
        <td>
          <LinkButton data-hint={`Only what ${actor.label} did`} onClick={() => onNarrow({ actor: actor.label })}>
            {actor.label}
          </LinkButton>
        </td>
        <td>
          <LinkButton data-hint="Only this action" className={styles.code} onClick={() => onNarrow({ action })}>
            {action}
          </LinkButton>
        </td>
        <td className="num soft">
          <Age iso={timestamp} />
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={4} className={styles.details}>
            <div id={`activity-${id}`}>
              <Details event={event} onNarrow={onNarrow} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function Details({ event, onNarrow }: { event: ActivityEvent; onNarrow: TableProps['onNarrow'] }) {
  const { timestamp, actor, target, metadata, request_id: request } = event;
  return (
    <dl className={styles.facts}>
      <dt>When</dt>
      <dd>
        <Time iso={timestamp} precise zone />
      </dd>
      <dt>From</dt>
      <dd>{actor.ip === '' ? 'no address' : <code>{actor.ip}</code>}</dd>
      {target && (
        <>
          <dt>Target</dt>
          <dd>
            <LinkButton data-hint="Only what was done to it" onClick={() => onNarrow({ target: target.id })}>
              {target.type} <code>{target.id}</code>
            </LinkButton>
          </dd>
        </>
      )}
      {request !== '' && (
        <>
          <dt>Request</dt>
          <dd>
            <code>{request}</code>
          </dd>
        </>
      )}
      {metadata && (
        <>
          <dt>Details</dt>
          <dd>
            <pre className={styles.metadata}>{JSON.stringify(metadata, null, 2)}</pre>
          </dd>
        </>
      )}
    </dl>
  );
}
