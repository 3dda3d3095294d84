import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { Analysis } from '../findings.ts';
import { detectLogType } from '../readers/detect-log-type.ts';
import { loadRules } from '../sigma/load-rules.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { sourceOf } from '../testing/index.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { rulesOf } from './told-rules.ts';
import { severityOf } from './told-rule.ts';

const { rules: noRules } = loadRules([]);

/** What a recorded output says, made by running the program over logs of this project with rules of this project. */
async function recorded(name: string): Promise<string> {
  return readFile(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');
}

async function analyzed(input: string | Uint8Array, given: RuleSet = noRules, maxSamples = 10): Promise<Analysis> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const options = { logType: detectLogType(bytes), now: Date.parse('2026-11-26T00:00:00Z') };
  const rules = await rulesOf(sourceOf(bytes), { ...options, rules: given });
  return analyze(sourceOf(bytes), { ...options, rules, maxSamples });
}

function told({ findings }: Analysis): unknown[] {
  return findings.map(({ ruleId, ruleName, severity, count }) => [severity, count, ruleName, ruleId]);
}

const row = {
  Timestamp: '2026-11-17 09:06:12.448 +00:00',
  RuleTitle: 'Memory Dump Through Comsvcs',
  Level: 'crit',
  Computer: 'WS-FIN-07',
  Channel: 'Sysmon',
  EventID: 1,
  MitreTactics: ['CredAccess', 'Evas'],
  MitreTags: ['T1003.001', 'S0002'],
  OtherTags: ['car.2013-05-009'],
  RecordID: 148_398,
  Details: {
    Cmdline: 'rundll32.exe comsvcs.dll, MiniDump 764 hp.tmp full',
    Proc: 'C:\\Windows\\System32\\rundll32.exe',
    User: 'HARROWPELL\\m.okafor',
    PID: 3412,
    PGUID: 'C4E1B7D2-1904-6AFC-30CB-0F0000002A00',
    ParentPGUID: 'C4E1B7D2-185C-6AFC-4A79-0F0000002A00',
    Hashes: ['MD5=41142F0A7BEBDB9105748F3ADC889DE4', 'IMPHASH=76CEC21D44EC89FB063D2C91A07879D9'],
    LID: '-',
  },
  ExtraFieldInfo: { IntegrityLevel: 'High', UtcTime: '2026-11-17 09:06:12.448' },
  RuleID: '0a334dac-5ceb-499c-ad80-78b4122c6285',
};

const fields = {
  IntegrityLevel: 'High',
  UtcTime: '2026-11-17 09:06:12.448',
  CommandLine: 'rundll32.exe comsvcs.dll, MiniDump 764 hp.tmp full',
  Image: 'C:\\Windows\\System32\\rundll32.exe',
  User: 'HARROWPELL\\m.okafor',
  ProcessId: 3412,
  ProcessGuid: 'C4E1B7D2-1904-6AFC-30CB-0F0000002A00',
  ParentProcessGuid: 'C4E1B7D2-185C-6AFC-4A79-0F0000002A00',
  Hashes: ['MD5=41142F0A7BEBDB9105748F3ADC889DE4', 'IMPHASH=76CEC21D44EC89FB063D2C91A07879D9'],
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  Computer: 'WS-FIN-07',
  EventID: 1,
  EventRecordID: '148398',
  TimeCreated_SystemTime: '2026-11-17T09:06:12.448Z',
  _offset: 0,
};

const finding = {
  ruleId: '0a334dac-5ceb-499c-ad80-78b4122c6285',
  ruleName: 'Memory Dump Through Comsvcs',
  severity: 'critical',
  tags: ['attack.credential-access', 'attack.defense-evasion', 'attack.t1003.001', 'attack.s0002', 'car.2013-05-009'],
  author: null,
  count: 1,
  first: '2026-11-17T09:06:12.448Z',
  last: '2026-11-17T09:06:12.448Z',
  computers: ['WS-FIN-07'],
  ruleSource: '',
  samples: [
    {
      recordId: '148398',
      timestamp: '2026-11-17T09:06:12.448Z',
      computer: 'WS-FIN-07',
      channel: 'Microsoft-Windows-Sysmon/Operational',
      eventId: '1',
      fields,
    },
  ],
};

