import { describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { analyze } from './analyze.ts';
import { type LogType, readableTypes } from './readers/log-type.ts';
import { loadRules } from './sigma/load-rules.ts';
import { writeEvtx } from './testing/evtx-writer.ts';
import { sourceOf } from './testing/read-all.ts';

const text = 'title: T\nlevel: low\nlogsource: {product: windows}\ndetection: {s: {EventID: 1}, condition: s}\n';
const { rules } = loadRules([{ path: 'r.yml', text }]);
const bytesOf = (given: string): Uint8Array => new TextEncoder().encode(given);

async function unread(bytes: Uint8Array, logType: LogType): Promise<string | undefined> {
  return (await analyze(sourceOf(bytes), { rules, logType, maxSamples: 1 })).unread;
}

/** Bytes as from dice, the same each time. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

const prose = 'Dear all,\n\nthese are the minutes of our meeting. It was: good.\n\nYours, Ada\n';
const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(prose, 'utf16le')]);
const png = Buffer.concat([bytesOf('\u0000PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR'), noise(20_000)]);
const pdf = Buffer.concat([bytesOf('%PDF-1.7\n1 0 obj\n<< /Length 20000 >>\nstream\n'), noise(20_000)]);
/** Types that take any line of text. */
const ofAnyLines: readonly LogType[] = ['syslog', 'sysmon_linux'];

describe('what is no log at all', () => {
  it.each(readableTypes)('is not read as %s, where it is no text', async (type) => {
    for (const bytes of [noise(70_000), png, pdf, new Uint8Array(5000), gzipSync(noise(70_000))]) {
      expect(await unread(bytes, type)).toMatch(/\.$/);
    }
  });

  it.each(readableTypes.filter((type) => ![...ofAnyLines, 'csv'].includes(type)))(
    'is not read as %s, where it is prose or a page',
    async (type) => {
      for (const bytes of [bytesOf(prose), wide, bytesOf('<!DOCTYPE html><html><body>Hi</body></html>\n')]) {
        expect(await unread(bytes, type)).toMatch(/\.$/);
      }
    },
  );

  it('is no table without a header', async () => {
    const page = bytesOf('<!DOCTYPE html>\n<html>\n<body>Hi</body></html>\n');
    expect(await unread(page, 'csv')).toBe('No line of the table is its header; nothing was read.');
  });

  it('fails in an archive, too', async () => {
    const log = writeEvtx([{ provider: 'P', channel: 'C', computer: 'c', eventId: 1, time: '2026-08-01T10:00:00Z' }]);
    const broken = log.slice();
    broken.fill(0x58, 4096);
    expect(await unread(zipSync({ 'a.evtx': broken }, { level: 0 }), 'evtx')).toMatch(/^a\.evtx: .*\.$/);
    expect(await unread(zipSync({ 'a.evtx': broken, 'b.evtx': log }, { level: 0 }), 'evtx')).toBeUndefined();
    expect(await unread(zipSync({ 'a.evtx': writeEvtx([]) }, { level: 0 }), 'evtx')).toBeUndefined();
  });
});

describe('an empty log', () => {
  const fields = '#Fields: date time s-ip cs-method cs-uri-stem\n';
  it.each<[LogType, Uint8Array]>([
    ['evtx', writeEvtx([])],
    ['json_evtx', bytesOf('[]')],
    ['json_winlogbeat', bytesOf('[\n]\n')],
    ['json', bytesOf('\n\n')],
    ['cloud_audit', bytesOf('[]\n')],
    ['xml_evtx', bytesOf('<?xml version="1.0"?>\n<Events></Events>\n')],
    ['xml_evtx', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<Events/>', 'utf16le')])],
    ['csv', bytesOf('TimeCreated,Id,Message\r\n')],
    ['web_access', bytesOf(`#Software: Microsoft Internet Information Services 10.0\n${fields}`)],
    ['zeek', bytesOf('#separator \\x09\n#path\tconn\n#fields\tts\tuid\n#types\ttime\tstring\n')],
    ['network', bytesOf(`#Software: Microsoft Windows Firewall\n${fields}`)],
    ...readableTypes.filter((type) => type !== 'evtx').map((type): [LogType, Uint8Array] => [type, new Uint8Array()]),
  ])('of type %s is read', async (type, bytes) => {
    expect(await unread(bytes, type)).toBeUndefined();
    expect(await unread(gzipSync(bytes), type)).toBeUndefined();
  });
});

it('lets a log be that is damaged in part, or that no rule knows', async () => {
  const line = 'Aug  1 10:00:00 host sshd[1]: Accepted password for root\n';
  expect(await unread(Buffer.concat([new Uint8Array(4096), bytesOf(line.repeat(3))]), 'syslog')).toBeUndefined();
  expect(await unread(bytesOf(`{"EventID": 1}\n${prose}`), 'json_evtx')).toBeUndefined();
  expect(await unread(bytesOf('{"some": "thing"}\n'), 'json')).toBeUndefined();
  for (const type of ofAnyLines) expect(await unread(bytesOf(prose), type)).toBeUndefined();
});
