import { describe, expect, it } from 'vitest';
import { firstRecord, type FirstRecord, readAll } from '../../testing/index.ts';
import { readCsv } from '../csv/read-csv.ts';
import { xmlObject } from './xml-object.ts';

const time = '2026-03-04T08:15:00.123Z';
const workspace = { TenantId: 't', SourceSystem: 'OpsManager', TimeGenerated: time };
const json = (record: object): string => JSON.stringify(record);
const device = { Timestamp: time, DeviceId: 'd', DeviceName: 'pc1', ReportId: 7 };
const byPowerShell = {
  InitiatingProcessFileName: 'powershell.exe',
  InitiatingProcessFolderPath: 'c:\\windows\\system32\\powershell.exe',
  InitiatingProcessCommandLine: 'powershell -enc AA',
  InitiatingProcessAccountDomain: 'corp',
  InitiatingProcessAccountName: 'alice',
};
const dataItem =
  '<DataItem type="System.XmlData" time="2026-03-04T08:15:00"><EventData xmlns="http://x">' +
  '<Data Name="Image">C:\\a&amp;b.exe</Data><Data Name="Empty" /></EventData></DataItem>';
const rawXml =
  "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Sysmon'/>" +
  "<EventID>1</EventID><TimeCreated SystemTime='2026-03-04T08:15:00.123Z'/><Channel>Microsoft-Windows-Sysmon/Operational</Channel>" +
  "<Computer>pc1</Computer></System><EventData><Data Name='Image'>C:\\x.exe</Data><Data Name='CommandLine'>x /y</Data></EventData></Event>";

const windows: [string, string, Partial<FirstRecord>][] = [
  [
    'SecurityEvent',
    json({
      ...workspace,
      Type: 'SecurityEvent',
      Computer: 'pc1',
      EventID: 4688,
      NewProcessName: 'C:\\x.exe',
      Empty: '',
    }),
    {
      type: 'json_evtx',
      from: 'Security 4688',
      fields: { NewProcessName: 'C:\\x.exe', Empty: undefined, Computer: 'pc1' },
    },
  ],
  [
    'Event with its data as XML',
    json({ ...workspace, Type: 'Event', Source: 'P', EventLog: 'L/Operational', EventID: 1, EventData: dataItem }),
    { type: 'json_evtx', from: 'L/Operational 1', fields: { Image: 'C:\\a&b.exe', Provider_Name: 'P' } },
  ],
  [
    'WindowsEvent with its data as JSON in a text',
    json({ ...workspace, Type: 'WindowsEvent', Provider: 'P', Channel: 'L', EventID: 5, EventData: '{"Image":"x"}' }),
    { type: 'json_evtx', from: 'L 5', fields: { Image: 'x', Provider_Name: 'P' } },
  ],
  [
    'columns that a union has marked with their types',
    json({ TimeGenerated: time, Computer: 'pc1', EventID: 5156, Protocol_string: '6', Application: 'System' }),
    { type: 'json_evtx', from: 'Security 5156', fields: { Protocol: '6', Application: 'System' } },
  ],
  [
    'WindowsEventLogsTable of diagnostics',
    json({
      time,
      category: 'WindowsEventLogsTable',
      level: 'Informational',
      properties: { EventId: 1, RawXml: rawXml },
    }),
    {
      type: 'json_evtx',
      from: 'Microsoft-Windows-Sysmon/Operational 1',
      fields: { Image: 'C:\\x.exe', CommandLine: 'x /y', Computer: 'pc1' },
    },
  ],
  [
    'a data frame’s table of logons',
    `,TenantId,Account,EventID,TimeGenerated,Computer,TargetUserName,IpAddress\n0,t,A\\b,4624,2026-03-04 08:15:00.123,pc1,b,\n`,
    { type: 'csv', from: 'Security 4624', fields: { TargetUserName: 'b', IpAddress: undefined } },
  ],
  [
    'the portal’s table',
    `"TimeGenerated [UTC]",Computer,EventID,Channel,CommandLine\n"3/4/2026, 8:15:00.123 AM",pc1,4688,Security,"a ""b"""\n`,
    { type: 'csv', from: 'Security 4688', fields: { CommandLine: 'a "b"' } },
  ],
];

