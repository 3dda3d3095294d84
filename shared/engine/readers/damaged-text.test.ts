import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshTables, sourceOf } from '../testing/index.ts';
import { readAuditd } from './auditd/read-auditd.ts';
import { readJournald } from './journald/read-journald.ts';
import { readWindowsJson } from './json/read-windows-json.ts';
import type { Reader } from './reader.ts';
import { readSyslog } from './syslog/read-syslog.ts';
import { readSysmonLinux } from './sysmon-linux/read-sysmon-linux.ts';
import { readEventXml } from './xml/read-event-xml.ts';
import { processorTime } from '../testing/processor-time.ts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const events = Array.from({ length: 12 }, (_, i) => ({
  Event: {
    System: { EventID: i, Channel: 'C', Computer: 'W', Provider: { '#attributes': { Name: 'P' } } },
    EventData: { Image: `C:\\a "${i}".exe`, List: ['x', { y: [1] }], Text: 'ä€😀' },
  },
}));
const xml = events.map(
  ({ Event: { System, EventData } }) =>
    `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><EventID>${System.EventID}</EventID></System>
     <EventData Name="N"><!-- c --><Data Name='Image'>${EventData.Image}&amp;</Data><Data><![CDATA[<x>]]></Data></EventData></Event>`,
);

const linux = {
  audit: events.map(
    (_, i) =>
      [
        `type=EXECVE msg=audit(17000000${10 + i}.000:${i}): argc=2 a0="/bin/x${i}" a1=6120C3A4 msg='op=a "b" c=d'\u001dUID="root"`,
        `node=n type=SOCKADDR msg=audit(1700000000.000:9): saddr=02000050A9FEA9FE`,
      ][i % 2],
  ),
  syslog: events.map(
    (_, i) =>
      [
        `Mar  1 10:00:0${i % 10} host sudo[${i}]: a : TTY=x ; COMMAND=/bin/ä \\`,
        `<34>1 2023-03-01T10:00:01.5Z h app ${i} ID [x@1 a="b\\"c"] text`,
        `10.0.0.1 67: Feb 17 13:40:03.673: %PARSER-5-X: y`,
      ][i % 3],
  ),
  sysmon: xml.map((one, i) => `Mar  1 10:00:00 h sysmon: ${one.replaceAll('\n', ' ')}<!-- ${i} -->`),
  journal: events.map(
    (_, i) => `__CURSOR=${i}\n__REALTIME_TIMESTAMP=170000000000000${i % 10}\nMESSAGE\n\x03\0\0\0\0\0\0\0a\nb\nB=ä\n\n`,
  ),
};

/** What readers of Linux look for. */
const linuxSyntax = [
  'type=',
  'msg=audit(1.2:3): ',
  'a1[0]=',
  '\u001d',
  "'",
  '<13>',
  '1 - - - - - ',
  'Mar  1 10:00:01 ',
  'MESSAGE',
  '\0',
];

const inputs: { what: string; reader: Reader; text: string }[] = [
  { what: 'JSON lines', reader: readWindowsJson, text: events.map((event) => JSON.stringify(event)).join('\n') },
  { what: 'a JSON array', reader: readWindowsJson, text: JSON.stringify(events) },
  {
    what: 'indented JSON',
    reader: readWindowsJson,
    text: events.map((event) => JSON.stringify(event, null, 2)).join('\n'),
  },
  { what: 'XML', reader: readEventXml, text: `<Events>${xml.join('\n')}</Events>` },
  { what: 'the audit log', reader: readAuditd, text: linux.audit.join('\n') },
  { what: 'the system log', reader: readSyslog, text: linux.syslog.join('\n') },
  { what: 'Sysmon for Linux', reader: readSysmonLinux, text: linux.sysmon.join('\n') },
  { what: 'the journal', reader: readJournald, text: linux.journal.join('') },
];

