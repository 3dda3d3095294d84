import { describe, expect, it } from 'vitest';
import { loadRules } from '../sigma/load-rules.ts';
import type { EvtxEvent } from '../testing/evtx-element.ts';
import { writeEvtx } from '../testing/evtx-writer.ts';
import { sourceOf } from '../testing/read-all.ts';
import { type ExplainOptions, explainRecord, NoSuchRecordError } from './explain-record.ts';

const { rules } = loadRules([
  {
    path: 'r.yml',
    text: 'title: T\nlogsource: {product: windows}\ndetection: {s: {Image|endswith: \\7.exe}, condition: s}',
  },
]).rules;
const events = Array.from({ length: 20 }, (_, at): EvtxEvent => ({
  provider: 'Microsoft-Windows-Sysmon',
  channel: 'Microsoft-Windows-Sysmon/Operational',
  computer: 'ws-01.example.test',
  eventId: 1,
  time: new Date(Date.UTC(2026, 2, 1, 10, at)).toISOString(),
  recordId: 100n + BigInt(at),
  data: { Image: `C:\\${at}.exe` },
}));
const log = writeEvtx(events, { recordsPerChunk: 4 });

function explain(record: string, bytes = log, more: Partial<ExplainOptions> = {}) {
  return explainRecord(sourceOf(bytes), { rules, logType: 'auto', record, ...more });
}

describe('explainRecord', () => {
  it('finds a record by its id', async () => {
    const found = await explain('107');
    expect(found).toMatchObject({ logType: 'evtx', number: 8, head: { recordId: '107' } });
    expect(found.fields).toMatchObject({ Image: 'C:\\7.exe' });
    expect(found.explanations.map(({ matches }) => matches)).toEqual([true]);
  });

  it('finds a record by its place', async () => {
    expect(await explain('#3')).toMatchObject({ number: 3, explanations: [{ matches: false }] });
  });

  it('counts records where they have no ids', async () => {
    const lines = ['a', 'b', 'c'].map((text) => `Nov  1 10:00:00 host prog[1]: ${text}\n`).join('');
    const found = await explain('2', new TextEncoder().encode(lines));
    expect(found).toMatchObject({ logType: 'syslog', number: 2, fields: { message: 'b' } });
  });

  it('finds a record by its offset', async () => {
    const { fields } = await explain('107');
    expect(await explain(`@${String(fields['_offset'])}`)).toMatchObject({ head: { recordId: '107' } });
    await expect(explain('@1')).rejects.toThrow('There is no record @1');
  });

  it('takes of several records with one id the one that the rule is about', async () => {
    const again = (...images: string[]) =>
      writeEvtx(images.map((Image, at) => ({ ...events[at]!, recordId: 5n, data: { Image } })));
    expect(await explain('5', again('C:\\1.exe', 'C:\\7.exe', 'C:\\x\\7.exe'))).toMatchObject({ number: 2 });
    expect(await explain('5', again('C:\\1.exe', 'C:\\2.exe'))).toMatchObject({ number: 1 });
    expect(await explain('#1', again('C:\\1.exe', 'C:\\7.exe'))).toMatchObject({ number: 1 });
    const started = ['SYSCALL', 'EXECVE'].map((type) => `type=${type} msg=audit(1604994496.155:9): argc=1 a0="ls"\n`);
    const starts = loadRules([
      {
        path: 's.yml',
        text: 'title: S\nlogsource: {product: linux, category: process_creation}\ndetection: {s: {Image: x}, condition: s}',
      },
    ]).rules;
    const bytes = new TextEncoder().encode(started.join(''));
    const found = await explain('9', bytes, { rules: starts.rules });
    expect(found.head).toMatchObject({ eventId: 'process_creation' });
  });

  it('says how many records there are when there is no such one', async () => {
    await expect(explain('7')).rejects.toThrow(NoSuchRecordError);
    await expect(explain('7')).rejects.toThrow('There is no record 7 among the 20 of the log');
  });

  it('stops when it is cancelled', async () => {
    await expect(explain('7', log, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});
