import { createHash } from 'node:crypto';

/** Version resource of a program, as Sysmon prints it. */
export interface Program {
  readonly version: string;
  readonly description: string;
  readonly product: string;
  readonly company: string;
  readonly original: string;
}

const none: Program = { version: '-', description: '-', product: '-', company: '-', original: '-' };

function windows(description: string, original: string, version = '10.0.22621.4391 (WinBuild.160101.0800)'): Program {
  const product = 'Microsoft® Windows® Operating System';
  return { version, description, product, company: 'Microsoft Corporation', original };
}

function office(description: string, original: string): Program {
  const version = '16.0.18129.20158';
  return { version, description, product: 'Microsoft Office', company: 'Microsoft Corporation', original };
}

/** By lower-case file name; programs that are not listed have no version resource. */
const programs: Readonly<Record<string, Program>> = {
  'backgroundtaskhost.exe': windows('Background Task Host', 'backgroundTaskHost.exe'),
  'certutil.exe': windows('CertUtil.exe', 'CertUtil.exe'),
  'chrome.exe': {
    version: '131.0.6778.70',
    description: 'Google Chrome',
    product: 'Google Chrome',
    company: 'Google LLC',
    original: 'chrome.exe',
  },
  'cmd.exe': windows('Windows Command Processor', 'Cmd.Exe'),
  'conhost.exe': windows('Console Window Host', 'CONHOST.EXE'),
  'consent.exe': windows('Consent UI for administrative applications', 'consent.exe'),
  'cscript.exe': windows('Microsoft ® Console Based Script Host', 'cscript.exe', '5.812.10240.16384'),
  'curl.exe': {
    version: '8.9.1',
    description: 'The curl executable',
    product: 'The curl executable',
    company: 'curl, https://curl.se/',
    original: 'curl.exe',
  },
  'dllhost.exe': windows('COM Surrogate', 'dllhost.exe'),
  'excel.exe': office('Microsoft Excel', 'Excel.exe'),
  'explorer.exe': windows('Windows Explorer', 'EXPLORER.EXE'),
  'fodhelper.exe': windows('Features On Demand Helper', 'FodHelper.EXE'),
  'gpupdate.exe': windows('Microsoft® Group Policy Update Utility', 'GPUpdate.exe'),
  'mmc.exe': windows('Microsoft Management Console', 'mmc.exe'),
  'ms-teams.exe': {
    version: '24295.605.3225.8804',
    description: 'Microsoft Teams',
    product: 'Microsoft Teams',
    company: 'Microsoft Corporation',
    original: 'ms-teams.exe',
  },
  'net.exe': windows('Net Command', 'net.exe'),
  'net1.exe': windows('Net Command', 'net1.exe'),
  'nltest.exe': windows('Microsoft® Logon Server Test Utility', 'nltestrk.exe'),
  'officec2rclient.exe': office('Microsoft Office Click-to-Run Client', 'OfficeC2RClient.exe'),
  'onedrive.exe': {
    version: '24.211.1020.0001',
    description: 'Microsoft OneDrive',
    product: 'Microsoft OneDrive',
    company: 'Microsoft Corporation',
    original: 'OneDrive.exe',
  },
  'outlook.exe': office('Microsoft Outlook', 'Outlook.exe'),
  'powershell.exe': windows('Windows PowerShell', 'PowerShell.EXE'),
  'rar.exe': {
    version: '7.1.0',
    description: 'Command line RAR',
    product: 'WinRAR',
    company: 'Alexander Roshal',
    original: '-',
  },
  'rc.exe': {
    version: '1.68.2',
    description: 'Rclone',
    product: 'Rclone',
    company: 'https://rclone.org',
    original: 'rclone.exe',
  },
  'reg.exe': windows('Registry Console Tool', 'reg.exe'),
  'rundll32.exe': windows('Windows host process (Rundll32)', 'RUNDLL32.EXE'),
  'runtimebroker.exe': windows('Runtime Broker', 'RuntimeBroker.exe'),
  'schtasks.exe': windows('Task Scheduler Configuration Tool', 'schtasks.exe'),
  'searchfilterhost.exe': windows('Microsoft Windows Search Filter Host', 'SearchFilterHost.exe'),
  'searchprotocolhost.exe': windows('Microsoft Windows Search Protocol Host', 'SearchProtocolHost.exe'),
  'smartscreen.exe': windows('Windows Defender SmartScreen', 'smartscreen.exe'),
  'svchost.exe': windows('Host Process for Windows Services', 'svchost.exe'),
  'taskhostw.exe': windows('Host Process for Windows Tasks', 'taskhostw.exe'),
  'tiworker.exe': windows('Windows Modules Installer Worker', 'TiWorker.exe'),
  'updater.exe': {
    version: '132.0.6833.0',
    description: 'Google Updater (x64)',
    product: 'Google Updater (x64)',
    company: 'Google LLC',
    original: 'updater.exe',
  },
  'userinit.exe': windows('Userinit Logon Application', 'USERINIT.EXE'),
  'wevtutil.exe': windows('Eventing Command Line Utility', 'wevtutil.exe'),
  'whoami.exe': windows('whoami - displays logged on user information', 'whoami.exe'),
  'winword.exe': office('Microsoft Word', 'WinWord.exe'),
  'wmic.exe': windows('WMI Commandline Utility', 'wmic.exe'),
};

export function programOf(image: string): Program {
  return programs[fileName(image).toLowerCase()] ?? none;
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('\\') + 1);
}

/** Hashes in Sysmon's form; made up, but the same for the same file throughout. */
export function hashesOf(image: string): string {
  const digest = (algorithm: string, what: string): string =>
    createHash(algorithm)
      .update(`${what}\0${fileName(image).toLowerCase()}`)
      .digest('hex')
      .toUpperCase();
  return `MD5=${digest('md5', 'file')},SHA256=${digest('sha256', 'file')},IMPHASH=${digest('md5', 'imports')}`;
}
