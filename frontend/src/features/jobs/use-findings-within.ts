import type { EventsTimeline, FindingRow } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { timelineQuery, useReport } from '../../api/report-source.ts';
import { moment } from '../../ui/format.ts';
import type { TimeWindow } from './time-window.ts';

/**
 * The findings with matches in a window of time, as the line of alerts tells them; until it has answered, and where it
 * cannot, those whose first and last match do not both lie on one side of the window.
 */
export function useFindingsWithin(
  findings: readonly FindingRow[],
  from: number | undefined,
  to: number | undefined,
): readonly FindingRow[] {
  const report = useReport();
  const window = useMemo(() => (from === undefined || to === undefined ? null : { from, to }), [from, to]);
  const { data } = useQuery({
    ...timelineQuery(report, { ...(window && { frm: window.from, to: window.to }), severity: [] }),
    enabled: window !== null,
    retry: false,
  });
  return useMemo(() => within(findings, window, data), [findings, window, data]);
}

/** See `useFindingsWithin`. */
export function within(
  findings: readonly FindingRow[],
  window: TimeWindow | null,
  timeline: EventsTimeline | undefined,
): readonly FindingRow[] {
  if (window === null) return findings;
  if (timeline === undefined || timeline.index_missing || timeline.truncated) {
    return findings.filter((finding) => overlaps(finding, window));
  }
  const matched = new Set(timeline.items.map(({ meta }) => meta.finding_id));
  return findings.filter(({ id }) => matched.has(id));
}

function overlaps({ first_seen: first, last_seen: last }: FindingRow, { from, to }: TimeWindow): boolean {
  const [begin, end] = [first && moment(first)?.at, last && moment(last)?.at];
  return typeof begin === 'number' && typeof end === 'number' && begin <= to && end >= from;
}
