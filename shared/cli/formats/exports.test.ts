import type { Sample } from '@svc/engine';
import { expect, it } from 'vitest';
import type { AnalyzedLog, Run } from '../report.ts';
import { context, finding, log, runOver } from '../testing/analyzed.ts';
import { csvWriter } from './csv.ts';
import { navigatorWriter } from './navigator.ts';
import { timesketchWriter } from './timesketch.ts';
import type { Writer } from './writer.ts';

function sample(over: Partial<Sample> = {}): Sample {
  return {
    recordId: '7',
    timestamp: '2026-03-01T10:00:00.1234567Z',
    computer: 'ws-01.example.test',
    channel: 'Security',
    eventId: '4688',
    fields: { EventID: 4688, CommandLine: 'cmd /c "echo a, b"\r\nexit', Ports: [1, 'x'] },
    ...over,
  };
}

const early = finding({
  ruleId: 'a-b',
  ruleName: '=cmd|"/c calc"!A1',
  author: 'A. Writer, B. Writer',
  severity: 'high',
  tags: ['attack.execution', 'attack.t1059.001', 'cve.2026-1'],
  samples: [sample({ timestamp: '2026-03-01T10:00:00Z', computer: '-' }), sample({ timestamp: null })],
});
const logs = [log('a, "b".evtx', [finding({ severity: 'critical', samples: [sample()] }), early]), log('c.evtx', [])];

function written(writer: Writer, of: readonly AnalyzedLog[], over: Partial<Run> = {}): string {
  const parts = [...writer.begin(), ...of.flatMap((one) => [...writer.add(one)])];
  return [...parts, ...writer.end(runOver(context(), of, over))].join('');
}

/** Rows of RFC 4180, read in the plainest way. */
function parsed(csv: string): string[][] {
  expect(csv.endsWith('\r\n')).toBe(true);
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let row: string[] = [], match = cell.exec(csv); match !== null; match = cell.exec(csv)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

it('csv gives a row per event in order of time, which reads back as it was and computes nothing', () => {
  const [header, ...rows] = parsed(written(csvWriter(), logs));
  const records = rows.map((row) => Object.fromEntries(header!.map((name, at) => [name, row[at]])));
  expect(records.map(({ timestamp }) => timestamp)).toEqual([
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00.1234567Z',
    '',
  ]);
  const [first] = records;
  expect(JSON.parse(first!['fields']!)).toEqual(sample().fields);
  expect(first).toEqual({
    timestamp: '2026-03-01T10:00:00Z',
    severity: 'high',
    rule_name: `'=cmd|"/c calc"!A1`,
    rule_id: 'a-b',
    rule_author: 'A. Writer, B. Writer',
    computer: `'-`,
    channel: 'Security',
    event_id: '4688',
    record_id: '7',
    tags: 'attack.execution attack.t1059.001 cve.2026-1',
    file: 'a, "b".evtx',
    fields: expect.any(String),
  });
});

it('timesketch gives a line per event that has a time, with text fields only', () => {
  const writer = timesketchWriter();
  const fields = { EventID: 1, 'a.b': true, message: 'mine', _id: 'x', Many: ['1', 2] };
  const odd = log('odd.log', [
    finding({ samples: [sample({ fields, computer: null, channel: null, eventId: null })] }),
  ]);
  const lines = written(writer, [...logs, odd])
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toEqual({
    message: '=cmd|"/c calc"!A1 (-, Security, 4688)',
    datetime: '2026-03-01T10:00:00.000000+00:00',
    timestamp: Date.UTC(2026, 2, 1, 10) * 1000,
    timestamp_desc: 'Event Logged',
    data_type: 'sigma:match',
    tag: ['high', 'attack.execution', 'attack.t1059.001', 'cve.2026-1'],
    rule_name: '=cmd|"/c calc"!A1',
    rule_id: 'a-b',
    rule_author: 'A. Writer, B. Writer',
    severity: 'high',
    computer: '-',
    channel: 'Security',
    event_id: '4688',
    record_id: '7',
    source_file: 'a, "b".evtx',
    EventID: '4688',
    CommandLine: 'cmd /c "echo a, b"\r\nexit',
    Ports: '1\nx',
  });
  expect(lines[1]).toMatchObject({
    datetime: '2026-03-01T10:00:00.123456+00:00',
    timestamp: Date.UTC(2026, 2, 1, 10) * 1000 + 123_456,
  });
  expect(lines[2]).toMatchObject({ message: 'A Rule', a_b: 'true', field_message: 'mine', id: 'x', Many: '1\n2' });
  expect(writer.notes()).toEqual(['1 event left out, as without a time they have no place']);
});

it('navigator gives a layer with the techniques of all logs, by the worst rule of each', () => {
  const worse = finding({ ruleId: 'w', ruleName: 'Worse', severity: 'critical', tags: ['attack.t1059.001'], count: 3 });
  const other = finding({ ruleId: 'o', severity: 'low', tags: ['attack.T1033', 'attack.s0002', 'attack.t1'] });
  const layer = JSON.parse(written(navigatorWriter(), [...logs, log('d.evtx', [worse, other])])) as Record<
    string,
    unknown
  >;
  expect(layer).toMatchObject({
    name: expect.any(String),
    versions: { layer: '4.5', navigator: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    domain: 'enterprise-attack',
    gradient: { minValue: 1, maxValue: 5, colors: expect.any(Array) },
    techniques: [
      { techniqueID: 'T1033', score: 2 },
      { techniqueID: 'T1059', showSubtechniques: true },
      {
        techniqueID: 'T1059.001',
        score: 5,
        comment: 'critical: Worse (3)\nhigh: =cmd|"/c calc"!A1 (1), by A. Writer, B. Writer',
        metadata: [
          { name: 'rules', value: '2' },
          { name: 'events', value: '4' },
          { name: 'hosts', value: '1' },
        ],
      },
    ],
  });
  expect(layer.techniques).not.toHaveProperty('1.score');
  expect(layer.legendItems).toHaveLength(5);
  expect(JSON.parse(written(navigatorWriter(), []))).toMatchObject({ techniques: [] });
});
