import type { EventsTimeline } from '@svc/contracts';
import { expect, it } from 'vitest';
import { laneHeight, laneLabels, lanesHeight, markerAt } from './draw-lanes.ts';

function item(id: string, start: number, grouping: string, events = 1): EventsTimeline['items'][number] {
  const meta = { rule_id: null, computer: null, tool: 't', job_id: 1, finding_id: 1, events, discarded: events - 1 };
  return { id, start, label: id, grouping, category: 'high', meta };
}

const timeline: EventsTimeline = {
  items: [item('a', 0, 'execution'), item('b', 1000, 'impact', 1000), item('c', 1010, 'impact')],
  discarded: 0,
  total: 3,
  undated: 0,
  resolution: 1,
  base_resolution: 1,
  truncated: false,
  extent: [0, 2000],
  groupings: ['execution', 'impact'],
  index_missing: false,
  jobs_without_index: 0,
  colors: { severity: {}, tactic: {} },
};
const place = { width: 200, window: { from: 0, to: 2000 } };

it('finds the nearest marker under a point', () => {
  expect(markerAt(timeline, place, 3, laneHeight / 2)?.id).toBe('a');
  expect(markerAt(timeline, place, 100, laneHeight * 1.5)?.id).toBe('b');
  expect(markerAt(timeline, place, 104, laneHeight * 1.5)?.id).toBe('c');
  expect(markerAt(timeline, place, 100, laneHeight / 2)).toBeNull();
});

it('has a lane for each tactic', () => {
  expect(laneLabels({ ...timeline, groupings: ['lateral_movement', '_other'] })).toEqual([
    ['lateral_movement', 'Lateral movement'],
    ['_other', 'Other'],
  ]);
  expect(lanesHeight(timeline)).toBeGreaterThan(2 * laneHeight);
});
