import type { LogSetting } from './log-setting.ts';
import { policy } from './security-audit.ts';

/** A log of its own that has to be enabled, or only to be collected. */
function windowsLog(key: string, title: string, channel: string, ...how: string[]): LogSetting {
  return { key, title, platform: 'Windows', logs: [{ channel }], how };
}

/** One that Windows writes without being asked, so that it has to be collected alone. */
function written(key: string, title: string, channel: string, ...more: string[]): LogSetting {
  const how = [
    'It is written by default: collect it, for instance with',
    `wevtutil export-log "${channel}" ${key}.evtx`,
  ];
  return windowsLog(key, title, channel, ...how, ...more);
}

function enabled(channel: string): string {
  return `wevtutil set-log "${channel}" /enabled:true /maxsize:67108864`;
}

const sysmonChannel = { channel: 'Microsoft-Windows-Sysmon/Operational', provider: 'Microsoft-Windows-Sysmon' };

function sysmon(key: string, title: string, events: readonly number[], ...how: string[]): LogSetting {
  return { key, title: `Sysmon: ${title}`, platform: 'Windows', logs: [{ ...sysmonChannel, events }], how };
}

const reload = 'sysmon64.exe -c sysmon.xml';

/** The other logs of Windows, PowerShell's and Sysmon's among them. */
export const windowsLogs: readonly LogSetting[] = [
  {
    ...written('system', 'System log', 'System'),
    isDefault: true,
  },
  {
    ...windowsLog(
      'application',
      'Application log',
      'Application',
      'It is written by default: SQL Server, Exchange, MSI and crashes are in it. Collect it, for instance with',
      'wevtutil export-log Application application.evtx',
    ),
    isDefault: true,
  },
  {
    key: 'script-blocks',
    title: 'PowerShell: script block logging',
    platform: 'Windows',
    logs: ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational'].map((channel) => {
      return { channel, events: [4104] };
    }),
    how: [
      String.raw`reg add HKLM\SOFTWARE\Policies\Microsoft\Windows\PowerShell\ScriptBlockLogging /v EnableScriptBlockLogging /t REG_DWORD /d 1 /f`,
      'Group policy: Computer Configuration › Administrative Templates › Windows Components › Windows PowerShell › Turn on PowerShell Script Block Logging',
      enabled('Microsoft-Windows-PowerShell/Operational'),
    ],
  },
  {
    key: 'script-modules',
    title: 'PowerShell: module logging',
    platform: 'Windows',
    logs: ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational'].map((channel) => {
      return { channel, events: [4103] };
    }),
    how: [
      'Group policy: Computer Configuration › Administrative Templates › Windows Components › Windows PowerShell › Turn on Module Logging, with * for all modules',
    ],
  },
  {
    ...written('powershell-classic', 'PowerShell: classic log', 'Windows PowerShell'),
    logs: [{ channel: 'Windows PowerShell', events: [400, 403, 600, 800] }],
    isDefault: true,
  },
  sysmon(
    'sysmon',
    'processes, files, registry and network',
    [1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 23, 25, 26, 27, 28, 29],
    'Install Sysmon with a configuration that leaves out what is usual on these hosts:',
    'sysmon64.exe -accepteula -i sysmon.xml',
    enabled(sysmonChannel.channel),
  ),
  sysmon(
    'sysmon-images',
    'loaded images',
    [7],
    'Add an ImageLoad filter to the configuration: without one there are very many records.',
    reload,
  ),
  sysmon(
    'sysmon-access',
    'access to processes',
    [10],
    'Add a ProcessAccess filter whose TargetImage ends with lsass.exe, and load it:',
    reload,
  ),
  sysmon('sysmon-pipes', 'named pipes', [17, 18], 'Add a PipeEvent filter to the configuration, and load it:', reload),
  sysmon(
    'sysmon-wmi',
    'WMI subscriptions',
    [19, 20, 21],
    'Add a WmiEvent filter to the configuration, and load it:',
    reload,
  ),
  sysmon('sysmon-dns', 'DNS queries', [22], 'Add a DnsQuery filter to the configuration, and load it:', reload),
  windowsLog(
    'defender',
    'Microsoft Defender Antivirus',
    'Microsoft-Windows-Windows Defender/Operational',
    'It is written by default where Defender runs: collect it, for instance with',
    'wevtutil export-log "Microsoft-Windows-Windows Defender/Operational" defender.evtx',
  ),
  written(
    'firewall',
    'Windows Firewall: changes of rules',
    'Microsoft-Windows-Windows Firewall With Advanced Security/Firewall',
  ),
  windowsLog(
    'task-scheduler',
    'Task Scheduler',
    'Microsoft-Windows-TaskScheduler/Operational',
    enabled('Microsoft-Windows-TaskScheduler/Operational'),
  ),
  written('bits', 'BITS transfers', 'Microsoft-Windows-Bits-Client/Operational'),
  written('wmi-activity', 'WMI activity', 'Microsoft-Windows-WMI-Activity/Operational'),
  written(
    'remote-sessions',
    'Remote Desktop: sessions',
    'Microsoft-Windows-TerminalServices-LocalSessionManager/Operational',
  ),
  written(
    'remote-connections',
    'Remote Desktop: connections',
    'Microsoft-Windows-TerminalServices-RemoteConnectionManager/Operational',
  ),
  {
    ...windowsLog(
      'applocker',
      'AppLocker',
      'Microsoft-Windows-AppLocker/EXE and DLL',
      `${policy} Application Control Policies › AppLocker: default rules, “Audit only” at first`,
      'sc.exe config AppIDSvc start= auto && sc.exe start AppIDSvc',
    ),
    logs: ['EXE and DLL', 'MSI and Script', 'Packaged app-Deployment', 'Packaged app-Execution'].map((log) => {
      return { channel: `Microsoft-Windows-AppLocker/${log}` };
    }),
  },
  written('code-integrity', 'Code integrity', 'Microsoft-Windows-CodeIntegrity/Operational'),
  windowsLog(
    'print',
    'Print service',
    'Microsoft-Windows-PrintService/Operational',
    enabled('Microsoft-Windows-PrintService/Operational'),
  ),
  written('print-admin', 'Print service: errors', 'Microsoft-Windows-PrintService/Admin'),
  written('winrm', 'Windows Remote Management', 'Microsoft-Windows-WinRM/Operational'),
  written(
    'program-telemetry',
    'Application experience: started programs',
    'Microsoft-Windows-Application-Experience/Program-Telemetry',
  ),
  windowsLog(
    'iis-configuration',
    'IIS: changes of the configuration',
    'Microsoft-IIS-Configuration/Operational',
    enabled('Microsoft-IIS-Configuration/Operational'),
  ),
  windowsLog(
    'ntlm',
    'NTLM',
    'Microsoft-Windows-NTLM/Operational',
    `${policy} Local Policies › Security Options › Network security: Restrict NTLM: Audit Incoming NTLM Traffic, for all accounts`,
  ),
  windowsLog(
    'dns-client',
    'DNS client',
    'Microsoft-Windows-DNS-Client/Operational',
    enabled('Microsoft-Windows-DNS-Client/Operational'),
  ),
  windowsLog(
    'exchange',
    'Exchange management',
    'MSExchange Management',
    'Written by default on Exchange servers: collect it, for instance with',
    'wevtutil export-log "MSExchange Management" exchange.evtx',
  ),
  written('openssh', 'OpenSSH server of Windows', 'OpenSSH/Operational'),
  written('smb-server', 'SMB server: security', 'Microsoft-Windows-SMBServer/Security'),
  written('smb-client', 'SMB client: security', 'Microsoft-Windows-SMBClient/Security'),
  windowsLog(
    'smb-audit',
    'SMB server: access by version 1',
    'Microsoft-Windows-SMBServer/Audit',
    'Set-SmbServerConfiguration -AuditSmb1Access $true',
  ),
  written(
    'certificates',
    'Certificates of the machine',
    'Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational',
  ),
  windowsLog(
    'capi2',
    'Checks of certificates (CAPI2)',
    'Microsoft-Windows-CAPI2/Operational',
    enabled('Microsoft-Windows-CAPI2/Operational'),
  ),
  written('virtual-disks', 'Virtual disks', 'Microsoft-Windows-VHDMP-Operational'),
  written('troubleshooting', 'Troubleshooting packages', 'Microsoft-Windows-Diagnosis-Scripted/Operational'),
  written('app-packages', 'Deployment of app packages', 'Microsoft-Windows-AppXDeploymentServer/Operational'),
  written('remote-client', 'Remote Desktop: client', 'Microsoft-Windows-TerminalServices-RDPClient/Operational'),
  written('shell-core', 'Explorer: what starts at logon', 'Microsoft-Windows-Shell-Core/Operational'),
  windowsLog(
    'user-drivers',
    'Connected devices',
    'Microsoft-Windows-DriverFrameworks-UserMode/Operational',
    enabled('Microsoft-Windows-DriverFrameworks-UserMode/Operational'),
  ),
  windowsLog(
    'ldap-client',
    'LDAP client',
    'Microsoft-Windows-LDAP-Client/Debug',
    enabled('Microsoft-Windows-LDAP-Client/Debug'),
  ),
  { ...written('dns-server', 'DNS server', 'DNS Server'), platform: 'Domain controllers' },
  { ...written('dns-audit', 'DNS server: audit', 'Microsoft-Windows-DNSServer/Audit'), platform: 'Domain controllers' },
  {
    ...written(
      'directory-service',
      'Directory Service: LDAP',
      'Directory Service',
      'Unsigned binds are told one by one with:',
      String.raw`reg add HKLM\SYSTEM\CurrentControlSet\Services\NTDS\Diagnostics /v "16 LDAP Interface Events" /t REG_DWORD /d 2 /f`,
      'Expensive searches with:',
      String.raw`reg add HKLM\SYSTEM\CurrentControlSet\Services\NTDS\Diagnostics /v "15 Field Engineering" /t REG_DWORD /d 5 /f`,
    ),
    platform: 'Domain controllers',
  },
];
