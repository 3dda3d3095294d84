import type { EventsTimeline, FindingRow } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { timelineQuery, useReport } from '../../../api/report-source.ts';
import { moment } from '../../../ui/format.ts';
import { timelineWindow, timeWindow, type ViewChange } from '../job-view.ts';
import type { TimeWindow } from '../timeline/time-window.ts';

/**
 * The findings with matches in a window of time and on a computer, as the line of alerts tells them; until it has
 * answered, and where it cannot, those whose first and last match do not both lie on one side of the window.
 */
export function useFindingsWithin(
  findings: readonly FindingRow[],
  { from, to, host }: Pick<ViewChange, 'from' | 'to' | 'host'>,
): readonly FindingRow[] {
  const report = useReport();
  const window = useMemo(() => timeWindow({ from, to }), [from, to]);
  const isNarrowed = window !== null || host !== undefined;
  const { data } = useQuery({
    ...timelineQuery(report, timelineWindow({ from, to, host })),
    enabled: isNarrowed,
    retry: false,
  });
  return useMemo(() => (isNarrowed ? within(findings, window, data) : findings), [findings, isNarrowed, window, data]);
}

/** See `useFindingsWithin`; null for all times. */
export function within(
  findings: readonly FindingRow[],
  window: TimeWindow | null,
  timeline: EventsTimeline | undefined,
): readonly FindingRow[] {
  if (timeline === undefined || timeline.index_missing || timeline.truncated) {
    return window === null ? findings : findings.filter((finding) => overlaps(finding, window));
  }
  const matched = new Set(timeline.items.map(({ meta }) => meta.finding_id));
  return findings.filter(({ id }) => matched.has(id));
}

function overlaps({ first_seen: first, last_seen: last }: FindingRow, { from, to }: TimeWindow): boolean {
  const [begin, end] = [first && moment(first)?.at, last && moment(last)?.at];
  return typeof begin === 'number' && typeof end === 'number' && begin <= to && end >= from;
}
