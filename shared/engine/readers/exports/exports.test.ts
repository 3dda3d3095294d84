import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../analyze.ts';
import { explainRecord } from '../../explain/explain-record.ts';
import type { Analysis } from '../../findings.ts';
import { loadRules } from '../../sigma/load-rules.ts';
import { sourceOf } from '../../testing/index.ts';
import { detectLogType } from '../detect-log-type.ts';
import { openLog } from '../open-log.ts';
import type { ByteSource } from '../reader.ts';

const { rules } = loadRules([
  {
    path: 'rule.yml',
    text: `title: Shadow copies removed
id: 11111111-2222-4333-8444-555555555555
logsource: {product: windows, category: process_creation}
detection: {selection: {CommandLine|contains: 'delete shadows'}, condition: selection}
level: high`,
  },
]);

const eventXml = (record: number): string =>
  `<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider Name="Microsoft-Windows-Security-Auditing"/><EventID>4688</EventID><TimeCreated SystemTime="2024-03-01T10:00:0${record % 10}.000Z"/><EventRecordID>${record}</EventRecordID><Channel>Security</Channel><Computer>ws1</Computer></System>
<EventData><Data Name="NewProcessName">C:\\Windows\\System32\\vssadmin.exe</Data><Data Name="CommandLine">vssadmin "delete shadows" delete shadows /quiet</Data></EventData></Event>`;
const shipped = (record: number) => ({
  '@timestamp': `2024-03-01T10:00:0${record % 10}.000Z`,
  winlog: {
    channel: 'Security',
    event_id: 4688,
    provider_name: 'Microsoft-Windows-Security-Auditing',
    computer_name: 'ws1',
    record_id: record,
    event_data: { CommandLine: 'vssadmin delete shadows', NewProcessName: 'C:\\vssadmin.exe' },
  },
});
const sshLine = (n: number): string =>
  `Mar  1 10:00:0${n % 10} web1 sshd[12]: Failed password for root from 192.0.2.${n}`;
const auditLine = (n: number): string =>
  `type=USER_AUTH msg=audit(1709287200.000:${n}): pid=1 uid=0 auid=1000 msg='op=PAM acct="root" res=failed'`;
const kubernetes = (n: number) => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID: `a${n}`,
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/kube-system/secrets',
  verb: 'list',
  user: { username: 'masterclient', groups: ['system:masters'] },
  sourceIPs: ['192.0.2.7'],
  objectRef: { resource: 'secrets', namespace: 'kube-system', apiVersion: 'v1' },
  responseStatus: { code: 200 },
  requestReceivedTimestamp: `2024-03-01T10:00:0${n}.000000Z`,
  stageTimestamp: `2024-03-01T10:00:0${n}.100000Z`,
});
const diagnosed = (n: number) => ({
  category: n === 3 ? 'kube-audit-admin' : 'kube-audit',
  operationName: 'Microsoft.ContainerService/managedClusters/diagnosticLogs/Read',
  properties: { log: `${JSON.stringify(kubernetes(n))}\n`, stream: 'stdout', pod: 'kube-apiserver-1' },
  time: '2024-03-01T10:00:00Z',
});
const lines = (make: (n: number) => string): string[] => [1, 2, 3].map(make);
const jsonLines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

interface Case {
  readonly name: string;
  readonly text: string;
  readonly type: string;
  readonly inner: readonly string[];
}

