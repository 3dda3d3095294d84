import type { EventsTimeline } from '@svc/contracts';

type Marker = EventsTimeline['items'][number];

/** A marker of a timeline, for tests. */
export function marker(
  id: string,
  start: number,
  { computer = null, events = 1, ...rest }: Partial<Marker & Pick<Marker['meta'], 'computer' | 'events'>> = {},
): Marker {
  const meta = { rule_id: null, computer, tool: 't', job_id: 1, finding_id: 1, events, discarded: events - 1 };
  return { id, start, label: id, grouping: 'execution', category: 'high', meta, ...rest };
}

/** A timeline of these markers over two seconds, for tests. */
export function timelineWith(items: Marker[], groupings: string[]): EventsTimeline {
  return {
    items,
    discarded: 0,
    total: items.length,
    undated: 0,
    resolution: 1,
    base_resolution: 1,
    truncated: false,
    extent: [0, 2000],
    groupings,
    index_missing: false,
    jobs_without_index: 0,
    colors: { severity: {}, tactic: {} },
  };
}
