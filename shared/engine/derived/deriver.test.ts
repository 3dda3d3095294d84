import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventHead, OutputRecord } from '../events/log-event.ts';
import { AlertLine } from './alert-markers.ts';
import { deriveSample } from '../testing/derive-sample.ts';
import { Deriver, joinDerived } from './deriver.ts';

interface Matched {
  readonly head: EventHead;
  readonly record: OutputRecord;
  readonly rules: readonly number[];
}

function matched(more: Partial<EventHead>, record: OutputRecord, rules: readonly number[] = [0]): Matched {
  return {
    head: { recordId: null, timestamp: null, computer: null, channel: null, eventId: null, ...more },
    record,
    rules,
  };
}

/** What is derived of the events when each list is read by a run of its own. */
function derived(...parts: readonly (readonly Matched[])[]) {
  let order = 0;
  const results = parts.map((events) => {
    const deriver = new Deriver(deriveSample);
    for (const { head, record, rules } of events) deriver.add(head, record, rules, ++order);
    return deriver.result();
  });
  return joinDerived(deriveSample, results);
}

describe('deriving', () => {
  it('counts matches by hour and tactic, and events by what they name', () => {
    const { events, hours, entities, threats, alerts } = derived([
      matched({ timestamp: '2026-08-01T09:59:59Z', computer: 'WS01' }, { Image: 'C:\\a.exe', User: 'alice' }, [0, 1]),
      matched(
        { timestamp: '2026-08-01T10:00:00.5Z', computer: 'WS01' },
        { CommandLine: 'evil x.ps1 a.exe', User: 'alice' },
      ),
      matched({}, { User: 'bob' }),
    ]);
    expect(events).toBe(3);
    expect(hours.map(({ hour, groups }) => [hour, Object.fromEntries(groups)])).toEqual([
      ['2026-08-01T09', { execution: 1, impact: 1 }],
      ['2026-08-01T10', { execution: 1 }],
    ]);
    expect(entities.user).toEqual([
      { value: 'alice', count: 2 },
      { value: 'bob', count: 1 },
    ]);
    expect(entities.cmdline_file).toEqual([{ value: 'x.ps1', count: 1 }]);
    expect(threats.categories['words']).toMatchObject({ total: 1, severity: 'medium' });
    expect(alerts).toMatchObject({ resolution: 1, total: 3, undated: 1 });
  });

  it('looks at no more events than it may, all parts together', () => {
    const shared = { ...deriveSample, maxEvents: 3, counted: new Int32Array(1) };
    const parts = [new Deriver(shared), new Deriver(shared)];
    const { head, record, rules } = matched({ timestamp: '2026-08-01T09:59:59Z' }, { User: 'alice' }, [0, 1]);
    for (let order = 1; order <= 5; order++) parts[order % 2]!.add(head, record, rules, order);
    const of = (results: ReturnType<Deriver['result']>[]) => joinDerived(shared, results);
    expect(of(parts.map((part) => part.result()))).toMatchObject({ events: 3, isCapped: true, alerts: { total: 6 } });
    const enough = new Deriver({ ...deriveSample, maxEvents: 1 });
    enough.add(head, record, rules, 1);
    expect(of([enough.result()])).toMatchObject({ events: 1, isCapped: false });
  });

  it('derives the same of a log read in parts', () => {
    const text = fc.constantFrom('alice', 'bob', 'evil x.ps1', 'C:\\a.exe', 'C:\\b.exe');
    const event = fc
      .record({ at: fc.integer({ min: 0, max: 400_000 }), User: text, Image: text, CommandLine: text, rule: fc.nat(1) })
      .map(({ at, rule, ...record }) =>
        matched({ timestamp: new Date(1_785_000_000_000 + at * 1000).toISOString(), computer: 'WS01' }, record, [rule]),
      );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.nat(60), (all, at) => {
        expect(derived(all.slice(0, at), all.slice(at))).toEqual(derived(all));
      }),
    );
  });
});

describe('markers of alerts', () => {
  const second = (at: number) => new Date(1_785_000_000_000 + at * 1000).toISOString();

  it('are as fine as there is room for, and lose no alert', () => {
    const line = new AlertLine(100);
    for (let at = 0; at < 1000; at++) line.add(at % 2, second(at), 'WS01');
    const { markers, resolution, total } = AlertLine.join([line.markers()]);
    expect(resolution).toBe(60);
    expect(total).toBe(1000);
    expect(markers.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    expect(markers.every(({ time }) => time % 60 === 0)).toBe(true);
  });

  it('of parts are joined at the coarser of their steps', () => {
    const [fine, coarse] = [new AlertLine(), new AlertLine(10)];
    fine.add(0, second(0), null);
    for (let at = 0; at < 100; at++) coarse.add(0, second(at), null);
    expect(AlertLine.join([fine.markers(), coarse.markers()])).toMatchObject({ resolution: 15, total: 101 });
  });

  it('are not made of what has no time', () => {
    const line = new AlertLine();
    line.add(0, null, null);
    line.add(0, 'no time', null);
    expect(line.markers()).toEqual({ resolution: 1, markers: [], total: 0, undated: 2 });
  });
});