/** A row as a timeline in CSV has it. */
function tableOf(...rows: readonly Readonly<Record<string, unknown>>[]): string {
  const cell = (value: unknown): string => `"${textOf(value).replaceAll('"', '""')}"`;
  return [Object.keys(rows[0]!), ...rows.map((one) => Object.values(one))]
    .map((cells) => cells.map(cell).join(','))
    .join('\n');
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ¦ ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .flatMap(([name, inner]) => [inner].flat().map((one) => `${name}: ${String(one)}`))
    .join(' ¦ ');
}

describe('timelines of Hayabusa', () => {
  it('are read as lines of JSON', async () => {
    const analysis = await analyzed(`{ ${JSON.stringify(row).slice(1, -1)} }`);
    expect(analysis).toMatchObject({ logType: 'detection_results', events: 1, problems: [], toldBy: 'evtx-timeline' });
    expect(analysis.findings).toEqual([finding]);
  });

  it('are read as indented documents one after another', async () => {
    const analysis = await analyzed(`${JSON.stringify(row, null, 4)}\n${JSON.stringify(row, null, 4)}`);
    expect(analysis.problems).toEqual([]);
    expect(told(analysis)).toEqual([['critical', 2, row.RuleTitle, row.RuleID]]);
  });

  it('are read as tables, the fields of the event in one text', async () => {
    const analysis = await analyzed(tableOf(row));
    expect(analysis).toMatchObject({ logType: 'detection_results', events: 1, problems: [], toldBy: 'evtx-timeline' });
    const [{ samples, ...rest }] = analysis.findings as [Analysis['findings'][number]];
    expect({ ...rest, samples: [] }).toEqual({ ...finding, samples: [] });
    // What a table has is text, and where its rows stand.
    const offset = tableOf(row).indexOf('\n') + 1;
    expect(samples[0]).toEqual({ ...finding.samples[0]!, fields: { ...fields, ProcessId: '3412', _offset: offset } });
  });

  const { ExtraFieldInfo: _extra, RuleID: _id, MitreTactics: _tactics, MitreTags: _tags, ...minimal } = row;
  const { Timestamp: datetime, RuleTitle: message, ...others } = row;
  it.each<[string, object, unknown[]]>([
    ['minimal', minimal, ['critical', 1, row.RuleTitle, null]],
    ['all-field-info', { ...row, Details: undefined, AllFieldInfo: row.Details }, finding.samples],
    ['super-verbose', { ...row, RuleAuthor: 'A', Status: 'test', EvtxFile: 'a.evtx', Provider: 'P' }, finding.samples],
    ['timesketch', { datetime, timestamp_desc: 'hayabusa', message, ...others, EvtxFile: 'a.evtx' }, finding.samples],
  ])('are read in the profile %s', async (_name, one) => {
    const written = JSON.parse(JSON.stringify(one)) as Record<string, unknown>;
    for (const text of [JSON.stringify(written), tableOf(written)]) {
      const analysis = await analyzed(text);
      expect(analysis).toMatchObject({ events: 1, problems: [], toldBy: 'evtx-timeline' });
      const [found] = analysis.findings;
      expect(found).toMatchObject({ ruleName: row.RuleTitle, severity: 'critical', computers: ['WS-FIN-07'] });
      expect(found?.samples[0]).toMatchObject({ recordId: '148398', eventId: '1', fields: { Image: fields.Image } });
    }
  });

  it('are read as version 4 writes what we ask of it', async () => {
    const { Details, ExtraFieldInfo: _none, ...head } = row;
    const full = {
      ...head,
      Timestamp: '2026-11-17T09:06:12.448123Z',
      Level: 'informational',
      Channel: 'Security',
      EventID: 4688,
      Details: {
        NewProcessId: 3412,
        NewProcessName: 'C:\\a.exe',
        CommandLine: 'a.exe "b',
        Elevated: true,
        Hashes: Details.Hashes,
      },
      ExtraFieldInfo: {},
    };
    const lines = [full, { ...full, RecordID: 148_399 }].map((one) => `{ ${JSON.stringify(one).slice(1, -1)} }`);
    const { findings, events, problems } = await analyzed(lines.join('\n'));
    expect({ events, problems }).toEqual({ events: 2, problems: [] });
    expect(findings).toMatchObject([{ severity: 'informational', count: 2, first: '2026-11-17T09:06:12.448123Z' }]);
    expect(findings[0]?.samples[0]?.fields).toMatchObject({ ...full.Details, EventID: 4688, EventRecordID: '148398' });
  });

  it('have what a row leaves out that is as before', async () => {
    const again = { ...row, Details: 'DUP', ExtraFieldInfo: 'DUP', RecordID: 148_399 };
    const { findings } = await analyzed(`${JSON.stringify(row)}\n${JSON.stringify(again)}\n`);
    expect(findings[0]?.samples.map((sample) => sample.fields.CommandLine)).toEqual([
      fields.CommandLine,
      fields.CommandLine,
    ]);
  });

  it.each([
    ['2026-11-17 09:06:12.448 +00:00', '2026-11-17T09:06:12.448Z'],
    ['2026-11-17T09:06:12.448123Z', '2026-11-17T09:06:12.448123Z'],
    ['Tue, 17 Nov 2026 10:06:12 +0100', '2026-11-17T09:06:12Z'],
    ['11-17-2026 04:06:12.448 AM -05:00', '2026-11-17T09:06:12.448Z'],
    ['11-17-2026 09:06:12.448 +00:00', '2026-11-17T09:06:12.448Z'],
    ['17-11-2026 09:06:12.448 +00:00', '2026-11-17T09:06:12.448Z'],
    ['10-11-2026 09:06:12.448 +00:00', null],
  ])('may have the time as %s', async (Timestamp, first) => {
    expect((await analyzed(JSON.stringify({ ...row, Timestamp }))).findings[0]?.first).toBe(first);
  });

  it('show accounts, addresses and processes of other events by the names that Windows has', async () => {
    const of = async (EventID: number, Channel: string, Details: object): Promise<object | undefined> => {
      const { findings } = await analyzed(JSON.stringify({ ...row, EventID, Channel, Details, ExtraFieldInfo: '-' }));
      return findings[0]?.samples[0]?.fields;
    };
    const logon = { Type: 3, TgtUser: 'eve', SrcComp: 'PC9', SrcIP: '203.0.113.9', LID: '0x1' };
    expect(await of(4624, 'Sec', logon)).toMatchObject({
      LogonType: 3,
      TargetUserName: 'eve',
      WorkstationName: 'PC9',
      IpAddress: '203.0.113.9',
      TargetLogonId: '0x1',
    });
    expect(await of(4688, 'Security', { Proc: 'C:\\a.exe', PID: '0x10', User: 'eve' })).toMatchObject({
      NewProcessName: 'C:\\a.exe',
      NewProcessId: '0x10',
      SubjectUserName: 'eve',
    });
    expect(await of(7045, 'Sys', { Svc: 'x', Path: 'C:\\x.exe', Acct: 'LocalSystem' })).toMatchObject({
      ServiceName: 'x',
      ImagePath: 'C:\\x.exe',
      AccountName: 'LocalSystem',
    });
  });
});

