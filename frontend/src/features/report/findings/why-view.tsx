import type { FindingRow, MatchedEvent, Why } from '@svc/contracts';
import { IconCheck, IconFileOff, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type EventPlace,
  eventsQuery,
  matchesQuery,
  pageWith,
  useReport,
  whyQuery,
} from '../../../api/report-source.ts';
import { cx } from '../../../ui/class-names.ts';
import { count } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { fittingEvents, type EventsSought } from './fitting-events.ts';
import styles from './why-view.module.css';

type WhyRule = NonNullable<Why['rule']>;
type Part = WhyRule['parts'][number];
type Item = Part['alternatives'][number]['items'][number];

interface WhyProps {
  readonly finding: FindingRow;
  readonly sought: EventsSought;
  /** The event on view; null for the first that is looked for. */
  readonly looked: EventPlace | null;
  readonly onLook: (event: EventPlace) => void;
}

/** Why the rule matched the event on view: what of the rule holds for it, and the values that it holds for. */
export function WhyView({ finding, sought, looked, onLook }: WhyProps) {
  const report = useReport();
  const kept = useQuery({ ...eventsQuery(report, finding.id), enabled: finding.has_details });
  const events = kept.data?.events ?? [];
  const { fitting, others } = fittingEvents(events, sought);
  const { among, place } = looked ?? { among: 'samples', place: fitting[0] ?? others[0] ?? 0 };
  const page = useQuery({
    ...matchesQuery(report, finding.id, { page: pageWith(place), value: null }),
    enabled: among === 'all',
  });
  const { data, error, refetch } = useQuery({
    ...whyQuery(report, finding.id, { among, place }),
    enabled: finding.has_rule && events.length > 0,
  });
  if (!finding.has_rule || !finding.has_details) {
    return (
      <EmptyState
        icon={IconFileOff}
        title={finding.has_rule ? 'No events are kept for this finding' : 'The source of this rule is not at hand'}
      >
        {finding.has_rule
          ? 'The rule cannot be held against an event that is not kept.'
          : 'The engine reported the rule by name only, so what it asks for is not known.'}
      </EmptyState>
    );
  }
  if (error) return <ErrorState what="The reason cannot be told" error={error} retry={() => void refetch()} />;
  const { events: ofPage = [], places = [], more = false } = page.data ?? {};
  const event = among === 'all' ? ofPage[places.indexOf(place)] : events[place];
  const isLast = among === 'all' ? !more && place === places.at(-1) : place === events.length - 1;
  return (
    <div className={styles.view}>
      {event && (
        <Chosen
          event={event}
          place={place}
          all={among === 'all' ? finding.count : events.length}
          isLast={isLast}
          onLook={(to) => onLook({ among, place: to })}
        />
      )}
      {data ? <Reason why={data} /> : <Skeleton height={160} />}
    </div>
  );
}

interface ChosenProps {
  readonly event: MatchedEvent;
  readonly place: number;
  readonly all: number;
  /** Whether no other at hand comes behind it. */
  readonly isLast: boolean;
  readonly onLook: (place: number) => void;
}

/** Which of the events it is. */
function Chosen({ event, place, all, isLast, onLook }: ChosenProps) {
  return (
    <div className={styles.chosen}>
      <span>
        Event {count(place + 1)} of {count(all)}
      </span>
      {event.timestamp !== null && <Time iso={event.timestamp} precise />}
      {event.computer !== null && <span>{event.computer}</span>}
      {event.record_id !== null && <span className="faint">#{event.record_id}</span>}
      {all > 1 && (
        <span className={styles.steps}>
          <LinkButton disabled={place === 0} onClick={() => onLook(place - 1)}>
            Previous
          </LinkButton>
          <LinkButton disabled={isLast} onClick={() => onLook(place + 1)}>
            Next
          </LinkButton>
        </span>
      )}
    </div>
  );
}

function Reason({ why: { note, rule } }: { why: Why }) {
  return (
    <>
      {note !== null && <p className={styles.note}>{note}</p>}
      {rule && (
        <>
          <dl className={styles.facts}>
            <dt>Condition</dt>
            <dd>
              {rule.conditions.map((condition) => (
                <code key={condition} className={styles.condition}>
                  <Sign holds={rule.matches} /> {condition}
                </code>
              ))}
            </dd>
            <dt>Log source</dt>
            <dd>{rule.log_source}</dd>
          </dl>
          {rule.parts.map((part) => (
            <PartOfRule key={part.name} part={part} />
          ))}
        </>
      )}
    </>
  );
}

/** A named part of the rule; of its alternatives those that hold, or all where none does. */
function PartOfRule({ part: { name, holds, alternatives } }: { part: Part }) {
  const holding = alternatives.filter((one) => one.holds);
  const shown = holding.length > 0 ? holding : alternatives;
  const left = alternatives.length - shown.length;
  return (
    <section className={styles.part} aria-label={`${name} ${holds ? 'holds' : 'does not hold'}`}>
      <h3 className={styles.name}>
        <Sign holds={holds} /> <code>{name}</code>
      </h3>
      {shown.map(({ items }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- alternatives are known by their place only
        <ul key={at} className={styles.items}>
          {items.map((item, nth) => (
            // oxlint-disable-next-line react/no-array-index-key -- a rule may ask for a field twice
            <ItemOfRule key={nth} item={item} />
          ))}
        </ul>
      ))}
      {left > 0 && (
        <p className={styles.left}>
          {left === 1 ? 'One other alternative does' : `${count(left)} other alternatives do`} not hold.
        </p>
      )}
    </section>
  );
}

function ItemOfRule({ item: { key, found, holds, values, more } }: { item: Item }) {
  return (
    <li className={cx(styles.item, holds && styles.holds)}>
      <p className={styles.key}>
        <Sign holds={holds} /> <code>{key === '' ? 'keyword' : key}</code>
      </p>
      <ul className={styles.values}>
        {values.map((one) => (
          <li key={one.value}>
            <Sign holds={one.holds} /> <code>{one.value === '' ? '(empty)' : one.value}</code>
          </li>
        ))}
        {more > 0 && <li className="faint">{`and ${count(more)} more that ${more === 1 ? 'does' : 'do'} not hold`}</li>}
      </ul>
      {key !== '' && (
        <p className={styles.found}>
          {found === null ? (
            <span className="faint">The event has no such field.</span>
          ) : (
            <>
              <span className="faint">The event has </span>
              <code>{found.join(', ') || '(empty)'}</code>
            </>
          )}
        </p>
      )}
    </li>
  );
}

function Sign({ holds }: { holds: boolean }) {
  return holds ? (
    <IconCheck size={14} stroke={2} className={styles.yes} aria-label="holds:" />
  ) : (
    <IconX size={14} stroke={2} className={styles.no} aria-label="does not hold:" />
  );
}
