import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshTables, sourceOf } from '../testing/index.ts';
import { readCsv } from './csv/read-csv.ts';
import { detectLogType } from './detect-log-type.ts';
import { readNetworkLog } from './network/read-network-log.ts';
import { readObjects } from './objects/read-objects.ts';
import type { Reader } from './reader.ts';
import { readWebLog } from './web/read-web-log.ts';
import { readZeek } from './zeek/read-zeek.ts';
import { processorTime } from '../testing/processor-time.ts';

const each = (make: (i: number) => string): string => Array.from({ length: 12 }, (_, i) => make(i)).join('\n');
const trail = (i: number): object => ({
  eventSource: 's3.amazonaws.com',
  eventName: `Get${i}`,
  awsRegion: 'r',
  list: [{ a: 'ä€😀' }, null, [1, 2.5]],
});

const inputs: { what: string; reader: Reader; text: string; records: number }[] = [
  { what: 'objects on lines', reader: readObjects, text: each((i) => JSON.stringify(trail(i))), records: 12 },
  {
    what: 'objects in a wrapper',
    reader: readObjects,
    text: JSON.stringify({ Records: Array.from({ length: 12 }, (_, i) => trail(i)), more: [1] }, null, 1),
    records: 12,
  },
  {
    what: 'access log',
    reader: readWebLog,
    text: each((i) => `v:80 192.0.2.${i} - b [17/May/2015:10:05:03 +0000] "GET /%41?${i}=%27 HTTP/1.1" 200 1 "-" "ä"`),
    records: 12,
  },
  {
    what: 'W3C log',
    reader: readWebLog,
    text: `#Date: 2024-01-01 00:00:00\n#Fields: time c-ip cs-uri-stem cs(User-Agent)\n${each((i) => `00:00:0${i % 10} 192.0.2.${i} /a "b c"`)}`,
    records: 12,
  },
  {
    what: 'Zeek',
    reader: readZeek,
    text: `#separator \\x09\n#set_separator\t,\n#path\tdns\n#fields\tts\tuid\tquery\tanswers\n#types\ttime\tstring\tstring\tset[string]\n${each((i) => `1.5\tC${i}\ta\\x41\tx,y`)}`,
    records: 12,
  },
  {
    what: 'CEF, LEEF and pairs',
    reader: readNetworkLog,
    text: each(
      (i) => [`CEF:0|v|p|1|${i}|n|3|src=1.2.3.4 msg=a b`, 'LEEF:2.0|v|p|1|i|^|a=b^c=d', 'a="b c" d=e'][i % 3]!,
    ),
    records: 12,
  },
  { what: 'table', reader: readCsv, text: `a,b\n${each((i) => `${i},"x\n""y"""`)}`, records: 12 },
  {
    what: 'table of Windows events',
    reader: readCsv,
    text: `EventID,Channel,Payload,MapDescription\n${each((i) => `${i},C,"{""EventData"":{""Data"":[{""@Name"":""x""}]}}",m`)}`,
    records: 12,
  },
];

const names = [
  'eventName',
  'list.a',
  'cs-uri',
  'c-uri',
  'cs-user-agent',
  'answers',
  'src_ip',
  'blocked',
  'x',
  'none.at.all',
];

/** Records read without an exception; all that can be asked of each is asked. */
async function survives(reader: Reader, bytes: Uint8Array): Promise<number> {
  const tables = freshTables();
  const fields = names.map((name) => tables.fields.id(name));
  const report = await reader(sourceOf(bytes), tables, (event) => {
    for (const field of fields) event.values.folded(event.value(field));
    event.keywords((id) => event.values.text(id) === '\0');
    JSON.stringify([event.route, event.head(), event.toRecord()]);
  });
  for (const { offset } of report.problems) {
    expect(offset).toBeGreaterThanOrEqual(0);
    expect(offset).toBeLessThanOrEqual(bytes.length);
  }
  return report.records;
}