const results = lines(eventXml).map((_raw, offset) => ({
  preview: false,
  offset,
  result: { _raw, host: 'ws1', _time: 'x' },
}));
const cases: readonly Case[] = [
  { name: 'Splunk, saved results', text: jsonLines(results), type: 'xml_evtx', inner: lines(eventXml) },
  {
    name: 'Splunk, answer of the API',
    text: JSON.stringify({
      preview: false,
      messages: [],
      fields: [{ name: '_raw' }],
      results: results.map(({ result }) => result),
      highlighted: {},
    }),
    type: 'xml_evtx',
    inner: lines(eventXml),
  },
  {
    name: 'Splunk, a table',
    text: ['"_time","_raw",host', ...lines(eventXml).map((raw) => `"2024-03-01",${quoted(raw)},ws1`)].join('\r\n'),
    type: 'xml_evtx',
    inner: lines(eventXml),
  },
  {
    name: 'Splunk, fields alone',
    text: jsonLines([1, 2, 3].map((n) => ({ preview: true, result: shipped(n) }))),
    type: 'json_winlogbeat',
    inner: [1, 2, 3].map((n) => JSON.stringify(shipped(n))),
  },
  {
    name: 'Elasticsearch, answer of a search',
    text: JSON.stringify({
      took: 2,
      _shards: { total: 1 },
      hits: {
        total: { value: 3 },
        max_score: 1,
        hits: [1, 2, 3].map((n) => ({ _index: 'w', _id: `${n}`, _source: shipped(n) })),
      },
    }),
    type: 'json_winlogbeat',
    inner: [1, 2, 3].map((n) => JSON.stringify(shipped(n))),
  },
  {
    name: 'elasticdump',
    text: jsonLines(
      [1, 2, 3].map((n) => ({ _index: 'w', _type: '_doc', _id: `${n}`, _score: 1, _source: shipped(n) })),
    ),
    type: 'json_winlogbeat',
    inner: [1, 2, 3].map((n) => JSON.stringify(shipped(n))),
  },
  {
    name: 'Elastic Agent, original kept',
    text: jsonLines(
      lines(auditLine).map((original) => ({
        '@timestamp': 'x',
        agent: { type: 'filebeat' },
        event: { original, module: 'auditd' },
      })),
    ),
    type: 'auditd',
    inner: lines(auditLine),
  },
  {
    name: 'Filebeat',
    text: jsonLines(
      lines(sshLine).map((message) => ({
        '@timestamp': 'x',
        message,
        agent: { type: 'filebeat' },
        log: { file: { path: '/var/log/auth.log' } },
      })),
    ),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'a container',
    text: jsonLines(
      lines(sshLine).map((line) => ({ log: `${line}\n`, stream: 'stdout', time: '2024-03-01T10:00:00Z' })),
    ),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'CloudWatch, filtered events',
    text: JSON.stringify({
      events: lines(sshLine).map((message, n) => ({
        logStreamName: 's',
        timestamp: 1709287200000,
        message,
        ingestionTime: 1709287200001,
        eventId: `${n}`,
      })),
      searchedLogStreams: [],
    }),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'CloudWatch, subscription',
    text: jsonLines(
      [1, 2].map((part) => ({
        messageType: 'DATA_MESSAGE',
        owner: '1',
        subscriptionFilters: ['f'],
        logEvents: lines(sshLine).map((message, n) => ({ id: `${part}${n}`, timestamp: 1709287200000, message })),
      })),
    ),
    type: 'syslog',
    inner: [...lines(sshLine), ...lines(sshLine)],
  },
  {
    name: 'CloudWatch, a table',
    text: ['timestamp,message', ...lines(sshLine).map((line) => `1709287200000,${quoted(line)}`)].join('\n'),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'Azure, audit of Kubernetes in a storage account',
    text: jsonLines([1, 2, 3].map(diagnosed)),
    type: 'cloud_audit',
    inner: [1, 2, 3].map((n) => JSON.stringify(kubernetes(n))),
  },
  {
    name: 'Azure, audit of Kubernetes from an event hub',
    text: JSON.stringify({ records: [1, 2, 3].map(diagnosed) }),
    type: 'cloud_audit',
    inner: [1, 2, 3].map((n) => JSON.stringify(kubernetes(n))),
  },
  {
    name: 'Log Analytics, audit of Kubernetes',
    text: jsonLines(
      [1, 2].map((n) => ({
        TenantId: 't',
        TimeGenerated: '2024-03-01T10:00:00Z',
        Category: 'kube-audit',
        Type: 'AzureDiagnostics',
        log_s: JSON.stringify(kubernetes(n)),
      })),
    ),
    type: 'cloud_audit',
    inner: [1, 2].map((n) => JSON.stringify(kubernetes(n))),
  },
  {
    name: 'Google Cloud Logging',
    text: JSON.stringify(
      lines(sshLine).map((textPayload) => ({ insertId: 'a', logName: 'projects/p/logs/syslog', textPayload })),
    ),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'Wazuh',
    text: jsonLines(
      lines(sshLine).map((full_log) => ({ timestamp: 'x', agent: { id: '1' }, full_log, decoder: { name: 'sshd' } })),
    ),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'Loki',
    text: jsonLines(lines(sshLine).map((line) => ({ labels: { job: 'varlogs' }, line, timestamp: 'x' }))),
    type: 'syslog',
    inner: lines(sshLine),
  },
  {
    name: 'LogScale',
    text: JSON.stringify(lines(auditLine).map((raw) => ({ '@timestamp': 1, '@rawstring': raw }))),
    type: 'auditd',
    inner: lines(auditLine),
  },
  {
    name: 'an export of an export',
    text: jsonLines(
      lines(sshLine).map((line) => ({ _raw: JSON.stringify({ log: line, stream: 'stderr', time: 'x' }) })),
    ),
    type: 'syslog',
    inner: lines(sshLine),
  },
];

