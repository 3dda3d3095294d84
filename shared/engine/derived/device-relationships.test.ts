import { expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { sourceOf } from '../testing/read-all.ts';
import type { EntityFields } from './entities.ts';

/** No field names anything always, so that all that is found is what relationships are between. */
const entities: EntityFields = {
  fields: {
    ip: [],
    hash: [],
    executable: [],
    domain: [],
    command_line: [],
    user: [],
    service: [],
    task: [],
    computer: [],
  },
  ignoredUsers: ['system'],
  commandLineExtensions: ['.ps1'],
};
const { rules } = loadRules([]);

async function edgesOf(...records: readonly object[]): Promise<string[]> {
  const log = records.map((record) => JSON.stringify(record)).join('\n');
  const derive = { groups: [], entities, threats: [] };
  const bytes = new TextEncoder().encode(`${log}\n`);
  const { derived } = await analyze(sourceOf(bytes), { rules, logType: 'auto', maxSamples: 1, derive });
  const { entities: named, relationships } = derived!.intel;
  return relationships
    .map(({ type, source, target, count, failed }) => {
      const failures = failed > 0 ? `, ${failed} failed` : '';
      return `${type}: ${named[source]!.value} -> ${named[target]!.value} (${count}${failures})`;
    })
    .sort();
}

const sha256 = 'AB'.repeat(32);
const time = '2026-03-04T08:15:00.123Z';
const defender = (table: string, action: string, more: object): object => ({
  Type: table,
  TimeGenerated: time,
  DeviceName: 'ws1',
  ActionType: action,
  InitiatingProcessFileName: 'cmd.exe',
  InitiatingProcessFolderPath: 'c:\\windows\\system32\\cmd.exe',
  InitiatingProcessAccountName: 'bob',
  ...more,
});
const falcon = (name: string, more: object): object => ({
  event_simpleName: name,
  event_platform: 'Win',
  aid: 'a1',
  ComputerName: 'ws1',
  timestamp: String(Date.parse(time)),
  ...more,
});
const sentinel = (type: string, more: object): object => ({
  'event.time': Date.parse(time),
  'event.type': type,
  'endpoint.os': 'windows',
  'endpoint.name': 'ws1',
  'src.process.image.path': 'C:\\Windows\\cmd.exe',
  'src.process.user': 'CORP\\bob',
  ...more,
});
const ecs = (event: object, more: object): object => ({
  '@timestamp': time,
  event: { kind: 'event', module: 'endpoint', ...event },
  agent: { type: 'endpoint' },
  host: { name: 'ws1', os: { type: 'linux' } },
  user: { name: 'bob' },
  ...more,
});
const cloud = (type: string, more: object): object => ({
  type: `endpoint.event.${type}`,
  device_timestamp: time,
  device_name: 'ws1',
  device_os: 'WINDOWS',
  process_guid: 'g4',
  process_path: 'c:\\windows\\cmd.exe',
  process_cmdline: 'cmd',
  process_username: 'CORP\\bob',
  ...more,
});
const acted = ['runs_as: cmd.exe -> bob (1)', 'runs_on: cmd.exe -> ws1 (1)'];

it.each<[string, object, readonly string[]]>([
  [
    'Defender: a start',
    defender('DeviceProcessEvents', 'ProcessCreated', {
      FileName: 'WhoAmI.exe',
      FolderPath: 'C:\\Windows\\System32\\whoami.exe',
      AccountName: 'eve',
      SHA256: sha256.toLowerCase(),
      ProcessCommandLine: 'whoami',
    }),
    [
      `hashes_to: whoami.exe -> ${sha256} (1)`,
      'parent_of: cmd.exe -> whoami.exe (1)',
      'runs_as: whoami.exe -> eve (1)',
      'runs_on: whoami.exe -> ws1 (1)',
    ],
  ],
  [
    'Defender: a connection',
    defender('DeviceNetworkEvents', 'ConnectionSuccess', { LocalIP: '10.0.0.5', RemoteIP: '8.8.8.8', RemotePort: 443 }),
    ['communicates_with: cmd.exe -> 8.8.8.8 (1)', ...acted],
  ],
  [
    'Defender: a connection between public addresses',
    defender('DeviceNetworkEvents', 'ConnectionSuccess', { LocalIP: '8.8.4.4', RemoteIP: '8.8.8.8', RemotePort: 443 }),
    ['communicates_with: cmd.exe -> 8.8.8.8 (1)', 'connects_to: 8.8.4.4 -> 8.8.8.8 (1)', ...acted],
  ],
  [
    'Defender: a connection that another began',
    defender('DeviceNetworkEvents', 'InboundConnectionAccepted', { LocalIP: '8.8.4.4', RemoteIP: '8.8.8.8' }),
    acted,
  ],
  [
    'Defender: a file',
    defender('DeviceFileEvents', 'FileCreated', { FileName: 'Stage.ps1', FolderPath: 'C:\\Temp\\Stage.ps1' }),
    ['creates: cmd.exe -> stage.ps1 (1)', ...acted],
  ],
  [
    'Defender: a library',
    defender('DeviceImageLoadEvents', 'ImageLoaded', { FileName: 'x.dll', FolderPath: 'C:\\x.dll', SHA256: sha256 }),
    [`hashes_to: x.dll -> ${sha256} (1)`, 'loads: cmd.exe -> x.dll (1)', ...acted],
  ],
  [
    'Defender: a failed logon',
    defender('DeviceLogonEvents', 'LogonFailed', { AccountName: 'eve', RemoteIP: '192.0.2.7', LogonType: 'Network' }),
    ['logs_on_from: eve -> 192.0.2.7 (1, 1 failed)', 'logs_on_to: eve -> ws1 (1, 1 failed)'],
  ],
  [
    'Falcon: a start',
    falcon('ProcessRollup2', {
      TargetProcessId: '7',
      ImageFileName: '\\Device\\HarddiskVolume3\\Windows\\System32\\whoami.exe',
      ParentBaseFileName: 'cmd.exe',
      UserName: 'eve',
      SHA256HashData: sha256,
      CommandLine: 'whoami',
    }),
    [
      `hashes_to: whoami.exe -> ${sha256} (1)`,
      'parent_of: cmd.exe -> whoami.exe (1)',
      'runs_as: whoami.exe -> eve (1)',
      'runs_on: whoami.exe -> ws1 (1)',
    ],
  ],
  [
    'Falcon: a name asked for',
    falcon('DnsRequest', { ContextBaseFileName: 'cmd.exe', DomainName: 'evil.example', IP4Records: '8.8.8.8;' }),
    ['queries: cmd.exe -> evil.example (1)', 'resolves_to: evil.example -> 8.8.8.8 (1)', 'runs_on: cmd.exe -> ws1 (1)'],
  ],
  [
    'SentinelOne: a connection',
    sentinel('IP Connect', {
      'src.ip.address': '10.0.0.5',
      'dst.ip.address': '8.8.8.8',
      'event.network.direction': 'OUTGOING',
    }),
    ['communicates_with: cmd.exe -> 8.8.8.8 (1)', 'runs_as: cmd.exe -> CORP\\bob (1)', 'runs_on: cmd.exe -> ws1 (1)'],
  ],
  [
    'Carbon Black: a start that its parent’s record tells',
    cloud('procstart', { childproc_name: 'c:\\whoami.exe', childproc_username: 'CORP\\eve', childproc_hash: [sha256] }),
    [
      `hashes_to: whoami.exe -> ${sha256} (1)`,
      'parent_of: cmd.exe -> whoami.exe (1)',
      'runs_as: cmd.exe -> CORP\\bob (1)',
      'runs_as: whoami.exe -> CORP\\eve (1)',
      'runs_on: cmd.exe -> ws1 (1)',
      'runs_on: whoami.exe -> ws1 (1)',
    ],
  ],
  [
    'Carbon Black: a file',
    cloud('filemod', { action: 'ACTION_FILE_CREATE', filemod_name: 'c:\\stage.ps1' }),
    ['creates: cmd.exe -> stage.ps1 (1)', 'runs_as: cmd.exe -> CORP\\bob (1)', 'runs_on: cmd.exe -> ws1 (1)'],
  ],
  [
    'Elastic Defend: a start',
    ecs(
      { category: ['process'], type: ['start'], action: 'exec' },
      { process: { executable: '/usr/bin/id', hash: { sha256 }, parent: { executable: '/bin/bash' } } },
    ),
    [`hashes_to: id -> ${sha256} (1)`, 'parent_of: bash -> id (1)', 'runs_as: id -> bob (1)', 'runs_on: id -> ws1 (1)'],
  ],
  [
    'Elastic Defend: a connection',
    ecs(
      { category: ['network'], type: ['start'], action: 'connection_attempted' },
      { process: { executable: '/usr/bin/curl' }, source: { ip: '10.0.0.5' }, destination: { ip: '8.8.8.8' } },
    ),
    ['communicates_with: curl -> 8.8.8.8 (1)', 'runs_as: curl -> bob (1)', 'runs_on: curl -> ws1 (1)'],
  ],
  [
    'Zeek: a name asked for',
    {
      _path: 'dns',
      ts: 1772612100.5,
      uid: 'C1',
      'id.orig_h': '10.0.0.5',
      'id.resp_h': '10.0.0.1',
      query: 'evil.example',
      qtype_name: 'A',
      answers: ['8.8.8.8', 'cdn.example'],
    },
    ['resolves_to: evil.example -> 8.8.8.8 (1)'],
  ],
  [
    'Suricata: a name asked for',
    {
      timestamp: time,
      event_type: 'dns',
      src_ip: '10.0.0.5',
      dest_ip: '10.0.0.1',
      flow_id: 1,
      dns: { type: 'answer', rrname: 'evil.example', rrtype: 'A', grouped: { A: ['8.8.8.8'] } },
    },
    ['resolves_to: evil.example -> 8.8.8.8 (1)'],
  ],
])('records of %s show relationships', async (_, record, expected) => {
  expect(await edgesOf(record)).toEqual([...expected].sort());
});

it('are asked of nothing else that has fields of these names', async () => {
  const mail = {
    Type: 'EmailAttachmentInfo',
    TimeGenerated: time,
    FileName: 'a.exe',
    SHA256: sha256,
    AccountName: 'eve',
  };
  expect(await edgesOf({ ...mail, DeviceName: 'ws1' })).toEqual([]);
});
