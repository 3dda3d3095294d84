import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../test/support/shared-data.ts';
import { analyze } from './analyze.ts';
import type { Analysis } from './findings.ts';
import { cutsFor } from './readers/cuts.ts';
import type { LogType } from './readers/log-type.ts';
import { loadRules } from './sigma/load-rules.ts';
import type { RuleSet } from './sigma/rule-set.ts';
import { writeEvtx } from './testing/evtx-writer.ts';
import { deriveSample } from './testing/derive-sample.ts';
import { inParts } from './testing/in-parts.ts';
import { sourceOf } from './testing/read-all.ts';

const rule = (name: string, detection: string): string => `title: ${name}
name: ${name}
level: low
logsource: {product: windows}
detection: {a: ${detection}, condition: a}
`;
const correlation = (name: string, body: string): string => `title: ${name}
name: ${name}
level: high
correlation: {generate: true, group-by: [Computer], timespan: 10m, ${body}}
`;
const { rules: cheap } = loadRules([
  {
    path: 'rules.yml',
    text: [
      rule('every', "{Channel: '*'}"),
      rule('even', "{EventRecordID|endswith: ['0', '2', '4', '6', '8']}"),
      rule('with_exe', "['.exe']"),
      correlation('burst', 'type: event_count, rules: [every], condition: {gte: 3}'),
      correlation('both', 'type: temporal, rules: [even, burst]'),
    ].join('---\n'),
  },
]);

/** Rules that give no findings themselves. */
const { rules: silent } = loadRules([
  {
    path: 'silent.yml',
    text: [
      rule('first', '{EventID: 1}'),
      correlation('often', 'type: event_count, rules: [first], condition: {gte: 2}').replace('generate: true, ', ''),
    ].join('---\n'),
  },
]);
const entities = {
  ...deriveSample.entities,
  fields: { ...deriveSample.entities.fields, executable: ['Image', 'ParentImage'], hash: ['Hashes'] },
};
const derive = { ...deriveSample, entities, groups: ['a', 'b', 'c', 'd', 'e'] };

/** Gives up on some values, and takes its time for it. */
const costly = loadRules([
  { path: 'costly.yml', text: rule('costly', `{CommandLine|re: '(?=(${'a*'.repeat(12)})b)'}`) },
]).rules;

