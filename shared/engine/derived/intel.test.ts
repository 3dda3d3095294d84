import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { LogType } from '../readers/log-type.ts';
import { readerFor } from '../readers/readers.ts';
import { detectLogType } from '../readers/detect-log-type.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { logSamples } from '../testing/log-samples.ts';
import { freshTables, sourceOf } from '../testing/read-all.ts';
import type { EntityFields } from './entities.ts';
import type { DerivedIntel } from './intel.ts';

const entities: EntityFields = {
  fields: {
    ip: ['IpAddress', 'SourceIp', 'DestinationIp', 'addr'],
    hash: ['Hashes'],
    executable: [
      'Image',
      'ParentImage',
      'ImageLoaded',
      'NewProcessName',
      'SourceImage',
      'TargetImage',
      'ImagePath',
      'exe',
    ],
    domain: ['QueryName', 'QueryResults'],
    command_line: ['CommandLine', 'name'],
    user: ['User', 'TargetUserName', 'SubjectUserName', 'auid', 'acct'],
    service: ['ServiceName'],
    task: ['TaskName'],
    computer: ['hostname'],
  },
  ignoredUsers: ['', '-', 'system', 'unset', '4294967295'],
  commandLineExtensions: ['.exe', '.ps1', '.sh'],
};
const { rules } = loadRules([
  {
    path: 'r.yml',
    text: `title: Guessed
name: guessed
level: low
logsource: {product: windows}
detection: {a: {EventID: 4625}, condition: a}
`,
  },
]);

async function intelOf(log: string, logType: LogType = 'json_evtx'): Promise<DerivedIntel> {
  const derive = { groups: ['impact'], entities, threats: [] };
  const { derived } = await analyze(sourceOf(new TextEncoder().encode(log)), { rules, logType, maxSamples: 1, derive });
  return derived!.intel;
}

let second = 0;
function event(eventId: number, data: Readonly<Record<string, unknown>>, computer = 'WS01'): string {
  const time = new Date(Date.UTC(2026, 7, 1, 10, 0, second++ % 60)).toISOString();
  const system = {
    EventID: eventId,
    Channel: 'x',
    Computer: computer,
    TimeCreated: { '#attributes': { SystemTime: time } },
  };
  return JSON.stringify({ Event: { System: system, EventData: data } });
}

/** Relationships as texts. */
function edgesOf({ entities: named, relationships }: DerivedIntel): string[] {
  return relationships.map(({ type, source, target }) => `${type}: ${named[source]!.value} -> ${named[target]!.value}`);
}

