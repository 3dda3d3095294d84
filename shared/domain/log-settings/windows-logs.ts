import type { LogSetting } from './log-setting.ts';
import { policy } from './security-audit.ts';

/** A log of its own that has to be enabled, or only to be collected. */
function windowsLog(key: string, title: string, channel: string, ...how: string[]): LogSetting {
  return { key, title, platform: 'Windows', logs: [{ channel }], how };
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
    ...windowsLog(
      'system',
      'System log',
      'System',
      'It is written by default: collect it, for instance with',
      'wevtutil export-log System system.evtx',
    ),
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
    ...windowsLog(
      'powershell-classic',
      'PowerShell: classic log',
      'Windows PowerShell',
      'It is written by default: collect it, for instance with',
      'wevtutil export-log "Windows PowerShell" powershell.evtx',
    ),
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
  windowsLog(
    'firewall',
    'Windows Firewall: changes of rules',
    'Microsoft-Windows-Windows Firewall With Advanced Security/Firewall',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log "Microsoft-Windows-Windows Firewall With Advanced Security/Firewall" firewall.evtx',
  ),
  windowsLog(
    'task-scheduler',
    'Task Scheduler',
    'Microsoft-Windows-TaskScheduler/Operational',
    enabled('Microsoft-Windows-TaskScheduler/Operational'),
  ),
  windowsLog(
    'bits',
    'BITS transfers',
    'Microsoft-Windows-Bits-Client/Operational',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-Bits-Client/Operational bits.evtx',
  ),
  windowsLog(
    'wmi-activity',
    'WMI activity',
    'Microsoft-Windows-WMI-Activity/Operational',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-WMI-Activity/Operational wmi.evtx',
  ),
  windowsLog(
    'remote-sessions',
    'Remote Desktop: sessions',
    'Microsoft-Windows-TerminalServices-LocalSessionManager/Operational',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-TerminalServices-LocalSessionManager/Operational sessions.evtx',
  ),
  windowsLog(
    'remote-connections',
    'Remote Desktop: connections',
    'Microsoft-Windows-TerminalServices-RemoteConnectionManager/Operational',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-TerminalServices-RemoteConnectionManager/Operational connections.evtx',
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
  windowsLog(
    'code-integrity',
    'Code integrity',
    'Microsoft-Windows-CodeIntegrity/Operational',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-CodeIntegrity/Operational integrity.evtx',
  ),
  windowsLog(
    'print',
    'Print service',
    'Microsoft-Windows-PrintService/Operational',
    enabled('Microsoft-Windows-PrintService/Operational'),
  ),
  windowsLog(
    'print-admin',
    'Print service: errors',
    'Microsoft-Windows-PrintService/Admin',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-PrintService/Admin print.evtx',
  ),
  windowsLog(
    'winrm',
    'Windows Remote Management',
    'Microsoft-Windows-WinRM/Operational',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-WinRM/Operational winrm.evtx',
  ),
  windowsLog(
    'program-telemetry',
    'Application experience: started programs',
    'Microsoft-Windows-Application-Experience/Program-Telemetry',
    'It is written by default: collect it, for instance with',
    'wevtutil export-log Microsoft-Windows-Application-Experience/Program-Telemetry programs.evtx',
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
];
