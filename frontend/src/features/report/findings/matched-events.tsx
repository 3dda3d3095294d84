import type { FindingRow, MatchedEvent } from '@svc/contracts';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type EventPlace, eventsQuery, useReport } from '../../../api/report-source.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { MatchedEventCard } from '../../../ui/matched-event/matched-event-card.tsx';
import { FieldDoor } from '../doors/field-door.tsx';
import { fittingEvents, soughtInWords, type EventsSought } from './fitting-events.ts';
import styles from './matched-events.module.css';
import type { RuleTerm } from '../../../ui/matched-event/read-rule.ts';

const AllMatches = lazy(async () => ({ default: (await import('./all-matches.tsx')).AllMatches }));

interface MatchedEventsProps {
  readonly finding: FindingRow;
  readonly terms: readonly RuleTerm[];
  /** What is looked at: the events that fit it come first. */
  readonly sought: EventsSought;
  /** The event that was unfolded last. */
  readonly looked: EventPlace | null;
  /** Told which event is unfolded. */
  readonly onLook: (event: EventPlace) => void;
}

/** The events that a finding keeps as its evidence. */
export function MatchedEvents({ finding, terms, sought, looked, onLook }: MatchedEventsProps) {
  const report = useReport();
  const { data, error, refetch } = useQuery({ ...eventsQuery(report, finding.id), enabled: finding.has_details });
  const [whole, setWhole] = useState(looked?.among === 'all');
  if (!finding.has_details) {
    return (
      <EmptyState icon={IconFileOff} title="No events are kept for this finding">
        The engine reported that the rule matched, without the events themselves.
      </EmptyState>
    );
  }
  if (error) return <ErrorState what="The events cannot be read" error={error} retry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={styles.loading} role="status" aria-busy="true" aria-label="The events are loading">
        {[60, 80, 70, 90, 50].map((width) => (
          <Skeleton key={width} width={`${width}%`} />
        ))}
      </div>
    );
  }
  const words = soughtInWords(sought);
  if (whole) {
    const fields = [...new Set(data.events.flatMap((event) => Object.keys(event.fields)))];
    return (
      <div className={styles.events}>
        <div className={styles.bar}>
          <span>{counted(finding.count, 'matched event')} in the order of the log</span>
          <LinkButton onClick={() => setWhole(false)}>First events only</LinkButton>
        </div>
        <Suspense fallback={<Skeleton height={200} />}>
          <AllMatches
            finding={finding}
            terms={terms}
            fields={fields}
            looked={looked?.among === 'all' ? looked.place : null}
            onLook={(place) => onLook({ among: 'all', place })}
          />
        </Suspense>
      </div>
    );
  }
  // What is looked for anew begins with its first event open.
  return (
    <Events
      key={words}
      events={data.events}
      matches={finding.count}
      terms={terms}
      sought={sought}
      words={words}
      onLook={(place) => onLook({ among: 'samples', place })}
      onWhole={() => setWhole(true)}
    />
  );
}

interface EventsProps extends Pick<MatchedEventsProps, 'terms' | 'sought'> {
  readonly events: readonly MatchedEvent[];
  readonly matches: number;
  readonly words: string | null;
  /** Told the place of an event that is unfolded. */
  readonly onLook: (place: number) => void;
  /** Asks for all of the matched events. */
  readonly onWhole: () => void;
}

function Events({ events, matches, terms, sought, words, onLook, onWhole }: EventsProps) {
  const { fitting, others } = fittingEvents(events, sought);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set([...fitting, ...others].slice(0, 1)));
  const all = events.length;
  const allOpen = open.size === all;
  const cards = (places: readonly number[]) =>
    places.map((place) => (
      <MatchedEventCard
        key={place}
        event={events[place]!}
        terms={terms}
        open={open.has(place)}
        Pivots={FieldDoor}
        onToggle={() => {
          if (!open.has(place)) onLook(place);
          setOpen(new Set(open.has(place) ? [...open].filter((other) => other !== place) : [...open, place]));
        }}
      />
    ));
  return (
    <div className={styles.events}>
      <div className={styles.bar}>
        <span>
          {all < matches
            ? `The first ${count(all)} of ${counted(matches, 'matched event')}`
            : counted(all, 'matched event')}
        </span>
        {matches > 1 && <LinkButton onClick={onWhole}>Page and group all</LinkButton>}
        {all > 1 && (
          <LinkButton onClick={() => setOpen(new Set(allOpen ? [] : events.keys()))}>
            {allOpen ? 'Fold all' : 'Unfold all'}
          </LinkButton>
        )}
      </div>
      {cards(fitting)}
      {words !== null && others.length > 0 && (
        <p className={styles.others}>
          {fitting.length === 0 ? `None of the events that are kept is ${words}:` : `Not ${words}:`}
        </p>
      )}
      {cards(others)}
    </div>
  );
}
