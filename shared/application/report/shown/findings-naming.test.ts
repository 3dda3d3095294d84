import { expect, it } from 'vitest';
import { findingsNaming, naming } from './findings-naming.ts';

const event = (fields: Record<string, unknown>, computer: string | null = null) => ({
  record_id: null,
  timestamp: null,
  computer,
  channel: null,
  event_id: null,
  fields,
});

it.each<[string, Record<string, unknown>, boolean]>([
  ['alice', { User: 'CORP\\Alice' }, true],
  ['alice', { User: 'malice' }, false],
  ['CORP\\alice', { User: 'corp\\alice' }, true],
  ['10.0.0.5', { Ip: '10.0.0.55' }, false],
  ['10.0.0.5', { Message: 'from 10.0.0.5:443' }, true],
  ['10.0.0.5', { Ip: '10x0x0x5' }, false],
  ['ws01', { Path: '\\\\WS01\\c$' }, true],
  ['ws01', { Path: 'old-ws01' }, false],
  ['ABCD', { Hashes: 'MD5=abcd,SHA1=ef' }, true],
  ['4242', { ProcessId: 4242 }, true],
  ['x', { List: ['y', { deep: 'x' }] }, true],
  ['über', { Name: 'Über' }, true],
])('%j is named by %j: %s', (value, fields, is) => {
  expect(naming(value)(event(fields))).toBe(is);
});

it('counts the events of each finding, by their computers too', () => {
  const findings = [
    { id: 1, events: [event({}, 'WS01'), event({}, 'WS02')] },
    { id: 2, events: [event({ a: 'ws02' })] },
    { id: 3, events: [] },
  ];
  expect(findingsNaming(findings, 'ws01')).toEqual([{ id: 1, events: 1, kept: 2 }]);
  expect(findingsNaming(findings, 'ws02')).toEqual([
    { id: 1, events: 1, kept: 2 },
    { id: 2, events: 1, kept: 1 },
  ]);
});