describe('readers of cloud, web, network and table logs on damaged input', () => {
  it.each(inputs)('$what: cut anywhere, what came before is read', async ({ reader, text, records }) => {
    const bytes = new TextEncoder().encode(text);
    expect(await survives(reader, bytes)).toBe(records);
    expect(await survives(reader, Buffer.from(`\uFEFF${text}`, 'utf16le'))).toBe(records);
    for (let length = 0; length < bytes.length; length += 11) {
      const read = await survives(reader, bytes.subarray(0, length));
      expect(read).toBeLessThanOrEqual(records);
      if (length > bytes.length * 0.75) expect(read).toBeGreaterThanOrEqual(records / 2);
    }
  });

  it.each(inputs)('$what: changed bytes', async ({ reader, text }) => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
        const bytes = new TextEncoder().encode(text);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        await survives(reader, bytes);
        detectLogType(bytes);
      }),
      { numRuns: 150 },
    );
  });

  it.each([readObjects, readWebLog, readZeek, readNetworkLog, readCsv])('random bytes', async (reader) => {
    const syntax = fc.array(
      fc.constantFrom(
        ...'{}[]",:;\\\n \t|=#%-'.split(''),
        '"Records":[{',
        '#Fields: a b\n',
        '#fields\ta\tb\n',
        'CEF:0|',
        'LEEF:2.0|',
        'a=',
        '%41',
        'EventID,Channel\n',
        '[1/May/2015:10:05:03 +0000] ',
        '\uFEFF',
        '“',
        '1',
      ),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 2048 }),
      syntax.map((parts) => new TextEncoder().encode(parts.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (input) => {
        await survives(reader, input);
        detectLogType(input);
      }),
      { numRuns: 300 },
    );
  });
});

/** What to fill an input with, so that a careless reader takes time or memory by its square. */
const hostile: { what: string; reader: Reader; piece: string; head?: string }[] = [
  { what: 'wrappers', reader: readObjects, piece: '{"Records":[{' },
  { what: 'ends of wrappers', reader: readObjects, piece: ']},', head: '{"Records":[{"a":1},' },
  { what: 'keys of all kinds', reader: readObjects, piece: '{"a.b":{"c":[{"d":"%41"}]}}\n' },
  { what: 'open quotes', reader: readWebLog, piece: ' "' },
  { what: 'open brackets', reader: readWebLog, piece: '[ ' },
  { what: 'a line of words', reader: readWebLog, piece: 'word ', head: 'h - - [17/May/2015:10:05:03 +0000] ' },
  { what: 'percent signs', reader: readWebLog, piece: '%41', head: 'h - - [17/May/2015:10:05:03 +0000] "GET /' },
  { what: 'field lists', reader: readWebLog, piece: '#Fields: a b c\n' },
  { what: 'one very long field list', reader: readWebLog, piece: 'a ', head: '#Fields: ' },
  { what: 'short lines of W3C', reader: readWebLog, piece: 'x\n', head: '#Fields: a\n' },
  { what: 'headers of Zeek', reader: readZeek, piece: '#fields\ta\tb\n#types\tset[string]\tstring\nx,y\tz\n' },
  {
    what: 'separators in one value',
    reader: readZeek,
    piece: ',',
    head: '#path\tdns\n#fields\tanswers\n#types\tset[x]\n',
  },
  { what: 'equals signs', reader: readNetworkLog, piece: 'a=b ', head: 'CEF:0|v|p|1|2|n|3|' },
  { what: 'equals signs alone', reader: readNetworkLog, piece: '=', head: 'LEEF:1.0|v|p|1|2|' },
  { what: 'escapes', reader: readNetworkLog, piece: '\\', head: 'a=b c="' },
  { what: 'quotes', reader: readCsv, piece: '"', head: 'a,b\n' },
  { what: 'open fields on many lines', reader: readCsv, piece: 'x\n', head: 'a,b\n"' },
  { what: 'separators', reader: readCsv, piece: ',', head: 'a,b\n' },
];

describe('readers of cloud, web, network and table logs on hostile input', () => {
  it.each(hostile)('$what: is done soon', async ({ reader, piece, head = '' }) => {
    const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(2 * 1024 * 1024, piece)]);
    const took = processorTime();
    const tables = freshTables();
    const field = tables.fields.id('c-uri');
    await reader(sourceOf(bytes), tables, (event) => event.value(field));
    expect(took()).toBeLessThan(20_000);
  });

  it.each([
    ['JSON', readObjects, (i: number) => `{"name${i}":"value ${i}","other${i}":${i}}`],
    ['pairs', readNetworkLog, (i: number) => `name${i}=a other${i}=${i} third${i}=3`],
  ] as const)('stays in bounds when every record of %s has names of its own', async (_, reader, line) => {
    const text = Array.from({ length: 60_000 }, (__, i) => line(i)).join('\n');
    const before = process.memoryUsage().heapUsed;
    const tables = freshTables();
    const field = tables.fields.id('other1');
    let most = 0;
    await reader(sourceOf(Buffer.from(text)), tables, (event) => {
      event.value(field);
      if (event.offset % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before);
    });
    expect(most).toBeLessThan(250 * 1024 * 1024);
  });
});