/** Records read without an exception; every value of each is asked for. */
async function survives(reader: Reader, bytes: Uint8Array): Promise<number> {
  const tables = freshTables();
  const fields = ['Image', 'List', 'Data', 'EventID', 'a1', 'user', 'message', 'Nothing'].map((name) =>
    tables.fields.id(name),
  );
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

describe('text readers on damaged input', () => {
  it.each(inputs)('$what: cut anywhere, all whole records before the cut are read', async ({ reader, text }) => {
    const bytes = new TextEncoder().encode(text);
    const all = await survives(reader, bytes);
    expect(all).toBe(events.length);
    let last = 0;
    for (let length = 0; length < bytes.length; length += 7) {
      const records = await survives(reader, bytes.subarray(0, length));
      expect(records).toBeGreaterThanOrEqual(last);
      last = records;
    }
  });

  it.each(inputs)('$what: a changed byte costs at most two records', async ({ reader, text }) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const bytes = new TextEncoder().encode(text);
        // Without the bracket at its begin, an array on one line is not known for one.
        bytes[Math.max(1, at % bytes.length)] = byte;
        expect(await survives(reader, bytes)).toBeGreaterThanOrEqual(events.length - 2);
      }),
      { numRuns: 300 },
    );
  });

  it('XML: a tag taken for an instruction costs at most two records', async () => {
    const { reader, text } = inputs.find(({ what }) => what === 'XML')!;
    for (const { index } of text.matchAll(/<\w/g)) {
      const bytes = new TextEncoder().encode(text);
      bytes[index + 1] = 0x3f;
      expect(await survives(reader, bytes)).toBeGreaterThanOrEqual(events.length - 2);
    }
  });

  it.each(inputs)('$what: many changed bytes', async ({ reader, text }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 60 }),
        async (changes) => {
          const bytes = new TextEncoder().encode(text);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          await survives(reader, bytes);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([...new Set(inputs.map(({ reader }) => reader))])('random bytes', async (reader) => {
    const noise = fc.uint8Array({ maxLength: 4096 });
    const syntax = fc.array(
      fc.constantFrom(
        ...'{}[]",:\\\n <>/!-&;='.split(''),
        'Event',
        '<Event>',
        '</Event>',
        '<![CDATA[',
        '\uFEFF',
        '1',
        ...linuxSyntax,
      ),
    );
    const bytes = fc.oneof(
      noise,
      syntax.map((parts) => new TextEncoder().encode(parts.join(''))),
    );
    const marked = fc.tuple(fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]), bytes);
    await fc.assert(
      fc.asyncProperty(marked, async ([mark, rest]) => {
        await survives(reader, Uint8Array.from([...mark, ...rest]));
      }),
      { numRuns: 500 },
    );
  });
});

