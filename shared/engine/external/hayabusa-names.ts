/** Channels by the short names that timelines have for them. */
const channels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    App: 'Application',
    'DNS-Svr': 'DNS Server',
    Sec: 'Security',
    Sys: 'System',
    Sysmon: 'Microsoft-Windows-Sysmon/Operational',
    PwSh: 'Microsoft-Windows-PowerShell/Operational',
    PwShClassic: 'Windows PowerShell',
    PwShCore: 'PowerShellCore/Operational',
    TaskSch: 'Microsoft-Windows-TaskScheduler/Operational',
    Defender: 'Microsoft-Windows-Windows Defender/Operational',
    Firewall: 'Microsoft-Windows-Windows Firewall With Advanced Security/Firewall',
    BitsCli: 'Microsoft-Windows-Bits-Client/Operational',
    CodeInteg: 'Microsoft-Windows-CodeIntegrity/Operational',
    'DHCP-Svr': 'Microsoft-Windows-DHCP-Server/Operational',
    DvrFmwk: 'Microsoft-Windows-DriverFrameworks-UserMode/Operational',
    'LDAP-Cli': 'Microsoft-Windows-LDAP-Client/Debug',
    NTLM: 'Microsoft-Windows-NTLM/Operational',
    SmbCliSec: 'Microsoft-Windows-SmbClient/Security',
    'RDP-Cli': 'Microsoft-Windows-TerminalServices-RDPClient/Operational',
    'RDP-CoreTS': 'Microsoft-Windows-RemoteDesktopServices-RdpCoreTS/Operational',
    'RDS-GTW': 'Microsoft-Windows-TerminalServices-Gateway/Operational',
    'RDS-RCM': 'Microsoft-Windows-TerminalServices-RemoteConnectionManager/Operational',
    'RDS-LSM': 'Microsoft-Windows-TerminalServices-LocalSessionManager/Operational',
    PrintAdm: 'Microsoft-Windows-PrintService/Admin',
    PrintOp: 'Microsoft-Windows-PrintService/Operational',
    WinRM: 'Microsoft-Windows-WinRM/Operational',
    WMI: 'Microsoft-Windows-WMI-Activity/Operational',
    Exchange: 'MSExchange Management',
    OpenSSH: 'OpenSSH/Operational',
    GroupPolicy: 'Microsoft-Windows-GroupPolicy/Operational',
    Forwarding: 'Microsoft-Windows-Forwarding/Operational',
  }),
);

export function channelOf(name: string | null): string | null {
  return name === null ? null : (channels.get(name) ?? name);
}

type Names = Readonly<Record<string, string>>;

const process: Names = {
  Cmdline: 'CommandLine',
  ParentCmdline: 'ParentCommandLine',
  ParentPID: 'ParentProcessId',
  PGUID: 'ProcessGuid',
  ParentPGUID: 'ParentProcessGuid',
  LGUID: 'LogonGuid',
  OrigFilename: 'OriginalFileName',
};

const sysmon: Names = {
  ...process,
  Proc: 'Image',
  PID: 'ProcessId',
  LID: 'LogonId',
  Proto: 'Protocol',
  SrcIP: 'SourceIp',
  SrcPort: 'SourcePort',
  SrcHost: 'SourceHostname',
  TgtIP: 'DestinationIp',
  TgtPort: 'DestinationPort',
  TgtHost: 'DestinationHostname',
  SrcProc: 'SourceImage',
  TgtProc: 'TargetImage',
  SrcPID: 'SourceProcessId',
  TgtPID: 'TargetProcessId',
  SrcPGUID: 'SourceProcessGuid',
  TgtPGUID: 'TargetProcessGuid',
  SrcUser: 'SourceUser',
  TgtUser: 'TargetUser',
  Access: 'GrantedAccess',
  Path: 'TargetFilename',
  RegKey: 'TargetObject',
  TgtObj: 'TargetObject',
  Pipe: 'PipeName',
  Query: 'QueryName',
  Result: 'QueryResults',
};

const security: Names = {
  ...process,
  Proc: 'ProcessName',
  PID: 'ProcessId',
  User: 'SubjectUserName',
  SrcUser: 'SubjectUserName',
  TgtUser: 'TargetUserName',
  TgtGrp: 'TargetUserName',
  SID: 'SubjectUserSid',
  UserSID: 'SubjectUserSid',
  TgtSID: 'TargetSid',
  Dom: 'SubjectDomainName',
  Domain: 'SubjectDomainName',
  TgtDomain: 'TargetDomainName',
  LID: 'SubjectLogonId',
  LogonProc: 'LogonProcessName',
  AuthPkg: 'AuthenticationPackageName',
  SrcComp: 'WorkstationName',
  SrcIP: 'IpAddress',
  Svc: 'ServiceName',
  ObjName: 'ObjectName',
  ObjType: 'ObjectType',
  ObjSvr: 'ObjectServer',
};

const filtering: Names = {
  Proc: 'Application',
  PID: 'ProcessID',
  SrcIP: 'SourceAddress',
  SrcPort: 'SourcePort',
  TgtIP: 'DestAddress',
  TgtPort: 'DestPort',
};
const logon: Names = { Type: 'LogonType', LID: 'TargetLogonId' };
const task: Names = { Name: 'TaskName', Content: 'TaskContent' };

/** Where events of one id have names of their own. */
const ofEvent: Readonly<Record<string, Names>> = {
  'sysmon 6': { Path: 'ImageLoaded', Sig: 'Signature' },
  'sysmon 7': { Image: 'ImageLoaded', Hash: 'Hashes', Sig: 'SignatureStatus' },
  'security 4624': logon,
  'security 4625': { Type: 'LogonType' },
  'security 4672': { TgtUser: 'SubjectUserName' },
  'security 4688': { Proc: 'NewProcessName', PID: 'NewProcessId' },
  'security 4697': { Path: 'ServiceFileName' },
  'security 4698': task,
  'security 4699': task,
  'security 4776': { SrcComp: 'Workstation' },
  'security 5145': { Path: 'RelativeTargetName' },
  'security 5156': filtering,
  'security 5157': filtering,
  'system 7045': { Svc: 'ServiceName', Path: 'ImagePath', Acct: 'AccountName' },
};

const powershell: Names = { ScriptBlock: 'ScriptBlockText' };

/** How the fields of an event are called that rules of a timeline name in their own, shorter way. */
export function fieldNamer(channel: string | null, eventId: string | null): (name: string) => string {
  const [family, names] = familyOf(channel ?? '');
  const own = ofEvent[`${family} ${eventId}`] ?? {};
  return (name) => (Object.hasOwn(own, name) ? own[name]! : Object.hasOwn(names, name) ? names[name]! : name);
}

function familyOf(channel: string): [family: string, names: Names] {
  if (channel.includes('Sysmon')) return ['sysmon', sysmon];
  if (channel === 'Security') return ['security', security];
  if (channel === 'System') return ['system', {}];
  return ['', channel.includes('PowerShell') ? powershell : {}];
}