const hit = {
  group: 'Sigma',
  kind: 'individual',
  document: {
    kind: 'evtx',
    path: 'intrusion-sysmon.evtx',
    data: {
      Event: {
        System: {
          Provider_attributes: { Name: 'Microsoft-Windows-Sysmon', Guid: '5770385F-C22A-43E0-BF4C-06F5698FFBD9' },
          EventID: 1,
          Channel: 'Microsoft-Windows-Sysmon/Operational',
          Computer: 'WS-FIN-07',
          EventRecordID: 148_398,
          TimeCreated_attributes: { SystemTime: '2026-11-17T09:06:12.453724Z' },
          Security_attributes: { UserID: 'S-1-5-18' },
        },
        EventData: { Image: 'C:\\Windows\\System32\\rundll32.exe', ProcessId: 3412 },
      },
      Event_attributes: { xmlns: 'http://schemas.microsoft.com/win/2004/08/events/event' },
    },
  },
  name: 'Memory Dump Through Comsvcs',
  timestamp: '2026-11-17T09:06:12.453724+00:00',
  authors: ['A', 'B'],
  level: 'critical',
  source: 'sigma',
  status: 'stable',
  id: '0a334dac-5ceb-499c-ad80-78b4122c6285',
  tags: ['attack.credential-access', 'attack.t1003.001'],
};