const tables: [string, string, Partial<FirstRecord>][] = [
  [
    'OfficeActivity',
    json({
      ...workspace,
      Type: 'OfficeActivity',
      OfficeWorkload: 'Exchange',
      Operation: 'New-InboxRule',
      Client_IPAddress: '192.0.2.1',
    }),
    {
      type: 'cloud_audit',
      from: 'm365/exchange',
      fields: { Workload: 'Exchange', ClientIP: '192.0.2.1', eventName: 'New-InboxRule' },
    },
  ],
  [
    'AuditLogs with texts of type dynamic',
    json({
      ...workspace,
      Type: 'AuditLogs',
      OperationName: 'Add member to role',
      Category: 'RoleManagement',
      TargetResources: '[{"displayName":"r","modifiedProperties":[{"newValue":"\\"Global Administrator\\""}]}]',
    }),
    {
      type: 'cloud_audit',
      from: 'azure/auditlogs',
      fields: {
        'properties.message': 'Add member to role',
        'TargetResources.ModifiedProperties.NewValue': '"Global Administrator"',
      },
    },
  ],
  [
    'SigninLogs in a table',
    `TimeGenerated,Type,OperationName,Category,ResultType,AppDisplayName,ConditionalAccessStatus,DeviceDetail\n` +
      `${time},SigninLogs,Sign-in activity,SignInLogs,50053,Portal,failure,"{""trustType"":""Azure AD joined""}"\n`,
    {
      type: 'csv',
      from: 'azure/signinlogs',
      fields: { ResultType: '50053', 'DeviceDetail.trusttype': 'Azure AD joined' },
    },
  ],
  [
    'AzureActivity',
    json({
      ...workspace,
      Type: 'AzureActivity',
      OperationNameValue: 'MICROSOFT.X/DELETE',
      CategoryValue: 'Administrative',
    }),
    { type: 'cloud_audit', from: 'azure/activitylogs', fields: { operationName: 'MICROSOFT.X/DELETE' } },
  ],
  [
    'VMConnection',
    json({
      TimeGenerated: time,
      Computer: 'pc1',
      Direction: 'outbound',
      SourceIp: '192.0.2.1',
      DestinationIp: '192.0.2.2',
      DestinationPort: 1389,
      Type: 'VMConnection',
    }),
    { type: 'json', from: '-/firewall', fields: { src_ip: '192.0.2.1', dst_ip: '192.0.2.2', dst_port: '1389' } },
  ],
  [
    'CommonSecurityLog',
    json({
      ...workspace,
      Type: 'CommonSecurityLog',
      DeviceVendor: 'V',
      DeviceProduct: 'P',
      DeviceAction: 'deny',
      SourceIP: '192.0.2.1',
    }),
    { type: 'json', from: '-/firewall', fields: { src_ip: '192.0.2.1', action: 'deny', blocked: 'true' } },
  ],
  [
    'Syslog in a table',
    `TimeGenerated,Computer,Facility,SyslogMessage,ProcessName,Type\n${time},h,authpriv,a : COMMAND=/bin/id,sudo,Syslog\n`,
    { type: 'csv', from: 'linux/auth', fields: { message: 'a : COMMAND=/bin/id' } },
  ],
  [
    'W3CIISLog',
    json({
      ...workspace,
      Type: 'W3CIISLog',
      csMethod: 'GET',
      csUriStem: '/a%20b',
      csUriQuery: 'c=d',
      cIP: '192.0.2.1',
      scStatus: '200',
    }),
    { type: 'json', from: '-/webserver', fields: { 'cs-method': 'GET', 'cs-uri-query': 'c=d', 'c-ip': '192.0.2.1' } },
  ],
  [
    'DnsEvents',
    json({ ...workspace, Type: 'DnsEvents', Name: 'a.example', QueryType: 'TXT', ClientIP: '192.0.2.1' }),
    { type: 'json', from: '-/dns', fields: { query: 'a.example', record_type: 'TXT' } },
  ],
  [
    'AWSCloudTrail',
    json({
      ...workspace,
      Type: 'AWSCloudTrail',
      EventSource: 'iam.amazonaws.com',
      EventName: 'CreateUser',
      AWSRegion: 'r',
      UserIdentityType: 'Root',
    }),
    { type: 'cloud_audit', from: 'aws/cloudtrail', fields: { eventName: 'CreateUser', 'userIdentity.type': 'Root' } },
  ],
  [
    'a start of a process',
    json({
      ...device,
      ...byPowerShell,
      ActionType: 'ProcessCreated',
      FileName: 'whoami.exe',
      FolderPath: 'C:\\Windows\\System32\\whoami.exe',
      ProcessCommandLine: 'whoami /all',
      AccountDomain: 'corp',
      AccountName: 'bob',
      SHA1: 'ab',
      MD5: '',
    }),
    {
      type: 'json',
      from: 'windows/process_creation',
      fields: {
        Image: 'C:\\Windows\\System32\\whoami.exe',
        CommandLine: 'whoami /all',
        ParentImage: 'c:\\windows\\system32\\powershell.exe',
        ParentCommandLine: 'powershell -enc AA',
        User: 'corp\\bob',
        ParentUser: 'corp\\alice',
        Hashes: 'SHA1=AB',
      },
    },
  ],
  [
    'a start of a process on Linux',
    json({
      ...device,
      ActionType: 'ProcessCreated',
      InitiatingProcessFolderPath: '/bin/sh',
      FileName: 'id',
      FolderPath: '/usr/bin/id',
    }),
    { type: 'json', from: 'linux/process_creation', fields: { Image: '/usr/bin/id', ParentImage: '/bin/sh' } },
  ],
  [
    'a connection in Defender’s stream',
    json({
      time,
      tenantId: 't',
      operationName: 'Publish',
      category: 'AdvancedHunting-DeviceNetworkEvents',
      properties: {
        ...device,
        ...byPowerShell,
        ActionType: 'ConnectionSuccess',
        RemoteIP: '192.0.2.1',
        RemotePort: 443,
      },
    }),
    {
      type: 'json',
      from: 'windows/network_connection',
      fields: { DestinationIp: '192.0.2.1', DestinationPort: '443', Initiated: 'true', User: 'corp\\alice' },
    },
  ],
  [
    'a registry value in a table',
    `Timestamp,DeviceId,DeviceName,ActionType,RegistryKey,RegistryValueName,RegistryValueType,RegistryValueData\n` +
      `"Mar 4, 2026 8:15:00.123 AM",d,pc1,RegistryValueSet,HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\x,Start,Dword,4\n`,
    {
      type: 'csv',
      from: 'windows/registry_set',
      fields: { TargetObject: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\x\\Start', Details: 'DWORD (0x00000004)' },
    },
  ],
  [
    'a file with its folder apart',
    json({ ...device, ...byPowerShell, ActionType: 'FileCreated', FolderPath: 'C:\\Temp', FileName: 'a.ps1' }),
    {
      type: 'json',
      from: 'windows/file_event',
      fields: { TargetFilename: 'C:\\Temp\\a.ps1', Image: 'c:\\windows\\system32\\powershell.exe' },
    },
  ],
  [
    'a pipe',
    json({
      ...device,
      ActionType: 'NamedPipeEvent',
      AdditionalFields: '{"PipeName":"\\\\Device\\\\NamedPipe\\\\msagent_1"}',
    }),
    { type: 'json', from: 'windows/pipe_created', fields: { PipeName: '\\msagent_1' } },
  ],
  [
    'CloudAppEvents, by the record of Microsoft 365 in it',
    json({
      Timestamp: time,
      ActionType: 'New-InboxRule',
      Application: 'Microsoft Exchange Online',
      ReportId: 'r',
      RawEventData: { CreationTime: '2026-03-04T08:15:00.123', Workload: 'Exchange', Operation: 'New-InboxRule' },
    }),
    { type: 'cloud_audit', from: 'm365/exchange', fields: { Operation: 'New-InboxRule', ActionType: undefined } },
  ],
  [
    'an alert',
    json({
      Timestamp: time,
      AlertId: 'a',
      Title: 'T',
      ServiceSource: 'Microsoft Defender for Endpoint',
      Severity: 'High',
    }),
    { type: 'cloud_audit', from: 'm365/-', fields: { Title: 'T' } },
  ],
];

describe('rows of Log Analytics and advanced hunting', () => {
  it.each([...windows, ...tables])('%s', async (_, log, expected) => {
    const found = await firstRecord(log, Object.keys(expected.fields!));
    expect(found).toEqual({ ...expected, time: expect.stringContaining('2026-03-04T08:15:00.123') as unknown });
  });

  it('keeps of a table’s columns only those that a record has', async () => {
    const { records } = await readAll(
      readCsv,
      `Timestamp,DeviceId,ActionType,RemoteUrl\n${time},d,DnsQueryResponse,\n`,
    );
    expect(records).toEqual([{ Timestamp: time, DeviceId: 'd', ActionType: 'DnsQueryResponse', _offset: 40 }]);
  });
});

describe('xmlObject', () => {
  it.each([
    ['<a/>', { a: null }],
    [
      '<a><b>1</b><b>2</b><c x="&lt;">t</c></a>',
      { a: { b: ['1', '2'], c: { '#attributes': { x: '<' }, '#text': 't' } } },
    ],
    ['<a><![CDATA[<x>]]></a>', { a: '<x>' }],
    ['<a>', undefined],
    ['<a></b>', undefined],
    ['<a', undefined],
  ])('%s', (xml, value) => {
    expect(xmlObject(xml)).toEqual(value);
  });
});