describe('relationships', () => {
  const sha1 = 'A'.repeat(40);
  it.each<[string, number, Readonly<Record<string, unknown>>, string[]]>([
    [
      'a process that starts',
      1,
      { Image: 'C:\\a.exe', ParentImage: 'C:\\b.exe', User: 'CORP\\eve', Hashes: `SHA1=${sha1}` },
      [
        `hashes_to: a.exe -> ${sha1}`,
        'parent_of: b.exe -> a.exe',
        'runs_as: a.exe -> CORP\\eve',
        'runs_on: a.exe -> WS01',
      ],
    ],
    [
      'a loaded image, whose the hash is',
      7,
      { Image: 'a.exe', ImageLoaded: 'x.dll', Hashes: `SHA1=${sha1}` },
      [`hashes_to: x.dll -> ${sha1}`, 'runs_on: a.exe -> WS01', 'loads: a.exe -> x.dll'],
    ],
    [
      'a query of DNS',
      22,
      { Image: 'a.exe', QueryName: 'evil.example', QueryResults: 'type:  5 cdn.example;::ffff:8.8.8.8;::;' },
      ['resolves_to: evil.example -> 8.8.8.8', 'runs_on: a.exe -> WS01', 'queries: a.exe -> evil.example'],
    ],
    [
      'a connection out',
      3,
      { Image: 'a.exe', SourceIp: '8.8.4.4', DestinationIp: '8.8.8.8', Initiated: 'true' },
      ['runs_on: a.exe -> WS01', 'connects_to: 8.8.4.4 -> 8.8.8.8', 'communicates_with: a.exe -> 8.8.8.8'],
    ],
    [
      'a connection in from a private network',
      3,
      { Image: 'a.exe', SourceIp: '10.0.0.1', DestinationIp: '8.8.8.8', Initiated: 'false' },
      ['runs_on: a.exe -> WS01'],
    ],
    [
      'fields of a connection in another event',
      4,
      { Image: 'a.exe', SourceIp: '8.8.4.4', DestinationIp: '8.8.8.8' },
      ['runs_on: a.exe -> WS01'],
    ],
    [
      'a file that is made',
      11,
      { Image: 'a.exe', TargetFilename: 'C:\\My Files\\run me.PS1' },
      ['runs_on: a.exe -> WS01', 'creates: a.exe -> run me.ps1'],
    ],
    [
      'a file without a listed extension',
      11,
      { Image: 'a.exe', TargetFilename: 'C:\\a.txt' },
      ['runs_on: a.exe -> WS01'],
    ],
    [
      'a file that is the program itself',
      11,
      { Image: 'a.exe', TargetFilename: 'C:\\a.exe' },
      ['runs_on: a.exe -> WS01'],
    ],
    [
      'a service',
      7045,
      { ServiceName: 'Updater', ImagePath: 'C:\\u.exe', SubjectUserName: 'eve' },
      ['installs: eve -> Updater', 'installs: u.exe -> Updater'],
    ],
    ['a task', 4698, { SubjectUserName: 'eve', TaskName: '\\Updater' }, ['schedules: eve -> \\Updater']],
    [
      'a thread in another process',
      8,
      { SourceImage: 'a.exe', TargetImage: 'b.exe' },
      ['injects_into: a.exe -> b.exe'],
    ],
    ['a thread in its own', 10, { SourceImage: 'a.exe', TargetImage: 'A.EXE' }, []],
    [
      'a parent that nothing else names',
      4688,
      { NewProcessName: 'a.exe', ParentProcessName: 'b.exe' },
      ['runs_on: a.exe -> WS01'],
    ],
    ['an ignored account', 1, { Image: 'a.exe', User: 'SYSTEM' }, ['runs_on: a.exe -> WS01']],
  ])('of %s', async (_, eventId, data, expected) => {
    expect(edgesOf(await intelOf(event(eventId, data))).sort()).toEqual([...expected].sort());
  });

  it('tell failed logons, when they were seen, and the first events', async () => {
    const logon = { TargetUserName: 'alice', IpAddress: '10.0.0.7', LogonType: 3, Nothing: 'x' };
    second = 0;
    const {
      relationships,
      entities: named,
      findings,
    } = await intelOf([4625, 4625, 4624, 4625].map((eventId) => event(eventId, logon)).join('\n'));
    expect(relationships).toHaveLength(2);
    expect(relationships[0]).toMatchObject({ type: 'logs_on_from', count: 4, failed: 3 });
    expect(relationships[0]).toMatchObject({
      observedFrom: Date.UTC(2026, 7, 1, 10, 0, 0),
      observedTo: Date.UTC(2026, 7, 1, 10, 0, 3),
    });
    expect(relationships[0]!.samples).toHaveLength(3);
    expect(relationships[0]!.samples[0]).toEqual({
      SystemTime: '2026-08-01T10:00:00.000Z',
      Computer: 'WS01',
      EventID: 4625,
      TargetUserName: 'alice',
      IpAddress: '10.0.0.7',
      LogonType: '3',
    });
    expect(named.map(({ value, count }) => `${value} ${count}`)).toEqual(['alice 4', 'WS01 4', '10.0.0.7 4']);
    expect(findings).toEqual([{ rule: 0, entities: [0, 1, 2] }]);
  });

  it('take a value without a name for nothing', async () => {
    const { entities: named } = await intelOf(event(1, { '': 'WS02', Image: 'a.exe' }));
    expect(named.map(({ value }) => value)).toEqual(['WS01', 'a.exe']);
  });

  it('are those of Linux too, each record counted once', async () => {
    const records = [
      'type=SYSCALL arch=c000003e syscall=257 success=yes pid=2 auid=1000 exe="/bin/touch"',
      'type=CWD cwd="/tmp"',
      'type=PATH item=1 name="stage.sh" nametype=CREATE',
    ].map((record) => `node=web1 ${record.replace(' ', ' msg=audit(1772612100.123:42): ')}`);
    const intel = await intelOf(`${records.join('\n')}\n`, 'auditd');
    expect(edgesOf(intel)).toEqual(['runs_as: touch -> 1000', 'runs_on: touch -> web1', 'creates: touch -> stage.sh']);
    expect(intel.entities.map(({ value, count }) => `${value} ${count}`)).toEqual([
      '1000 1',
      'web1 3',
      'touch 1',
      'stage.sh 1',
    ]);
    expect(intel.relationships.map(({ count }) => count)).toEqual([1, 1, 1]);
  });
});

describe('what is kept', () => {
  it('are the most frequent, 20,000 of a type, and it says that there were more', async () => {
    const lines = Array.from({ length: 20_010 }, (_, at) => event(1, { User: `u${at}` }));
    const intel = await intelOf([...lines, event(1, { User: 'u20009' })].join('\n'));
    const users = intel.entities.filter(({ type }) => type === 'user');
    expect(users).toHaveLength(20_000);
    expect(users[0]).toEqual({ type: 'user', value: 'u20009', count: 2 });
    expect(intel.isTruncated).toBe(true);
  });

  it('is nothing where it is not asked for', async () => {
    const bytes = new TextEncoder().encode(event(1, { User: 'eve' }));
    const derive = { groups: ['impact'], entities, threats: [], intel: false };
    const { derived } = await analyze(sourceOf(bytes), { rules, logType: 'json_evtx', maxSamples: 1, derive });
    expect(derived!.intel).toEqual({ entities: [], findings: [], relationships: [], isTruncated: false });
  });
});

it('asks events for the values that their records have', async () => {
  let asked = 0;
  for (const { log } of logSamples) {
    const bytes = new TextEncoder().encode(log);
    const read = readerFor(detectLogType(bytes));
    const visit = (one: LogEvent): void => {
      if (one.slotNames === undefined) return;
      asked++;
      const { values } = one;
      const named = new Map<string, string[]>();
      for (const [place, { name, section }] of one.slotNames.entries()) {
        const id = one.at!(place);
        const given = (values.items(id) ?? [id]).map((item) => values.text(item)).filter((text) => text !== '');
        if (given.length > 0 && !(name === 'Computer' && section === 'system') && name !== '')
          named.set(name, [...(named.get(name) ?? []), ...given]);
      }
      const record = Object.entries(one.toRecord()).filter(([name]) => name !== '_offset' && name !== 'Computer');
      expect(Object.fromEntries(named)).toEqual(
        Object.fromEntries(record.map(([name, value]) => [name, [value].flat().map(String)])),
      );
    };
    await read?.(sourceOf(bytes), freshTables(), visit, { now: Date.UTC(2026, 10, 21) });
  }
  expect(asked).toBeGreaterThan(30);
});
