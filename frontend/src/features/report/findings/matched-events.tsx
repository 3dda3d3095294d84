import type { FindingRow } from '@svc/contracts';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventsQuery, useReport } from '../../../api/report-source.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { MatchedEventCard } from '../../../ui/matched-event/matched-event-card.tsx';
import { FieldPivots } from './field-pivots.tsx';
import styles from './matched-events.module.css';
import type { RuleTerm } from '../../../ui/matched-event/read-rule.ts';

/** The events that a finding keeps as its evidence. */
export function MatchedEvents({ finding, terms }: { finding: FindingRow; terms: readonly RuleTerm[] }) {
  const report = useReport();
  const { data, error, refetch } = useQuery({ ...eventsQuery(report, finding.id), enabled: finding.has_details });
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set([0]));
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
  const all = data.events.length;
  const allOpen = open.size === all;
  return (
    <div className={styles.events}>
      <div className={styles.bar}>
        <span>
          {all < finding.count
            ? `The first ${count(all)} of ${counted(finding.count, 'matched event')} are kept`
            : counted(all, 'matched event')}
        </span>
        {all > 1 && (
          <LinkButton onClick={() => setOpen(new Set(allOpen ? [] : data.events.keys()))}>
            {allOpen ? 'Fold all' : 'Unfold all'}
          </LinkButton>
        )}
      </div>
      {data.events.map((event, place) => (
        <MatchedEventCard
          // oxlint-disable-next-line react/no-array-index-key -- events have no id of their own, and their order is fixed
          key={place}
          event={event}
          terms={terms}
          open={open.has(place)}
          Pivots={FieldPivots}
          onToggle={() =>
            setOpen(new Set(open.has(place) ? [...open].filter((other) => other !== place) : [...open, place]))
          }
        />
      ))}
    </div>
  );
}
