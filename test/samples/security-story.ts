import type { EvtxEvent } from '@svc/engine/testing';
import { at, domain, fullName, hosts, isoTime, localSystem, people } from './company.ts';
import { type Account, type AuditedProcess, controllerAccount, SecurityLog, subject } from './security-log.ts';

const system32 = 'C:\\Windows\\System32\\';
const source = { ip: hosts.workstation.ip, type: 3, workstation: hosts.workstation.name } as const;
const administrator = [
  'SeSecurityPrivilege',
  'SeBackupPrivilege',
  'SeRestorePrivilege',
  'SeDebugPrivilege',
  'SeLoadDriverPrivilege',
];
const provider: AuditedProcess = { pid: 3920, image: `${system32}wbem\\WmiPrvSE.exe` };
const networkService: Account = { sid: 'S-1-5-20', account: 'DC01$', logonId: 0x3e4 };
const rc4 = 0x17;

/** The domain controller after the intruder came over from the workstation and cleared this log. */
export function securityStory(): readonly EvtxEvent[] {
  const log = new SecurityLog(3119);
  const admin: Account = { ...people.admin, logonId: 0x81c4f7 };
  clearLog(log, admin);
  plantAccount(log, admin);
  collectTickets(log);
  tryNames(log);
  installService(log);
  scheduleTask(log, admin);
  replicateSecrets(log);
  comeByTunnel(log);
  return log.events;
}

/** The first record that the cleared log holds; what was before is gone. */
function clearLog(log: SecurityLog, admin: Account): void {
  const time = at('09:24:41.336');
  log.events.push({
    provider: 'Microsoft-Windows-Eventlog',
    providerGuid: '{fc65ddd8-d6ef-4962-83d5-6e5cfe9ce148}',
    eventId: 1102,
    level: 4,
    task: 104,
    keywords: 0x4020000000000000n,
    time: isoTime(time, 2217),
    processId: 1296,
    threadId: 2188,
    channel: 'Security',
    computer: fullName(hosts.controller),
    userData: {
      name: 'LogFileCleared',
      attributes: { xmlns: 'http://manifests.microsoft.com/win/2004/08/windows/eventlog' },
      children: Object.entries(subject('Subject', admin)).map(([name, value]) => ({
        name,
        children: [{ slot: value }],
      })),
    },
  });
  log.end(time + 12, admin, { pid: 5116, image: `${system32}wevtutil.exe` });
  log.end(time + 19, admin, { pid: 4812, image: `${system32}cmd.exe` });
}

/** Runs a command as Impacket's wmiexec does and gives back its shell. */
function remoteCommand(log: SecurityLog, time: number, account: Account, command: string): AuditedProcess {
  const output = `\\\\127.0.0.1\\ADMIN$\\__1794907462.318`;
  const line = `cmd.exe /Q /c ${command} 1> ${output} 2>&1`;
  const shell = log.start(time, networkService, provider, `${system32}cmd.exe`, line, account);
  log.end(time + 640, account, shell);
  return shell;
}

function plantAccount(log: SecurityLog, admin: Account): void {
  const planted = people.planted;
  const net = (time: number, command: string): void => {
    const shell = remoteCommand(log, time, admin, `net ${command}`);
    const outer = log.start(time + 58, admin, shell, `${system32}net.exe`, `net  ${command}`);
    const inner = log.start(time + 91, admin, outer, `${system32}net1.exe`, `C:\\Windows\\system32\\net1  ${command}`);
    log.end(time + 470, admin, inner);
    log.end(time + 480, admin, outer);
  };
  const created = at('09:26:18.020');
  net(created, `user ${planted.account} Hv7-print-26 /add /domain`);
  const target = {
    TargetUserName: planted.account,
    TargetDomainName: domain.name,
    TargetSid: { type: 'sid', value: planted.sid },
  } as const;
  log.add(created + 240, 4720, {
    ...target,
    ...subject('Subject', admin),
    PrivilegeList: '-',
    SamAccountName: planted.account,
    DisplayName: '%%1793',
    UserPrincipalName: '-',
    HomeDirectory: '%%1793',
    HomePath: '%%1793',
    ScriptPath: '%%1793',
    ProfilePath: '%%1793',
    UserWorkstations: '%%1793',
    PasswordLastSet: '%%1794',
    AccountExpires: '%%1794',
    PrimaryGroupId: '513',
    AllowedToDelegateTo: '-',
    OldUacValue: '0x0',
    NewUacValue: '0x15',
    UserAccountControl: '\r\n\t\t%%2080\r\n\t\t%%2082\r\n\t\t%%2084',
    UserParameters: '%%1793',
    SidHistory: '-',
    LogonHours: '%%1793',
  });
  log.add(created + 246, 4722, { ...target, ...subject('Subject', admin) });
  log.add(created + 251, 4724, { ...target, ...subject('Subject', admin) });
  const join = (
    time: number,
    eventId: number,
    group: { readonly name: string; readonly sid: string },
    of: string,
  ): void =>
    log.add(time, eventId, {
      MemberName: `CN=${planted.account},CN=Users,DC=corp,DC=harrowpell,DC=example`,
      MemberSid: { type: 'sid', value: planted.sid },
      TargetUserName: group.name,
      TargetDomainName: of,
      TargetSid: { type: 'sid', value: group.sid },
      ...subject('Subject', admin),
      PrivilegeList: '-',
    });
  const joined = at('09:26:47.511');
  net(joined, `group "Domain Admins" ${planted.account} /add /domain`);
  join(joined + 233, 4728, { name: 'Domain Admins', sid: `${domain.sid}-512` }, domain.name);
  const joinedToo = at('09:27:10.904');
  net(joinedToo, `localgroup Administrators ${planted.account} /add`);
  join(joinedToo + 229, 4732, { name: 'Administrators', sid: 'S-1-5-32-544' }, 'Builtin');
}