describe('hits of Chainsaw', () => {
  it('are read as recorded', async () => {
    const analysis = await analyzed(await recorded('chainsaw-2.16.4'));
    expect(analysis).toMatchObject({ logType: 'detection_results', events: 2, problems: [], toldBy: 'evtx-hunt' });
    expect(told(analysis)).toEqual([
      ['critical', 1, 'Memory Dump Through Comsvcs', '0a334dac-5ceb-499c-ad80-78b4122c6285'],
      ['critical', 1, 'Named Pipe Of A Known Implant', expect.stringMatching(/^[\da-f-]{36}$/)],
    ]);
    expect(analysis.findings[0]?.samples[0]).toMatchObject({
      recordId: '148398',
      timestamp: '2026-11-17T09:06:12.453724Z',
      computer: 'WS-FIN-07.corp.harrowpell.example',
      channel: 'Microsoft-Windows-Sysmon/Operational',
      eventId: '1',
      fields: {
        Image: 'C:\\Windows\\System32\\rundll32.exe',
        ParentProcessId: 11_556,
        Provider_Name: 'Microsoft-Windows-Sysmon',
      },
    });
  });

  it.each<[string, (hits: readonly object[]) => string]>([
    ['lines', (hits) => hits.map((one) => JSON.stringify(one)).join('\n')],
    ['one array', (hits) => JSON.stringify(hits)],
    ['an indented array', (hits) => JSON.stringify(hits, null, 2)],
  ])('are read as %s', async (_name, write) => {
    const { id: _id, tags: _tags, ...own } = { ...hit, source: 'chainsaw', name: 'Own rule', level: 'info' };
    const analysis = await analyzed(write([hit, { ...hit, kind: 'cached' }, own]));
    expect(analysis).toMatchObject({ logType: 'detection_results', events: 3, problems: [], toldBy: 'evtx-hunt' });
    expect(told(analysis)).toEqual([
      ['critical', 2, hit.name, hit.id],
      ['informational', 1, 'Own rule', null],
    ]);
    expect(analysis.findings[0]).toMatchObject({
      author: 'A, B',
      tags: hit.tags,
      first: '2026-11-17T09:06:12.453724Z',
    });
    expect(analysis.findings[0]?.samples[0]).toEqual({
      recordId: '148398',
      timestamp: '2026-11-17T09:06:12.453724Z',
      computer: 'WS-FIN-07',
      channel: 'Microsoft-Windows-Sysmon/Operational',
      eventId: '1',
      fields: {
        Provider_Name: 'Microsoft-Windows-Sysmon',
        Provider_Guid: '5770385F-C22A-43E0-BF4C-06F5698FFBD9',
        EventID: 1,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        Computer: 'WS-FIN-07',
        EventRecordID: 148_398,
        TimeCreated_SystemTime: '2026-11-17T09:06:12.453724Z',
        Security_UserID: 'S-1-5-18',
        Image: 'C:\\Windows\\System32\\rundll32.exe',
        ProcessId: 3412,
        _offset: expect.any(Number) as number,
      },
    });
  });

  it('have all events that a rule puts together, each with its own time', async () => {
    const { document, ...rest } = hit;
    const later = structuredClone(document);
    later.data.Event.System.TimeCreated_attributes.SystemTime = '2026-11-17T10:00:00.000000Z';
    const analysis = await analyzed(JSON.stringify({ ...rest, kind: 'aggregate', documents: [document, later] }));
    expect(analysis.findings).toHaveLength(1);
    expect(analysis.findings[0]).toMatchObject({
      count: 2,
      first: '2026-11-17T09:06:12.453724Z',
      last: '2026-11-17T10:00:00.000000Z',
    });
  });
});

