import { describe, expect, it } from 'vitest';
import type { FakeRecord } from '../testing/fake-event.ts';
import { matching, ruleOf } from '../testing/rule-check.ts';

type Data = NonNullable<FakeRecord['data']>;

/** Whether a field of a record has this value, to a rule of the log source. */
function has(logSource: string, record: FakeRecord, field: string, value: string): boolean {
  const plain = JSON.stringify(value.replace(/[\\*?]/g, '\\$&'));
  return matching(ruleOf(`s:\n  ${field}: ${plain}\ncondition: s`, logSource), record)[0]!;
}

function isAbsent(logSource: string, record: FakeRecord, field: string): boolean {
  return matching(ruleOf(`s: {${field}|exists: false}\ncondition: s`, logSource), record)[0]!;
}

const security = (eventId: number, data: Data): FakeRecord => ({
  channel: 'Security',
  provider: 'Microsoft-Windows-Security-Auditing',
  eventId,
  computer: 'dc1.example.test',
  time: '2026-03-01T10:00:00.1234567Z',
  data,
});

const created = security(4688, {
  SubjectUserSid: 'S-1-5-18',
  SubjectUserName: 'DC1$',
  SubjectDomainName: 'EXAMPLE',
  SubjectLogonId: '0x3e7',
  NewProcessId: '0x1f4c',
  NewProcessName: 'C:\\Windows\\System32\\cmd.exe',
  TokenElevationType: '%%1936',
  ProcessId: '0x2A8',
  CommandLine: 'cmd.exe /c whoami',
  TargetUserName: 'alice',
  TargetDomainName: 'CORP',
  ParentProcessName: 'C:\\Windows\\explorer.exe',
  MandatoryLabel: 'S-1-16-12288',
});
const processCreation = '{product: windows, category: process_creation}';

describe('M1: Security 4688 and 4689 as process_creation and process_termination', () => {
  it.each([
    ['Image', 'C:\\Windows\\System32\\cmd.exe'],
    ['image', 'c:\\windows\\system32\\CMD.EXE'],
    ['ParentImage', 'C:\\Windows\\explorer.exe'],
    ['CommandLine', 'cmd.exe /c whoami'],
    ['ProcessId', '8012'],
    ['ParentProcessId', '680'],
    ['User', 'CORP\\alice'],
    ['LogonId', '0x3e7'],
    ['IntegrityLevel', 'High'],
    ['UtcTime', '2026-03-01T10:00:00.1234567Z'],
    ['Computer', 'dc1.example.test'],
    // What has no mapping is the record's own.
    ['NewProcessName', 'C:\\Windows\\System32\\cmd.exe'],
    ['TokenElevationType', '%%1936'],
  ])('%s is %s', (field, value) => {
    expect(has(processCreation, created, field, value)).toBe(true);
    expect(has(processCreation, created, field, `${value}x`)).toBe(false);
  });

  it('has no fields that only Sysmon has, and rules that ask for them still run', () => {
    for (const field of [
      'OriginalFileName',
      'Hashes',
      'Company',
      'CurrentDirectory',
      'ParentCommandLine',
      'ParentUser',
    ])
      expect(isAbsent(processCreation, created, field)).toBe(true);
    const either = 's:\n  - OriginalFileName: cmd.exe\n  - Image|endswith: \\cmd.exe\ncondition: s';
    expect(matching(ruleOf(either, processCreation), created)).toEqual([true]);
  });

  it.each([
    ['S-1-16-0', 'Untrusted'],
    ['S-1-16-4096', 'Low'],
    ['S-1-16-8192', 'Medium'],
    ['S-1-16-8448', 'Medium'],
    ['S-1-16-12288', 'High'],
    ['S-1-16-16384', 'System'],
    ['S-1-16-20480', 'S-1-16-20480'],
  ])('MandatoryLabel %s is IntegrityLevel %s', (label, level) => {
    const record = security(4688, { MandatoryLabel: label });
    expect(has(processCreation, record, 'IntegrityLevel', level)).toBe(true);
  });

  it.each([
    [{ TargetUserName: '-', TargetDomainName: '-' }, 'EXAMPLE\\DC1$'],
    [{ TargetUserName: '', TargetDomainName: '' }, 'EXAMPLE\\DC1$'],
    [{ TargetUserName: null, TargetDomainName: null }, 'EXAMPLE\\DC1$'],
    [{ TargetUserName: 'bob', TargetDomainName: 'CORP' }, 'CORP\\bob'],
  ])('%j: the user is %s', (target, user) => {
    const record = security(4688, { ...created.data, ...target });
    expect(has(processCreation, record, 'User', user)).toBe(true);
  });

  it('is another view than a rule of service security has', () => {
    const native = '{product: windows, service: security}';
    expect(has(native, created, 'ProcessId', '0x2A8')).toBe(true);
    expect(has(native, created, 'ProcessId', '8012')).toBe(false);
    expect(has(native, created, 'NewProcessId', '0x1f4c')).toBe(true);
    expect(isAbsent(native, created, 'Image')).toBe(true);
    expect(isAbsent(native, created, 'User')).toBe(true);
    expect(has(native, created, 'TargetUserName', 'alice')).toBe(true);
  });

  it('takes a number in hexadecimal for the decimal it is', () => {
    const rule = (id: string): string => ruleOf(`s: {ProcessId: ${id}}\ncondition: s`, processCreation);
    expect(matching(rule('8012'), created)).toEqual([true]);
    expect(matching(rule('680'), created)).toEqual([false]);
  });

  it('sees 4689 as the end of the process', () => {
    const record = security(4689, {
      SubjectUserName: 'alice',
      SubjectDomainName: 'CORP',
      ProcessId: '0x10',
      ProcessName: 'C:\\x.exe',
    });
    const source = '{product: windows, category: process_termination}';
    expect(has(source, record, 'Image', 'C:\\x.exe')).toBe(true);
    expect(has(source, record, 'ProcessId', '16')).toBe(true);
    expect(has(source, record, 'User', 'CORP\\alice')).toBe(true);
    expect(matching(ruleOf('s: {Image: C:\\x.exe}\ncondition: s', processCreation), record)).toEqual([false]);
  });
});