const bytesOf = (text: string): Buffer => Buffer.from(text);
const run = (bytes: Uint8Array, logType: 'auto' | 'json' = 'auto'): Promise<Analysis> =>
  analyze(sourceOf(bytes), { rules, logType, maxSamples: 10 });

async function contentOf(source: ByteSource, step: number): Promise<string> {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const into = Buffer.alloc(step);
    const count = await source.read(at, into);
    if (count === 0) return Buffer.concat(parts).toString();
    parts.push(into.subarray(0, count));
    at += count;
  }
}

describe('an export that holds what was logged', () => {
  it.each(cases)('is the log itself: $name', async ({ text, type, inner }) => {
    const bytes = bytesOf(text);
    expect(detectLogType(bytes)).toBe(type);
    const own = bytesOf(`${inner.join('\n')}\n`);
    expect(detectLogType(own)).toBe(type);
    const [of, ofOwn] = [await run(bytes), await run(own)];
    expect(of).toEqual(ofOwn);
    expect(of.events).toBe(inner.length);
    expect(of.problems).toEqual([]);
    expect(await run(gzipSync(bytes))).toEqual(of);
  });

  it('is read in UTF-16, too, as PowerShell writes it', async () => {
    const [{ text }] = cases as [Case];
    expect((await run(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]))).findings).toEqual(
      (await run(bytesOf(text))).findings,
    );
  });

  it('gives back every line as it was, read in steps of any length', async () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map((end) => `Mar  1 10:00:00 h p[1]: x${end.replaceAll(/[\r\n]/g, '')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        async (all, step) => {
          const whole = `${all.join('\n')}\n`;
          for (const text of [
            jsonLines(all.map((log) => ({ time: 'x', nested: { log: ['}"', log] }, stream: 'stdout', log }))),
            ['_raw,host', ...all.map((raw) => `${quoted(raw)},h`)].join('\n'),
          ]) {
            const opened = await openLog(sourceOf(bytesOf(text)), 'auto');
            expect(await contentOf(opened.source, step)).toBe(whole);
            // Again from the begin.
            expect(await contentOf(opened.source, 1000)).toBe(whole);
            expect(opened.problems()).toEqual([]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be indented', async () => {
    const { text, inner } = cases.find(({ name }) => name.startsWith('Elasticsearch'))!;
    const { events, problems, findings } = await run(bytesOf(JSON.stringify(JSON.parse(text), null, 2)));
    expect([events, problems, findings.map(({ count }) => count)]).toEqual([inner.length, [], [inner.length]]);
  });

  it('keeps all digits of numbers in objects', async () => {
    const source = sourceOf(
      bytesOf('{"preview":false,"result":{"EventID":1,"Channel":"c","Keywords":9232379236109516800}}'),
    );
    expect(await contentOf((await openLog(source, 'auto')).source, 99)).toContain('9232379236109516800');
  });

  it('tells of records that hold no line, and goes on', async () => {
    const some = [...results, { preview: false, lastrow: true }, ...results];
    const { events, problems } = await run(bytesOf(`${jsonLines(some)}\n{"broken`));
    expect(events).toBe(6);
    expect(problems).toMatchObject([
      { code: 'record-unfinished', count: 1 },
      { code: 'export-record', count: 1, offset: bytesOf(jsonLines(results)).length + 1 },
    ]);
  });

  it('tells of them also after a part was read again', async () => {
    const many = Array.from({ length: 700 }, () => results).flat();
    const opened = await openLog(sourceOf(bytesOf(jsonLines([...many, { lastrow: true }]))), 'auto');
    await contentOf(opened.source, 100_000);
    const told = opened.problems();
    expect(told).toMatchObject([{ code: 'export-record', count: 1 }]);
    // So far back that it is made anew from the begin.
    await opened.source.read(80_000, new Uint8Array(10));
    expect(opened.problems()).toEqual(told);
  });

  it('is read as what it is where that is asked for', async () => {
    const [{ text }] = cases as [Case];
    expect(await run(bytesOf(text), 'json')).toMatchObject({ logType: 'json', events: 3, findings: [] });
  });

  it('tells progress in bytes of the export', async () => {
    const [{ text }] = cases as [Case];
    const told: number[] = [];
    await analyze(sourceOf(bytesOf(text)), {
      rules,
      logType: 'auto',
      maxSamples: 1,
      onProgress: (done) => told.push(done),
    });
    expect(told.at(-1)).toBe(bytesOf(text).length);
    expect([...told].sort((a, b) => a - b)).toEqual(told);
  });

  it('has its records explained by their places', async () => {
    const [{ text }] = cases as [Case];
    const told = await explainRecord(sourceOf(bytesOf(text)), { rules: rules.rules, logType: 'auto', record: '#2' });
    expect(told).toMatchObject({ logType: 'xml_evtx', number: 2, explanations: [{ matches: true }] });
  });
});

