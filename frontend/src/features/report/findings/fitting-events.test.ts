import type { MatchedEvent } from '@svc/contracts';
import { expect, it } from 'vitest';
import { fittingEvents, soughtInWords } from './fitting-events.ts';

function event(timestamp: string | null, computer: string | null = 'WS01'): MatchedEvent {
  return { timestamp, computer, event_id: null, channel: null, record_id: null, fields: {} };
}

const at = (time: string) => Date.parse(`2026-08-01T${time}Z`);
const events = [
  event('2026-08-01T12:00:00.500Z'),
  event('2026-08-01T10:00:00.250Z', 'WS02'),
  event('2026-08-01T11:00:00Z'),
  event(null),
];

it('leaves the order alone when nothing is looked for', () => {
  expect(fittingEvents(events, {})).toEqual({ fitting: [0, 1, 2, 3], others: [] });
});

it('puts those of the host and the window first', () => {
  expect(fittingEvents(events, { host: 'WS02' })).toEqual({ fitting: [1], others: [0, 2, 3] });
  expect(fittingEvents(events, { from: at('10:30:00'), to: at('12:30:00') })).toEqual({
    fitting: [0, 2],
    others: [1, 3],
  });
  expect(fittingEvents(events, { host: 'WS03' })).toEqual({ fitting: [], others: [0, 1, 2, 3] });
});

it('begins with the event that a marker stands for', () => {
  expect(fittingEvents(events, { at: at('11:00:00') })).toEqual({ fitting: [2, 0], others: [1, 3] });
  expect(fittingEvents(events, { at: at('10:00:00'), host: 'WS02' }).fitting).toEqual([1]);
  expect(fittingEvents(events, { at: at('12:30:00') }).fitting).toEqual([]);
});

it('says what is looked for', () => {
  expect(soughtInWords({})).toBeNull();
  expect(soughtInWords({ host: 'WS01', at: at('10:00:00') })).toBe('of WS01, from 2026-08-01 10:00:00 UTC on');
  expect(soughtInWords({ from: at('10:00:00'), to: at('12:30:00') })).toBe('within 2026-08-01 10:00 – 12:30 UTC');
});
