import { describe, expect, it } from 'vitest';
import { readAll } from '../../testing/index.ts';
import { readWindowsJson } from './read-windows-json.ts';

const sysmon = { channel: 'Microsoft-Windows-Sysmon/Operational', provider_name: 'Microsoft-Windows-Sysmon' };

const cases: { what: string; record: object; flat: Record<string, unknown> }[] = [
  {
    what: 'all of winlog',
    record: {
      '@timestamp': '2024-01-01T00:00:00.5Z',
      message: 'told',
      log: { level: 'information' },
      host: { name: 'other' },
      winlog: {
        channel: 'Security',
        provider_name: 'P',
        provider_guid: '{g}',
        event_id: '4624',
        record_id: 9,
        computer_name: 'W',
        version: 2,
        task: 'Logon',
        opcode: 'Info',
        keywords: ['Audit Success'],
        activity_id: '{a}',
        process: { pid: 4, thread: { id: 8 } },
        user: { identifier: 'S-1-5-18' },
        event_data: { LogonType: '3', Empty: '' },
      },
    },
    flat: {
      Provider_Name: 'P',
      Provider_Guid: '{g}',
      EventID: '4624',
      Version: 2,
      TimeCreated_SystemTime: '2024-01-01T00:00:00.5Z',
      EventRecordID: 9,
      Correlation_ActivityID: '{a}',
      Execution_ProcessID: 4,
      Execution_ThreadID: 8,
      Channel: 'Security',
      Computer: 'W',
      Security_UserID: 'S-1-5-18',
      LogonType: '3',
      Message: 'told',
      Level_Text: 'information',
      Task_Text: 'Logon',
      Opcode_Text: 'Info',
      Keywords_Text: 'Audit Success',
    },
  },
  {
    what: 'user_data with its root',
    record: { winlog: { event_id: 1102, user_data: { xml_name: 'LogFileCleared', SubjectUserName: 'bob' } } },
    flat: { EventID: 1102, UserData_Root: 'LogFileCleared', SubjectUserName: 'bob' },
  },
  {
    what: 'a document of Elasticsearch',
    record: { _index: 'i', _source: { winlog: { event_id: 1, event_data: { A: 'b' } } } },
    flat: { EventID: 1, A: 'b' },
  },
  {
    what: 'ECS names where event_data is missing',
    record: {
      agent: { type: 'winlogbeat' },
      event: { code: '1' },
      winlog: sysmon,
      user: { name: 'bob', domain: 'LAB' },
      process: {
        executable: 'C:\\a.exe',
        command_line: 'a.exe -x',
        pid: 7,
        hash: { md5: 'aa', sha256: 'bb' },
        pe: { original_file_name: 'A.EXE', imphash: 'cc' },
        parent: { executable: 'C:\\b.exe', command_line: 'b' },
      },
    },
    flat: {
      Provider_Name: 'Microsoft-Windows-Sysmon',
      EventID: '1',
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Image: 'C:\\a.exe',
      CommandLine: 'a.exe -x',
      ProcessId: 7,
      ParentImage: 'C:\\b.exe',
      ParentCommandLine: 'b',
      OriginalFileName: 'A.EXE',
      User: 'LAB\\bob',
      Hashes: 'MD5=AA,SHA256=BB,IMPHASH=CC',
    },
  },
  {
    what: 'event_data before ECS names',
    record: {
      winlog: { ...sysmon, event_id: 1, event_data: { Image: 'mine', User: 'me' } },
      process: { executable: 'theirs', pid: 7 },
      user: { name: 'they' },
    },
    flat: {
      Provider_Name: 'Microsoft-Windows-Sysmon',
      EventID: 1,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Image: 'mine',
      User: 'me',
      ProcessId: 7,
    },
  },
  {
    what: 'ECS names of an image load',
    record: {
      winlog: { ...sysmon, event_id: 7 },
      dll: { path: 'C:\\x.dll', code_signature: { status: 'Valid' }, pe: { company: 'Co' } },
    },
    flat: {
      Provider_Name: 'Microsoft-Windows-Sysmon',
      EventID: 7,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Company: 'Co',
      SignatureStatus: 'Valid',
      ImageLoaded: 'C:\\x.dll',
    },
  },
  {
    what: 'ECS names of the Security log',
    record: {
      winlog: { channel: 'Security', provider_name: 'Microsoft-Windows-Security-Auditing', event_id: 4688 },
      process: { executable: 'C:\\a.exe', parent: { executable: 'C:\\b.exe' } },
    },
    flat: {
      Provider_Name: 'Microsoft-Windows-Security-Auditing',
      EventID: 4688,
      Channel: 'Security',
      NewProcessName: 'C:\\a.exe',
      ProcessName: 'C:\\a.exe',
      ParentProcessName: 'C:\\b.exe',
    },
  },
  {
    what: 'keys that have the dots in them',
    record: { winlog: { 'process.pid': 3, event_id: 1 }, 'process.executable': 'C:\\a.exe' },
    flat: { EventID: 1, Execution_ProcessID: 3, Image: 'C:\\a.exe' },
  },
  {
    what: 'unnamed values of classic PowerShell',
    record: { winlog: { provider_name: 'PowerShell', event_id: 400, event_data: { param1: 'a', param2: 'b' } } },
    flat: { Provider_Name: 'PowerShell', EventID: 400, Data: ['a', 'b'] },
  },
];

describe('flattenWinlogbeat', () => {
  it.each(cases)('$what', async ({ record, flat }) => {
    const { records } = await readAll(readWindowsJson, JSON.stringify(record));
    const { _offset, ...found } = records[0]!;
    expect(found).toEqual(flat);
  });
});