/** All of an analysis as text, maps too; of raw output the lines, however they were put together. */
function plain({ raw, ...analysis }: Analysis): string {
  const lines = Buffer.concat(raw?.chunks ?? []).toString();
  const all = { ...analysis, lines, isTruncated: raw?.isTruncated };
  return JSON.stringify(all, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}

async function expectSame(
  bytes: Uint8Array,
  logType: LogType,
  size: number,
  analyzers: number,
  rules: RuleSet = cheap,
): Promise<Analysis | null> {
  const more = {
    statistics: true,
    recoverSlack: true,
    verifyChecksums: true,
    raw: { maxBytes: 3000 },
    derive,
    census: derive,
  };
  const options = { rules, logType, maxSamples: 3, ...more };
  const whole = await analyze(sourceOf(bytes), options);
  const joined = await inParts(bytes, options, size, analyzers);
  if (joined !== null) expect(plain(joined)).toBe(plain(whole));
  return joined;
}

const HEADER = 4096;
const CHUNK = 65_536;
/** Records whose value a regular expression gives up on; the value is one that is remembered. */
const costlyRecords = 6;
/** Times that fall back now and then, and repeat. */
const log = writeEvtx(
  Array.from({ length: 60 }, (_, i) => ({
    provider: 'Microsoft-Windows-Sysmon',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: `ws-${i % 7}`,
    eventId: (i % 5) + 1,
    time: new Date(Date.UTC(2026, 2, 1, 10, (i * 37) % 20)).toISOString(),
    data: {
      Image: `C:\\${i % 9}.exe`,
      ParentImage: `C:\\${i % 4}.exe`,
      User: `user-${i % 5}`,
      Hashes: `MD5=${String(i % 11)
        .repeat(32)
        .slice(0, 32)}`,
      CommandLine: i < costlyRecords ? 'a'.repeat(3000) : 'short',
    },
  })),
  { recordsPerChunk: 4 },
);
const chunkCount = (log.length - HEADER) / CHUNK;

describe('an event log read in parts', () => {
  it('gives what one pass gives, with all that can be found', async () => {
    const { findings, derived } = (await expectSame(log, 'evtx', CHUNK, 2))!;
    expect(findings.map(({ ruleName }) => ruleName)).toEqual(['burst', 'both', 'every', 'with_exe', 'even']);
    expect(derived!.intel.relationships.length).toBeGreaterThan(50);
    expect(derived!.intel.findings.map(({ rule: place }) => place)).toEqual([0, 1, 2, 3, 4]);
  });

  it('derives the same of what correlations alone find', async () => {
    for (const analyzers of [1, 2, 3]) {
      const joined = await expectSame(log, 'evtx', CHUNK, analyzers, silent);
      expect(joined?.findings).toHaveLength(1);
      expect(joined!.derived).toMatchObject({ events: 6, alerts: { total: joined!.findings[0]!.count } });
    }
  });

  it('counts what could not be decided, whoever remembers the value', async () => {
    const { problems } = (await expectSame(log, 'evtx', CHUNK, 2, costly))!;
    expect(problems).toMatchObject([{ code: 'regex_limit', count: costlyRecords }]);
  });

  it('gives what one pass gives, whatever the damage, the cuts and the number of readers', async () => {
    const slot = fc.oneof(
      { weight: 6, arbitrary: fc.nat(chunkCount - 1) },
      { weight: 2, arbitrary: fc.constant('empty' as const) },
      { weight: 1, arbitrary: fc.constant('noise' as const) },
    );
    const damaged = fc.record({
      slots: fc.array(slot, { minLength: 1, maxLength: 24 }),
      header: fc.boolean(),
      shift: fc.nat(3),
      edits: fc.array(fc.tuple(fc.nat(24 * CHUNK), fc.nat(255)), { maxLength: 60 }),
      cut: fc.oneof(fc.constant(0), fc.nat(CHUNK)),
      size: fc.integer({ min: 1, max: 6 * CHUNK }),
      analyzers: fc.integer({ min: 1, max: 4 }),
    });
    const property = fc.asyncProperty(damaged, async ({ slots, header, shift, edits, cut, size, analyzers }) => {
      const parts = slots.map((one) => {
        if (one === 'empty') return new Uint8Array(CHUNK);
        if (one === 'noise') return new Uint8Array(CHUNK).fill(0x5a);
        return log.subarray(HEADER + one * CHUNK, HEADER + (one + 1) * CHUNK);
      });
      // Without a header chunks may begin at any multiple of 4096.
      const head = header ? [log.subarray(0, HEADER)] : [new Uint8Array(shift * 4096)];
      const bytes = new Uint8Array(Buffer.concat([...head, ...parts]));
      for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
      const joined = await expectSame(bytes.subarray(0, bytes.length - cut), 'evtx', size, analyzers);
      expect(joined).not.toBeNull();
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describeWithSharedData('real event logs read in parts', () => {
  const folder = sharedData('evtx');
  const names = readdirSync(folder).filter((name) => name.endsWith('.evtx'));

  it.each(names)('%s', async (name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    for (const size of [CHUNK, 3 * CHUNK]) expect(await expectSame(bytes, 'evtx', size, 3)).not.toBeNull();
  });
});

const xmlEvent = (i: number): string =>
  `<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><EventID>${i}</EventID>` +
  `<Channel>Security</Channel><Computer>ws-${i}</Computer></System><EventData><Data Name="Image">${i}.exe</Data>` +
  `</EventData></Event>`;

/** Lines of each kind of log that is cut at lines, some of them damaged or longer than a line. */
const texts: readonly {
  logType: LogType;
  head?: readonly string[];
  lines: readonly string[];
  odd: readonly string[];
}[] = [
  {
    logType: 'json_evtx',
    lines: Array.from({ length: 6 }, (_, i) =>
      JSON.stringify({ EventID: i, Channel: 'Security', Computer: `ws-${i}`, Image: `C:\\${i}.exe`, Note: '{"}\n{' }),
    ),
    odd: ['[', ']', '{', '}', '{"EventID": 1,', '"Channel": "Security"}', 'no JSON', '', '{}, {"EventID": 3}', '"'],
  },
  {
    logType: 'cloud_audit',
    lines: Array.from({ length: 4 }, (_, i) =>
      JSON.stringify({
        eventVersion: '1.08',
        eventSource: 's3.amazonaws.com',
        eventName: `Get${i}`,
        eventTime: `${i}`,
      }),
    ),
    odd: ['{"Records": [', ']}', '{"Records":', '{', '}', ''],
  },
  {
    logType: 'xml_evtx',
    lines: [1, 2, 3].map(xmlEvent),
    odd: [
      '<Events>',
      '</Events>',
      '<Event>',
      '</Event>',
      '<!-- <Event> ',
      '-->',
      '<![CDATA[',
      ']]>',
      '<',
      'text',
      '<a/>',
    ],
  },
  {
    logType: 'syslog',
    lines: [
      '<34>Oct 11 22:14:15 host su[12]: failed for .exe',
      '2026-03-01T10:00:01Z host sshd[7]: Failed password',
      '<165>1 2026-08-24T05:14:15.000003-07:00 192.0.2.1 prog 8710 - - text',
      'Feb 29 10:00:01 host kernel: usb',
    ],
    odd: ['  goes on here', '', '30 <34>Oct 11 22:14:15 host a: b', '99 <34>Oct 11 22:14:15 host a: long', 'no head'],
  },
  {
    logType: 'web_access',
    lines: [
      '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a.exe?b=c HTTP/1.1" 200 12 "-" "curl"',
      '192.0.2.2 - bob [17/May/2015:10:05:04 +0000] "POST / HTTP/1.1" 500 0',
    ],
    odd: ['#Fields: date time c-ip cs-uri-stem', '#Software: Microsoft Internet Information Services 10.0', 'odd', ''],
  },
  {
    logType: 'web_access',
    head: [
      '#Software: Microsoft Internet Information Services 10.0',
      '',
      '#Fields: date time c-ip cs-method cs-uri-stem',
    ],
    lines: ['2026-03-01 10:00:01 192.0.2.1 GET /a.exe', '2026-03-01 10:00:02 192.0.2.2 POST /b'],
    odd: ['#Fields: date time cs-uri-stem c-ip', '#Date: 2026-03-02 00:00:00', 'odd', ''],
  },
  {
    logType: 'zeek',
    head: [
      '#separator \\x09',
      '#path\tdns',
      '#fields\tts\tuid\tid.orig_h\tquery',
      '#types\ttime\tstring\taddr\tstring',
    ],
    lines: ['1600000000.1\tC1\t192.0.2.1\ta.exe', '1600000001.1\tC2\t192.0.2.2\t-'],
    odd: ['#close\t2026-01-01', '#fields\tts\tquery', 'odd', ''],
  },
];

describe.each(texts)('a log of $logType read in parts', ({ logType, head = [], lines, odd }) => {
  it('gives what one pass gives, unless a part says that it goes on', async () => {
    const line = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...lines) }, fc.constantFrom(...odd));
    const whole = fc.record({
      text: fc.array(line, { minLength: 2, maxLength: 60 }),
      ending: fc.constantFrom('\n', '\r\n'),
      mark: fc.boolean(),
      last: fc.boolean(),
      size: fc.integer({ min: 1, max: 2000 }),
      analyzers: fc.integer({ min: 1, max: 3 }),
    });
    const property = fc.asyncProperty(whole, async ({ text, ending, mark, last, size, analyzers }) => {
      const bytes = `${mark ? '\ufeff' : ''}${[...head, ...text].join(ending)}${last ? ending : ''}`;
      await expectSame(new TextEncoder().encode(bytes), logType, size, analyzers);
    });
    await fc.assert(property, { numRuns: 400 });
  });

  it('is cut where it is sound', async () => {
    const text = Array.from({ length: 200 }, (_, i) => lines[i % lines.length]!);
    const bytes = new TextEncoder().encode([...head, ...text].join('\n'));
    expect((await cutsFor(logType)!(sourceOf(bytes), 1000)).length).toBeGreaterThan(5);
    expect((await expectSame(bytes, logType, 1000, 2))?.events).toBe(200);
  });
});
