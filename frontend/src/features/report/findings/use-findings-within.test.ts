import type { EventsTimeline, FindingRow } from '@svc/contracts';
import { expect, it } from 'vitest';
import { findingRow } from '../testing/finding-row.ts';
import { windowName } from '../timeline/time-window.ts';
import { within } from './use-findings-within.ts';

const finding = (id: number, first: string | null, last: string | null) =>
  findingRow(id, { count: 2, first_seen: first, last_seen: last });
const findings = [
  finding(1, '2026-08-01T08:00:00Z', '2026-08-01T18:00:00Z'),
  finding(2, '2026-08-01T10:59:59.9Z', '2026-08-01T10:59:59.9Z'),
  finding(3, '2026-08-01T11:00:00Z', '2026-08-01T12:00:00Z'),
  finding(4, null, null),
];
const window = { from: Date.parse('2026-08-01T10:00:00Z'), to: Date.parse('2026-08-01T10:59:59.999Z') };
const timeline = (ids: number[], over: Partial<EventsTimeline> = {}) =>
  ({
    items: ids.map((id) => ({ meta: { finding_id: id } })),
    index_missing: false,
    truncated: false,
    ...over,
  }) as unknown as EventsTimeline;
const ids = (some: readonly FindingRow[]): number[] => some.map(({ id }) => id);

it('keeps the findings whose alerts lie in the window', () => {
  expect(ids(within(findings, null, timeline([2, 4])))).toEqual([2, 4]);
  expect(ids(within(findings, window, timeline([2])))).toEqual([2]);
});

it('goes by the first and the last match where the alerts do not tell', () => {
  for (const none of [undefined, timeline([], { index_missing: true }), timeline([3], { truncated: true })]) {
    expect(ids(within(findings, window, none))).toEqual([1, 2]);
    expect(ids(within(findings, null, none))).toEqual([1, 2, 3, 4]);
  }
});

it('names a window as shortly as it can', () => {
  expect(windowName(window)).toBe('2026-08-01 10:00 – 10:59');
  expect(windowName({ from: window.from, to: window.from + 1000 })).toBe('2026-08-01 10:00:00 – 10:00:01');
  expect(windowName({ from: window.from, to: window.to + 86_400_000 })).toBe('2026-08-01 10:00 – 2026-08-02 10:59');
});