/** Bytes that are still referred to: garbage would make the figure depend on the machine. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const audit = 'type=EXECVE msg=audit(1.000:1): ';

/** What to fill an input with, so that a careless reader takes time or memory by its square. */
const hostile: { what: string; reader: Reader; piece: string; head?: string }[] = [
  { what: 'open braces', reader: readWindowsJson, piece: '{' },
  { what: 'open brackets', reader: readWindowsJson, piece: '[' },
  { what: 'elements that never end', reader: readWindowsJson, piece: '},{[1', head: '[{"a":[' },
  { what: 'strings with elements in them', reader: readWindowsJson, piece: '"},{"x', head: '[' },
  { what: 'escapes', reader: readWindowsJson, piece: '\\"', head: '{"' },
  { what: 'lines cut in a string', reader: readWindowsJson, piece: '{"a":"\n' },
  { what: 'keys of all kinds', reader: readWindowsJson, piece: '{"EventID":1,"\u0000":2}\n' },
  { what: 'events without end', reader: readEventXml, piece: '<Event><System>' },
  { what: 'tags without end', reader: readEventXml, piece: '<Event ' },
  { what: 'quotes without end', reader: readEventXml, piece: `<Event a='` },
  { what: 'comments without end', reader: readEventXml, piece: '<!-- ->', head: '<Event>' },
  { what: 'CDATA without end', reader: readEventXml, piece: '<![CDATA[]>', head: '<Event>' },
  { what: 'closing tags without end', reader: readEventXml, piece: '</Event ', head: '<Event>' },
  { what: 'blanks after an event', reader: readEventXml, piece: '      ', head: '<Event><Event>' },
  { what: 'ampersands', reader: readEventXml, piece: '&#', head: '<Event><System><EventID>' },
  { what: 'pairs without end', reader: readAuditd, piece: 'a1=b ', head: audit },
  { what: 'other pairs without end', reader: readAuditd, piece: `a='b="{ `, head: audit },
  { what: 'pieces of arguments', reader: readAuditd, piece: 'a1[0]=41 ', head: audit },
  { what: 'arguments of one event', reader: readAuditd, piece: `${audit}a1=b\n` },
  {
    what: 'files of one event',
    reader: readAuditd,
    piece: `${audit.replace('EXECVE', 'PATH')}nametype=CREATE name=a\n`,
  },
  { what: 'arguments, then others', reader: readAuditd, piece: `${audit}\n${audit.replace('EXECVE', 'CWD')}\n` },
  {
    what: 'heads within lines',
    reader: readAuditd,
    piece: ` node=type=${'x'.repeat(990)}\n`.replace(/x{5}/g, 'type='),
  },
  { what: 'priorities', reader: readSyslog, piece: '<13>' },
  { what: 'lengths of messages', reader: readSyslog, piece: '1 <1' },
  { what: 'structured data', reader: readSyslog, piece: '[a', head: '<14>1 - - - - - ' },
  { what: 'values of structured data', reader: readSyslog, piece: ' a="b"', head: '<14>1 - - - - - [x' },
  { what: 'what sudo says', reader: readSyslog, piece: ' ; A=', head: 'Mar  1 10:00:00 h sudo: a : ' },
  { what: 'what sshd says', reader: readSyslog, piece: ' from a', head: 'Mar  1 10:00:00 h sshd: Failed a for b' },
  { what: 'routers', reader: readSyslog, piece: `${'1: '.repeat(50)}%\n` },
  { what: 'continued lines', reader: readSyslog, piece: '\tat a(', head: 'Mar  1 10:00:00 h a: b' },
  { what: 'events in one message', reader: readSysmonLinux, piece: '<Event', head: 'Mar  1 10:00:00 h sysmon: ' },
  { what: 'cut events', reader: readSysmonLinux, piece: 'Mar  1 10:00:00 h s: <Event><Data>\n' },
  { what: 'fields of one entry', reader: readJournald, piece: 'A=b\n', head: '__CURSOR=' },
  { what: 'fields with a length', reader: readJournald, piece: 'MESSAGE\n\xff\xff\xff\0\0\0\0\0\n' },
];

describe('text readers on hostile input', () => {
  it.each(hostile)('$what: is done soon', async ({ reader, piece, head = '' }) => {
    const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(2 * 1024 * 1024, piece)]);
    const took = processorTime();
    const tables = freshTables();
    const fields = ['EventID', 'a1', 'user', 'Nothing'].map((name) => tables.fields.id(name));
    let seen = 0;
    await reader(sourceOf(bytes), tables, (event) => {
      for (const field of fields) event.value(field);
      if (seen++ < 10) event.toRecord();
    });
    expect(took()).toBeLessThan(20_000);
  });

  it('stays in bounds when every event has names of its own', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `{"EventID":1,"name${i}":"value ${i}","other${i}":${i}}`);
    const before = heapInUse();
    const tables = freshTables();
    let most = 0;
    let seen = 0;
    await readWindowsJson(sourceOf(Buffer.from(lines.join('\n'))), tables, () => {
      if (++seen % 10_000 === 0) most = Math.max(most, heapInUse() - before);
    });
    expect(most).toBeLessThan(200 * 1024 * 1024);
  });
});