describe('M2: Security 4657 as registry events', () => {
  const set = (data: Data): FakeRecord =>
    security(4657, {
      ObjectName: '\\REGISTRY\\MACHINE\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run',
      ObjectValueName: 'Updater',
      OperationType: '%%1905',
      NewValue: 'C:\\Temp\\x.exe',
      ProcessName: 'C:\\Windows\\regedit.exe',
      SubjectUserName: 'alice',
      SubjectDomainName: 'CORP',
      ...data,
    });
  const source = '{product: windows, category: registry_set}';

  it.each([
    ['TargetObject', 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\Updater'],
    ['Details', 'C:\\Temp\\x.exe'],
    ['Image', 'C:\\Windows\\regedit.exe'],
    ['EventType', 'SetValue'],
    ['User', 'CORP\\alice'],
    ['ObjectValueName', 'Updater'],
  ])('%s is %s', (field, value) => {
    expect(has(source, set({}), field, value)).toBe(true);
    expect(has(source, set({}), field, `${value}x`)).toBe(false);
  });

  it.each([
    ['\\REGISTRY\\MACHINE\\SYSTEM\\ControlSet001\\Services\\X', 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\X'],
    ['\\REGISTRY\\MACHINE\\SYSTEM\\ControlSet001', 'HKLM\\SYSTEM\\CurrentControlSet'],
    ['\\REGISTRY\\MACHINE\\SYSTEM\\ControlSet0012', 'HKLM\\SYSTEM\\ControlSet0012'],
    ['\\REGISTRY\\USER\\S-1-5-21-1\\Software', 'HKU\\S-1-5-21-1\\Software'],
    ['\\REGISTRY\\USER\\S-1-5-21-1_Classes\\x', 'HKU\\S-1-5-21-1_Classes\\x'],
    ['\\Registry\\Machine\\x', 'HKLM\\x'],
    ['HKLM\\already', 'HKLM\\already'],
  ])('ObjectName %s is TargetObject %s', (name, target) => {
    for (const none of ['', '-', null]) {
      expect(has(source, set({ ObjectName: name, ObjectValueName: none }), 'TargetObject', target)).toBe(true);
    }
    expect(has(source, set({ ObjectName: name }), 'TargetObject', `${target}\\Updater`)).toBe(true);
  });

  it.each([
    ['%%1904', 'CreateKey', 'registry_add'],
    ['%%1905', 'SetValue', 'registry_set'],
    ['%%1906', 'DeleteValue', 'registry_delete'],
  ])('OperationType %s is EventType %s', (operation, type, category) => {
    const record = set({ OperationType: operation });
    expect(has(`{product: windows, category: ${category}}`, record, 'EventType', type)).toBe(true);
    expect(has('{product: windows, category: registry_event}', record, 'EventType', type)).toBe(true);
    expect(isAbsent('{product: windows, service: security}', record, 'EventType')).toBe(true);
  });
});

describe('M3: Security 5156 as network_connection', () => {
  const connection = (direction: string, data: Data = {}): FakeRecord =>
    security(5156, {
      Application: '\\device\\harddiskvolume2\\x.exe',
      Direction: direction,
      SourceAddress: '10.0.0.1',
      SourcePort: '50000',
      DestAddress: '203.0.113.9',
      DestPort: '443',
      Protocol: '6',
      ...data,
    });
  const source = '{product: windows, category: network_connection}';

  it.each([
    ['Image', '\\device\\harddiskvolume2\\x.exe', '\\device\\harddiskvolume2\\x.exe'],
    ['SourceIp', '10.0.0.1', '203.0.113.9'],
    ['SourcePort', '50000', '443'],
    ['DestinationIp', '203.0.113.9', '10.0.0.1'],
    ['DestinationPort', '443', '50000'],
    ['Initiated', 'true', 'false'],
    ['Protocol', 'tcp', 'tcp'],
    ['DestAddress', '203.0.113.9', '203.0.113.9'],
  ])('%s is %s outbound and %s inbound', (field, outbound, inbound) => {
    expect(has(source, connection('%%14593'), field, outbound)).toBe(true);
    expect(has(source, connection('%%14592'), field, inbound)).toBe(true);
    if (outbound !== inbound) expect(has(source, connection('%%14592'), field, outbound)).toBe(false);
  });

  it('names the protocols that have names', () => {
    expect(has(source, connection('%%14593', { Protocol: '17' }), 'Protocol', 'udp')).toBe(true);
    expect(has(source, connection('%%14593', { Protocol: '1' }), 'Protocol', '1')).toBe(true);
  });

  it('lets networks and numbers test what is mapped', () => {
    const rule = 's: {DestinationIp|cidr: 203.0.113.0/24, DestinationPort: 443, Initiated: true}\ncondition: s';
    expect(matching(ruleOf(rule, source), connection('%%14593'))).toEqual([true]);
    expect(matching(ruleOf(rule, source), connection('%%14592'))).toEqual([false]);
  });
});

describe('M4: Defender as antivirus', () => {
  const found: FakeRecord = {
    channel: 'Microsoft-Windows-Windows Defender/Operational',
    provider: 'Microsoft-Windows-Windows Defender',
    eventId: 1116,
    data: { 'Threat Name': 'HackTool:Win32/Mimikatz', Path: 'file:_C:\\x.exe', 'Action Name': 'Quarantine' },
  };

  it('has Signature, Filename and Action', () => {
    const source = '{category: antivirus}';
    expect(has(source, found, 'Signature', 'HackTool:Win32/Mimikatz')).toBe(true);
    expect(has(source, found, 'Filename', 'file:_C:\\x.exe')).toBe(true);
    expect(has(source, found, 'Action', 'Quarantine')).toBe(true);
    expect(has(source, found, 'Action', 'Allow')).toBe(false);
    expect(isAbsent('{product: windows, service: windefend}', found, 'Signature')).toBe(true);
  });

  it('finds names with blanks however a rule spells them', () => {
    const source = '{product: windows, service: windefend}';
    for (const field of ['Threat Name', 'ThreatName', 'Threat_Name', 'threatname']) {
      expect(has(source, found, field, 'HackTool:Win32/Mimikatz')).toBe(true);
    }
  });
});

describe('M5: parts of Hashes', () => {
  const hashed = (eventId: number, data: Data): FakeRecord => ({
    channel: 'Microsoft-Windows-Sysmon/Operational',
    provider: 'Microsoft-Windows-Sysmon',
    eventId,
    data,
  });
  const all = 'SHA1=0a1b,MD5=1c2d,SHA256=3e4f,IMPHASH=5a6b';

  it.each([1, 6, 7, 15, 23, 26, 29])('of Sysmon %i', (eventId) => {
    for (const [field, value] of [
      ['sha1', '0A1B'],
      ['md5', '1c2d'],
      ['sha256', '3e4f'],
      ['Imphash', '5a6b'],
      ['SHA256', '3e4f'],
      ['Hashes', all],
    ] as const) {
      expect(has('{product: windows}', hashed(eventId, { Hashes: all }), field, value)).toBe(true);
      expect(has('{product: windows}', hashed(eventId, { Hashes: all }), field, 'ffff')).toBe(false);
    }
    expect(has('{product: windows}', hashed(eventId, { Hash: all }), 'md5', '1c2d')).toBe(true);
  });

  it('are absent where there is none, and the record’s own come first', () => {
    expect(isAbsent('{product: windows}', hashed(1, { Hashes: 'SHA1=0a1b' }), 'md5')).toBe(true);
    expect(isAbsent('{product: windows}', hashed(1, {}), 'sha1')).toBe(true);
    expect(isAbsent('{product: windows}', hashed(3, { Hashes: all }), 'sha1')).toBe(true);
    expect(has('{product: windows}', hashed(1, { Hashes: all, sha1: 'own' }), 'sha1', 'own')).toBe(true);
    const other = { ...hashed(1, { Hashes: all }), channel: 'Other', provider: 'Other' };
    expect(isAbsent('{product: windows}', other, 'sha1')).toBe(true);
    expect(has('{product: windows}', { ...other, provider: 'Microsoft-Windows-Sysmon' }, 'sha1', '0a1b')).toBe(true);
  });
});

describe('M6 and M7: lines of PowerShell’s texts', () => {
  const last =
    '\tNewEngineState=Available\r\n\tPreviousEngineState=None\r\n\r\n\tSequenceNumber=13\r\n\r\n\tHostName=ConsoleHost\r\n' +
    '\tHostVersion=2.0\r\n\tHostApplication=powershell -c a=b\r\n\tEngineVersion=2.0\r\n\tCommandLine=';
  const classic: FakeRecord = {
    channel: 'Windows PowerShell',
    provider: 'PowerShell',
    eventId: 400,
    computer: 'ws1',
    data: { Data: ['Available', 'None', last] },
  };

  it.each([
    ['HostApplication', 'powershell -c a=b'],
    ['hostapplication', 'powershell -c a=b'],
    ['EngineVersion', '2.0'],
    ['HostName', 'ConsoleHost'],
    ['CommandLine', ''],
    ['SequenceNumber', '13'],
  ])('%s of a classic event is %j', (field, value) => {
    for (const eventId of [400, 600, 800]) {
      expect(has('{product: windows}', { ...classic, eventId }, field, value)).toBe(true);
      expect(has('{product: windows}', { ...classic, eventId }, field, `${value}x`)).toBe(false);
    }
    expect(isAbsent('{product: windows}', { ...classic, channel: 'Application' }, 'EngineVersion')).toBe(true);
  });

  it('has all of Data besides', () => {
    const rule = (pattern: string): string => ruleOf(`s: {Data|contains: '${pattern}'}\ncondition: s`);
    expect(matching(rule('HostName=ConsoleHost'), classic)).toEqual([true]);
    expect(matching(rule('Available*EngineVersion=2.0'), classic)).toEqual([true]);
    expect(matching(rule('EngineVersion=3'), classic)).toEqual([false]);
    expect(isAbsent('{product: windows}', classic, 'Nothing')).toBe(true);
  });

  it('finds four names in the ContextInfo of 4103', () => {
    const record = (channel: string, eventId: number): FakeRecord => ({
      channel,
      eventId,
      data: {
        ContextInfo:
          '        Severity = Informational\r\n        Host Name = ConsoleHost\r\n' +
          '        Host Application = powershell.exe -x\r\n        Command Name = Get-Item\r\n' +
          '        Script Name = C:\\s.ps1\r\n        User = CORP\\alice\r\n',
        Payload: 'x',
      },
    });
    const module = record('Microsoft-Windows-PowerShell/Operational', 4103);
    for (const [field, value] of [
      ['HostApplication', 'powershell.exe -x'],
      ['User', 'CORP\\alice'],
      ['ScriptName', 'C:\\s.ps1'],
      ['CommandName', 'Get-Item'],
    ] as const) {
      expect(has('{product: windows, category: ps_module}', module, field, value)).toBe(true);
      expect(has('{product: windows}', record('PowerShellCore/Operational', 4103), field, value)).toBe(true);
      expect(isAbsent('{product: windows}', record('Microsoft-Windows-PowerShell/Operational', 4104), field)).toBe(
        true,
      );
    }
    expect(isAbsent('{product: windows}', module, 'Severity')).toBe(true);
  });
});

describe('M8: logons', () => {
  it('have LogonType as number and as text, and mapped addresses as what they map', () => {
    const logon = security(4624, { LogonType: 3, IpAddress: '::ffff:10.1.2.3' });
    const rule = (text: string): string =>
      ruleOf(`s: {${text}}\ncondition: s`, '{product: windows, service: security}');
    expect(matching(rule('LogonType: 3'), logon)).toEqual([true]);
    expect(matching(rule("LogonType: '3'"), logon)).toEqual([true]);
    expect(matching(rule('IpAddress|cidr: 10.0.0.0/8'), logon)).toEqual([true]);
    expect(matching(rule('IpAddress|cidr: 192.168.0.0/16'), logon)).toEqual([false]);
    expect(matching(rule("IpAddress: '::ffff:10.1.2.3'"), logon)).toEqual([true]);
  });
});

describe('T-dns: Sysmon 22 as dns', () => {
  it('has query and answer', () => {
    const record = {
      channel: 'Microsoft-Windows-Sysmon/Operational',
      provider: 'Microsoft-Windows-Sysmon',
      eventId: 22,
      data: { QueryName: 'evil.example', QueryResults: '203.0.113.1;' },
    };
    expect(has('{category: dns}', record, 'query', 'evil.example')).toBe(true);
    expect(has('{category: dns}', record, 'answer', '203.0.113.1;')).toBe(true);
    expect(isAbsent('{product: windows, category: dns_query}', record, 'query')).toBe(true);
  });
});

describe('names of a Windows event (1.2.3, 1 to 3)', () => {
  const record: FakeRecord = {
    channel: 'Application',
    provider: 'Some Provider',
    eventId: 7,
    computer: 'ws1.example.test',
    time: '2026-03-01T10:00:00Z',
    message: 'rendered text',
    data: { Own: 'a', 'Feature Name': 'f' },
  };

  it.each([
    ['EventID', '7'],
    ['eventid', '7'],
    ['Channel', 'Application'],
    ['EventLog', 'application'],
    ['Provider_Name', 'Some Provider'],
    ['Source', 'Some Provider'],
    ['Computer', 'ws1.example.test'],
    ['ComputerName', 'ws1.example.test'],
    ['Hostname', 'ws1.example.test'],
    ['TimeCreated_SystemTime', '2026-03-01T10:00:00Z'],
    ['SystemTime', '2026-03-01T10:00:00Z'],
    ['Message', 'rendered text'],
    ['Feature_Name', 'f'],
    ['FeatureName', 'f'],
  ])('%s is %s', (field, value) => {
    expect(has('{product: windows}', record, field, value)).toBe(true);
    expect(has('{product: windows}', record, field, `${value}x`)).toBe(false);
  });

  it('come from the data first, but for the id, which is always the event’s own', () => {
    const shadowing = { ...record, data: { Source: 'own', Computer: 'other', EventID: '99', Message: 'own message' } };
    for (const [field, value] of [
      ['Source', 'own'],
      ['Computer', 'other'],
      ['EventID', '7'],
      ['Message', 'own message'],
    ] as const) {
      expect(has('{product: windows}', shadowing, field, value)).toBe(true);
    }
    expect(has('{product: windows}', shadowing, 'Provider_Name', 'Some Provider')).toBe(true);
  });

  it('have several unnamed values, each tested', () => {
    const unnamed = { ...record, data: { Data: ['one', 'two'] } };
    expect(has('{product: windows}', unnamed, 'Data', 'two')).toBe(true);
    expect(has('{product: windows}', unnamed, 'Data', 'one\ntwo')).toBe(false);
    expect(isAbsent('{product: windows}', { ...record, data: {} }, 'Data')).toBe(true);
  });
});
