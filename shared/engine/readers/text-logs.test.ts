import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import type { OutputRecord } from '../events/log-event.ts';
import { readAll } from '../testing/index.ts';
import { detectLogType } from './detect-log-type.ts';
import { readEvtx } from './evtx/evtx-reader.ts';
import { readWindowsJson } from './json/read-windows-json.ts';
import { readerFor } from './readers.ts';
import { readEventXml } from './xml/read-event-xml.ts';

/** Events of the shared logs that do not stand on one line each. */
const events: Record<string, number> = {
  'windows-json-evtx/sigma-regression-events-array.json': 20,
  'windows-xml/zircolite-events-concatenated.xml': 2,
  'windows-xml/event-viewer-application.xml': 120,
};
const kinds = new Set(['windows-json-evtx', 'windows-json-flat', 'windows-json-winlogbeat', 'windows-xml']);

describeWithSharedData('readers of the shared logs', () => {
  const index = JSON.parse(readFileSync(sharedData('logs/INDEX.json'), 'utf8')) as LogFile[];
  it.each(index.filter(({ kind }) => kinds.has(kind)))('$file', async ({ file, lines }) => {
    const bytes = readFileSync(sharedData('logs', file));
    const { report, heads } = await readAll(readerFor(detectLogType(bytes))!, bytes);
    expect(report).toEqual({ records: events[file] ?? lines, problems: [] });
    for (const head of heads) {
      expect(head.timestamp).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,7}Z$/);
      expect([head.computer, head.channel, head.eventId].every((text) => (text ?? '') !== '')).toBe(true);
    }
  });

  it('finds in Winlogbeat what it finds in the same events as JSON', async () => {
    const plain = await jsonRecords('windows-json-evtx/sigma-regression-events.jsonl');
    const shipped = await jsonRecords('windows-json-winlogbeat/derived-winlogbeat-regression.ndjson');
    expect(shipped).toHaveLength(plain.length);
    // What the derived documents do not carry.
    const lost = ['Provider_Guid', 'Level', 'Task', 'Opcode', 'Keywords', 'Security_UserID', 'Correlation_ActivityID'];
    const added = ['Task_Text', 'Opcode_Text'];
    for (const [i, record] of plain.entries()) {
      expect(comparable(shipped[i]!, added)).toEqual(comparable(record, lost));
    }
  });
});

describeWithSharedData('readers of one event in two formats', () => {
  const files = readdirSync(sharedData('sigma-regression'), { recursive: true, encoding: 'utf8' });
  const cases = files.filter((file) => file.endsWith('.json') && file !== 'EXPECTED.json');
  it.each(cases)('JSON and EVTX: %s', async (file) => {
    const json = await readAll(readWindowsJson, readFileSync(sharedData('sigma-regression', file)));
    const evtx = await readAll(readEvtx, readFileSync(sharedData('sigma-regression', file.replace(/json$/, 'evtx'))));
    expect(json.report).toEqual({ records: evtx.report.records, problems: [] });
    // One JSON file was edited by hand after it was exported.
    const edited = file.endsWith('ad691d92-15f2-4181-9aa4-723c74f9ddc3.json') ? ['ParentCommandLine'] : [];
    for (const [i, record] of json.records.entries()) {
      expect(comparable(record, edited)).toEqual(comparable(evtx.records[i]!, edited));
    }
  });

  it.each(['application', 'security'])('XML and EVTX: %s', async (name) => {
    const xml = await readAll(readEventXml, readFileSync(sharedData(`evtx-snapshots/windows-xml/${name}.xml`)));
    const evtx = await readAll(readEvtx, readFileSync(sharedData(`evtx-snapshots/windows-xml/${name}.evtx`)));
    expect(xml.report).toEqual({ records: evtx.report.records, problems: [] });
    const byId = new Map(evtx.records.map((record) => [String(record.EventRecordID), record]));
    for (const record of xml.records) {
      const rendered = Object.keys(record).filter((key) => /^Message$|_Text$|^RenderingInfo_/.test(key));
      expect(comparable(record, rendered)).toEqual(comparable(byId.get(String(record.EventRecordID))!));
    }
  });
});

interface LogFile {
  readonly file: string;
  readonly kind: string;
  readonly lines: number;
}

async function jsonRecords(file: string): Promise<readonly OutputRecord[]> {
  const { records } = await readAll(readWindowsJson, readFileSync(sharedData('logs', file)));
  return records;
}

/** A record without what formats spell differently (detection-engine 2.5) or do not carry. */
function comparable(record: OutputRecord, without: readonly string[] = []): Record<string, string> {
  const kept = Object.entries(record).filter(([key]) => !key.startsWith('_') && !without.includes(key));
  const entries = kept.map(([key, value]): [string, string] => [key, [value].flat().map(spelling).join('|')]);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

function spelling(value: unknown): string {
  return String(value)
    .trim()
    .replaceAll('\r\n', '\n')
    .replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})\d*Z$/, '$1Z')
    .replace(/^\{?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\}?$/i, (_, guid: string) => guid.toLowerCase());
}