/** Kerberoasting: tickets for the service accounts, in the cipher that cracks fastest. */
function collectTickets(log: SecurityLog): void {
  const time = at('09:31:20.447');
  log.ticketGranted(time, people.finance, hosts.workstation.ip);
  log.serviceTicket(time + 62, people.finance, hosts.workstation.ip, people.sql, rc4);
  log.serviceTicket(time + 118, people.finance, hosts.workstation.ip, people.backup, rc4);
}

/** One password, many names: also that of somebody who has left. */
function tryNames(log: SecurityLog): void {
  const wrong = { code: 0xc000006a, text: '%%2313' };
  const disabled = { code: 0xc0000072, text: '%%2310' };
  const names = ['a.mensah', 'd.ruiz', people.gone.account, 'k.osei', 'l.bauer', 'p.novak', 'r.haddad', 's.quinn'];
  names.forEach((name, index) => {
    const reason = name === people.gone.account ? disabled : wrong;
    log.failLogOn(at('09:36:02.118') + index * 1370, name, hosts.workstation.ip, reason);
  });
}

function installService(log: SecurityLog): void {
  const time = at('09:52:33.605');
  const planted = log.logOn(time, people.planted, { ...source, protocol: 'NTLM' });
  log.privileges(time + 1, planted, administrator);
  const output = '\\\\127.0.0.1\\C$\\__output';
  const command = `%COMSPEC% /Q /c echo ipconfig /all ^> ${output} 2^>^&1 > %TEMP%\\execute.bat & %COMSPEC% /Q /c %TEMP%\\execute.bat & del %TEMP%\\execute.bat`;
  log.add(time + 180, 4697, {
    ...subject('Subject', planted),
    ServiceName: 'kTqWxUvB',
    ServiceFileName: command,
    ServiceType: { type: 'hex32', value: 0x10 },
    ServiceStartType: 3,
    ServiceAccount: 'LocalSystem',
  });
  const services = { pid: 792, image: `${system32}services.exe` };
  const expanded = command
    .replaceAll('%COMSPEC%', 'C:\\Windows\\system32\\cmd.exe')
    .replaceAll('%TEMP%', 'C:\\Windows\\TEMP');
  const shell = log.start(time + 204, controllerAccount, services, `${system32}cmd.exe`, expanded);
  log.end(time + 890, controllerAccount, shell);
  log.logOff(time + 1900, planted, 3);
}

function scheduleTask(log: SecurityLog, admin: Account): void {
  const content = `<?xml version="1.0" encoding="UTF-16"?>\r
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\r
  <RegistrationInfo>\r
    <Date>2026-11-17T09:56:41</Date>\r
    <Author>${domain.name}\\${admin.account}</Author>\r
    <URI>\\HP\\PrintHelper</URI>\r
  </RegistrationInfo>\r
  <Triggers>\r
    <TimeTrigger>\r
      <Repetition>\r
        <Interval>PT1H</Interval>\r
      </Repetition>\r
      <StartBoundary>2026-11-17T09:56:00</StartBoundary>\r
      <Enabled>true</Enabled>\r
    </TimeTrigger>\r
  </Triggers>\r
  <Principals>\r
    <Principal id="Author">\r
      <RunLevel>LeastPrivilege</RunLevel>\r
      <UserId>${localSystem}</UserId>\r
    </Principal>\r
  </Principals>\r
  <Actions Context="Author">\r
    <Exec>\r
      <Command>rundll32.exe</Command>\r
      <Arguments>C:\\Users\\Public\\Libraries\\hpsvc.dll,Start</Arguments>\r
    </Exec>\r
  </Actions>\r
</Task>`;
  log.add(at('09:56:41.722'), 4698, {
    ...subject('Subject', admin),
    TaskName: '\\HP\\PrintHelper',
    TaskContent: content,
    ClientProcessStartKey: 5_348_024_557_502_771n,
    ClientProcessId: 1124,
    ParentProcessId: 792,
    RpcCallClientLocality: 0,
    FQDN: fullName(hosts.controller),
  });
}

/** DCSync: the planted account asks for the domain's secrets as a controller would. */
function replicateSecrets(log: SecurityLog): void {
  const time = at('10:04:12.090');
  const planted = log.logOn(time, people.planted, { ...source, protocol: 'NTLM' });
  log.privileges(time + 1, planted, administrator);
  log.useReplicationRight(time + 66, planted, '1131f6aa-9c07-11d1-f79f-00c04fc2dcd2');
  log.useReplicationRight(time + 71, planted, '1131f6aa-9c07-11d1-f79f-00c04fc2dcd2');
  log.useReplicationRight(time + 77, planted, '1131f6ad-9c07-11d1-f79f-00c04fc2dcd2');
  log.logOff(time + 4210, planted, 3);
}

/** Remote desktop through a tunnel that ends on the controller itself. */
function comeByTunnel(log: SecurityLog): void {
  const time = at('10:11:55.871');
  const tunnel = { ip: '127.0.0.1', type: 10, protocol: 'Negotiate', workstation: hosts.controller.name } as const;
  const planted = log.logOn(time, people.planted, tunnel);
  log.privileges(time + 1, planted, administrator);
  const explorer = log.start(
    time + 3900,
    planted,
    { pid: 6044, image: `${system32}userinit.exe` },
    'C:\\Windows\\explorer.exe',
    'C:\\Windows\\Explorer.EXE',
  );
  const manage = `"${system32}mmc.exe" "${system32}dsa.msc"`;
  log.start(time + 41_200, planted, explorer, `${system32}mmc.exe`, manage);
  log.add(time + 98_000, 4634, { ...subject('Target', planted), LogonType: 10 });
}