/** A Windows event as Splunk's add-on wrote it before it kept XML. */
const block = (n: number): string => `03/01/2024 10:00:0${n}.500 AM
LogName=Security
EventCode=4688
EventType=0
ComputerName=ws1.corp.example
SourceName=Microsoft Windows security auditing.
Type=Information
RecordNumber=${n}
Keywords=Audit Success
TaskCategory=Process Creation
OpCode=Info
Message=A new process has been created.

Creator Subject:
\tSecurity ID:\t\tS-1-5-18
\tAccount Name:\t\tWS1$

Process Information:
\tNew Process ID:\t\t0x5${n}
\tNew Process Name:\tC:\\Windows\\System32\\vssadmin.exe
\tProcess Command Line:\tvssadmin delete shadows /all`;

describe('Windows events as text with names', () => {
  const told = {
    logType: 'json_evtx',
    events: 3,
    problems: [],
    findings: [
      {
        count: 3,
        samples: [
          { recordId: '1', timestamp: '2024-03-01T10:00:01.500Z', computer: 'ws1.corp.example', channel: 'Security' },
          {},
          {},
        ],
      },
    ],
  };

  it.each([
    ['by themselves', lines(block).join('\n')],
    ['with Windows line breaks', lines(block).join('\n').replaceAll('\n', '\r\n')],
    ['in saved results', jsonLines(lines(block).map((_raw) => ({ preview: false, result: { _raw } })))],
    ['in a table', ['"_time","_raw"', ...lines(block).map((raw) => `x,${quoted(raw)}`)].join('\n')],
  ])('are Windows events: %s', async (_, text) => {
    expect(await run(bytesOf(text))).toMatchObject(told);
  });

  it('have the names that the add-on gives their fields', async () => {
    const fields = {
      LogName: 'Security',
      EventCode: '4688',
      SourceName: 'Microsoft Windows security auditing.',
      _time: '2024-03-01T10:00:01.000Z',
      CommandLine: 'delete shadows',
      host: 'ws2',
    };
    expect(await run(bytesOf(jsonLines([{ preview: true, result: fields }])))).toMatchObject({
      findings: [
        { count: 1, samples: [{ computer: 'ws2', timestamp: '2024-03-01T10:00:01.000Z', channel: 'Security' }] },
      ],
    });
  });
});

describe('what looks like an export', () => {
  it.each([
    [
      'lines of an application',
      jsonLines(['started', 'done'].map((log) => ({ log, stream: 'stdout', time: 'x' }))),
      'json',
    ],
    ['a result without an event', '{"result":{"ok":true},"id":1}', 'json'],
    [
      'a record of a cloud with a message',
      '{"eventSource":"s","eventName":"n","awsRegion":"r","message":"Mar  1 10:00:00 h p: x"}',
      'cloud_audit',
    ],
    [
      'a Windows event of a shipper with its XML',
      jsonLines([{ ...shipped(1), event: { original: eventXml(1) } }]),
      'json_winlogbeat',
    ],
    [
      'documents of a known kind',
      '{"_index":"i","_source":{"eventSource":"s","eventName":"n","awsRegion":"r"}}',
      'cloud_audit',
    ],
    ['a message with a time of its own', '{"timestamp":1709287200000,"message":"hello"}', 'json'],
  ])('stays what it is: %s', (_, text, type) => {
    expect(detectLogType(bytesOf(text))).toBe(type);
  });
});
