import { expect, it } from 'vitest';
import { lanesOf, mostHosts, worstLast } from './lanes.ts';
import { marker, timelineWith } from './testing.ts';

it('has a lane for each tactic, in the order of the service', () => {
  const timeline = timelineWith([marker('a', 0, { grouping: '_other' })], ['lateral_movement', '_other']);
  const { lanes, placeOf } = lanesOf(timeline, 'tactic');
  expect(lanes.map(({ label }) => label)).toEqual(['Lateral movement', 'Other']);
  expect(placeOf(timeline.items[0]!)).toBe(1);
});

it('has a lane for each host, that of the worst finding on top', () => {
  const markers = [
    marker('a', 0, { computer: 'QUIET', category: 'low', events: 900 }),
    marker('b', 1, { computer: 'BUSY', category: 'high', events: 40 }),
    marker('c', 2, { computer: null, category: 'high' }),
    marker('d', 3, { computer: 'WORST', category: 'critical' }),
    marker('e', 4, { computer: 'ODD', category: 'unheard-of' }),
  ];
  const { lanes, placeOf } = lanesOf(timelineWith(markers, ['execution']), 'host');
  expect(lanes.map(({ label }) => label)).toEqual(['WORST', 'BUSY', 'No host', 'QUIET', 'ODD']);
  expect(markers.map(placeOf)).toEqual([3, 1, 2, 0, 4]);
});

it('lets the hosts beyond the first share a lane', () => {
  const markers = Array.from({ length: mostHosts + 7 }, (_, at) => marker(`m${at}`, at, { computer: `H${at}` }));
  const { lanes, placeOf } = lanesOf(timelineWith(markers, ['execution']), 'host');
  expect(lanes).toHaveLength(mostHosts + 1);
  expect(lanes.at(-1)!.label).toBe('7 other hosts');
  expect(new Set(markers.slice(mostHosts).map(placeOf))).toEqual(new Set([mostHosts]));
  expect(lanesOf(timelineWith(markers.slice(0, mostHosts + 1), []), 'host').lanes.at(-1)!.label).toBe(`H${mostHosts}`);
});

it('paints the worst last', () => {
  const markers = (['critical', 'low', 'high', 'other', 'critical'] as const).map((category, at) =>
    marker(String(at), at, { category }),
  );
  expect(worstLast(markers).map(({ id }) => id)).toEqual(['3', '1', '2', '0', '4']);
});