describe('results of Zircolite', () => {
  it('are read as recorded', async () => {
    const analysis = await analyzed(await recorded('zircolite-3.7.0'));
    expect(analysis).toMatchObject({ logType: 'detection_results', events: 3, problems: [], toldBy: 'sigma-multi' });
    expect(told(analysis)).toEqual([
      ['critical', 1, 'Memory Dump Through Comsvcs', '0a334dac-5ceb-499c-ad80-78b4122c6285'],
      ['high', 2, 'Command Clears Or Disables An Event Log', expect.stringMatching(/^[\da-f-]{36}$/)],
    ]);
    const [{ samples, tags }] = analysis.findings as [Analysis['findings'][number]];
    expect(tags).toEqual([
      'attack.credential-access',
      'attack.t1003.001',
      'attack.defense-evasion',
      'attack.t1218.011',
    ]);
    expect(samples[0]).toMatchObject({
      recordId: '148398',
      timestamp: '2026-11-17T09:06:12.453724Z',
      computer: 'WS-FIN-07.corp.harrowpell.example',
      channel: 'Microsoft-Windows-Sysmon/Operational',
      eventId: '1',
      fields: { Image: 'C:\\Windows\\System32\\rundll32.exe', ParentProcessId: 11_556, EventID: 1 },
    });
    expect(samples[0]?.fields).not.toHaveProperty('row_id');
  });

  it('of one rule in several files are one finding', async () => {
    const text = (await recorded('zircolite-3.7.0')).slice(1, -1);
    expect((await analyzed(`[${text},\n${text}]`)).findings.map(({ count }) => count)).toEqual([2, 4]);
  });

  it('keep all whole events wherever their program was killed, and say that it was', async () => {
    const text = await recorded('zircolite-3.7.0');
    const ends = [...text.matchAll(/^ {4}\}/gm)].map(({ index }) => index + 5);
    expect(ends).toHaveLength(3);
    for (let cut = 2; cut < text.length; cut += 397) {
      const analysis = await analyzed(text.slice(0, cut));
      if (analysis.logType !== 'detection_results') continue;
      expect(analysis.events).toBe(ends.filter((end) => end <= cut).length);
      const isWithinEvent = analysis.problems.some(({ code }) => code === 'record-unfinished');
      expect(isWithinEvent).toBe(cut < text.length - 1);
    }
  });

  it('lose an event that is damaged, and nothing else', async () => {
    const text = await recorded('zircolite-3.7.0');
    const second = text.indexOf('"row_id"', text.indexOf('Command Clears'));
    const analysis = await analyzed(`${text.slice(0, second)}\u0000${text.slice(second)}`);
    expect(analysis.problems.map(({ code }) => code)).toContain('record-malformed');
    expect(analysis.findings.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('without events are no findings', async () => {
    const nothing = { title: 'T', id: '', sigma: [], rule_level: 'high', tags: [], count: 0, matches: [] };
    expect(await analyzed(JSON.stringify([nothing]))).toMatchObject({ events: 0, findings: [], problems: [] });
  });

  it('of other logs name their records as their product does', async () => {
    const match = { row_id: 1, type: 'SYSCALL', exe: '/usr/bin/nc', pid: '812', timestamp: '2026-11-17 09:06:12' };
    const rule = { title: 'T', id: '', sigma: [], rule_level: 'unknown', tags: [], count: 1, matches: [match] };
    const { findings } = await analyzed(JSON.stringify([rule], null, 2));
    expect(findings).toMatchObject([{ ruleId: null, severity: 'informational', first: '2026-11-17T09:06:12Z' }]);
    expect(findings[0]?.samples[0]?.fields).toMatchObject({ exe: '/usr/bin/nc', pid: '812' });
  });

  it('are read as a table', async () => {
    const table =
      'rule_title;rule_description;rule_level;rule_count;Channel;EventID;Image\nT;D;high;1;Security;4688;C:\\a.exe\n';
    const analysis = await analyzed(table);
    expect(analysis).toMatchObject({ logType: 'detection_results', toldBy: 'sigma-multi' });
    expect(told(analysis)).toEqual([['high', 1, 'T', null]]);
  });
});

describe('results of ChopChopGo', () => {
  const rule = ruleOf("s: ['x']\ncondition: s", '{product: linux, service: auditd}')
    .replace(/^title: .*$/m, 'title: Network Tool Started')
    .replace(/^/, 'id: 5f2d1f0e-6f0b-4a52-9a0e-2c51a7a10002\nlevel: high\n');

  it('have the level of the rule where it is known here', async () => {
    const { rules } = loadRules([{ path: 'a.yml', text: rule }]);
    const text = await recorded('chopchopgo-1.1-auditd');
    expect(told(await analyzed(text))).toEqual([
      ['informational', 1, 'Network Tool Started', '5f2d1f0e-6f0b-4a52-9a0e-2c51a7a10002'],
    ]);
    const [known] = (await analyzed(text, rules)).findings;
    expect(known).toMatchObject({
      severity: 'high',
      author: 'Project',
      ruleSource: rule,
      first: '2025-11-17T09:06:12Z',
    });
    expect(known?.samples[0]?.fields).toMatchObject({ exe: '/usr/bin/nc', pid: '812', User: '1000' });
  });

  it('have times without a year that are not to come', async () => {
    const analysis = await analyzed(await recorded('chopchopgo-1.1-syslog'));
    expect(analysis).toMatchObject({ toldBy: 'sigma-text', problems: [] });
    expect(analysis.findings).toMatchObject([{ ruleName: 'Failed Password', first: '2026-11-17T09:06:12Z' }]);
  });

  it('of a table name no rule, and are told apart by their tags', async () => {
    const analysis = await analyzed(await recorded('chopchopgo-1.1-auditd.csv'));
    expect(analysis.toldBy).toBe('sigma-text');
    expect(analysis.findings).toMatchObject([
      {
        ruleName: 'Rule not named (attack.command-and-control, attack.t1095)',
        tags: ['attack.command-and-control', 'attack.t1095'],
      },
    ]);
  });
});

describe('results', () => {
  it.each(['', 'null\n', '[]', '[ ]'])('that are %j are no findings', async (text) => {
    const source = sourceOf(new TextEncoder().encode(text));
    const analysis = await analyze(source, { rules: noRules, logType: 'detection_results', maxSamples: 1 });
    expect(analysis).toMatchObject({ events: 0, findings: [], problems: [] });
    expect(analysis.unread).toBeUndefined();
  });

  it.each(['{"a": 1}', 'not JSON at all', '[1, 2, 3]', 'a,b\n1,2\n', '{"RuleTitle": "x", "Level"', '\u0000\u0000'])(
    'that are %j cannot be read, which is said',
    async (text) => {
      const source = sourceOf(new TextEncoder().encode(text));
      const analysis = await analyze(source, { rules: noRules, logType: 'detection_results', maxSamples: 1 });
      expect(analysis.events).toBe(0);
      expect(analysis.unread).toEqual(expect.any(String));
    },
  );

  it('in a compressed file and in an archive beside a log are read as well', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(row));
    expect(told(await analyzed(gzipSync(bytes)))).toEqual([['critical', 1, row.RuleTitle, row.RuleID]]);
    const log = new TextEncoder().encode('Nov 17 09:06:12 web-01 sshd[311]: fatal: bad string\n');
    const { rules } = loadRules([
      { path: 'a.yml', text: ruleOf("s: ['bad string']\ncondition: s", '{product: linux, service: sshd}') },
    ]);
    const analysis = await analyzed(zipSync({ 'timeline.json': bytes, 'auth.log': log }), rules);
    expect(analysis.problems).toEqual([]);
    expect(analysis.findings.map(({ ruleName, count }) => [ruleName, count])).toEqual([
      [row.RuleTitle, 1],
      [expect.any(String), 1],
    ]);
    expect(analysis.findings[0]?.samples[0]?.fields).toMatchObject({ _file: 'timeline.json' });
  });

  it.each([
    ['crit', 'critical'],
    ['Critical', 'critical'],
    ['emergency', 'critical'],
    ['high', 'high'],
    ['med ', 'medium'],
    ['medium', 'medium'],
    ['low ', 'low'],
    ['info', 'informational'],
    ['notice', 'informational'],
    ['__proto__', 'informational'],
    ['', 'informational'],
  ])('of level %j are %s', (level, severity) => {
    expect(severityOf(level)).toBe(severity);
  });
});
