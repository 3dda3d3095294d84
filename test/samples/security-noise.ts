import type { EvtxEvent } from '@svc/engine/testing';
import { at, domain, hosts, people, type Person } from './company.ts';
import { type AuditedProcess, controllerAccount, SecurityLog } from './security-log.ts';

const controllers: readonly Person[] = [
  { account: 'DC01$', sid: `${domain.sid}-1000` },
  { account: 'DC02$', sid: `${domain.sid}-1103` },
];
const machines: readonly (Person & { readonly ip: string })[] = [
  { account: 'WS-FIN-07$', sid: `${domain.sid}-1142`, ip: hosts.workstation.ip },
  { account: 'WS-FIN-11$', sid: `${domain.sid}-1147`, ip: '10.20.7.53' },
  { account: 'WS-OPS-12$', sid: `${domain.sid}-1151`, ip: '10.20.8.19' },
  { account: 'SRV-FILE02$', sid: `${domain.sid}-1110`, ip: hosts.files.ip },
  { account: 'SRV-SQL01$', sid: `${domain.sid}-1112`, ip: hosts.database.ip },
];
const users: readonly (Person & { readonly ip: string })[] = [
  { ...people.finance, ip: hosts.workstation.ip },
  { ...people.accounts, ip: '10.20.7.53' },
  { ...people.backup, ip: hosts.files.ip },
];
const aes256 = 0x12;
const services: AuditedProcess = { pid: 792, image: 'C:\\Windows\\System32\\services.exe' };
const scheduler: AuditedProcess = { pid: 1124, image: 'C:\\Windows\\System32\\svchost.exe' };

/** A domain controller at work: no rule may find anything in it. */
export function securityNoise(): readonly EvtxEvent[] {
  const log = new SecurityLog(1011);
  const habits = [authenticate, authenticate, readPolicy, readPolicy, runTask, replicate, startService, mistype];
  for (let time = at('09:25:02.000'); time < at('10:24:00.000'); time += log.random.int(9000, 61_000)) {
    log.random.pick(habits)(log, time);
  }
  return log.events;
}

function authenticate(log: SecurityLog, time: number): void {
  const user = log.random.pick(users);
  log.ticketGranted(time, user, user.ip);
  const service = log.random.pick([...machines.slice(3), ...controllers, people.sql]);
  log.serviceTicket(time + 21, user, user.ip, service, aes256);
}

function readPolicy(log: SecurityLog, time: number): void {
  const machine = log.random.pick(machines);
  log.serviceTicket(time, machine, machine.ip, controllers[0]!, aes256);
  const logon = log.logOn(time + 34, machine, { ip: machine.ip, type: 3, protocol: 'Kerberos' });
  log.logOff(time + log.random.int(10_000, 16_000), logon, 3);
}

function runTask(log: SecurityLog, time: number): void {
  const image = `C:\\Windows\\System32\\${log.random.pick(['taskhostw.exe', 'dllhost.exe', 'wermgr.exe', 'dsregcmd.exe'])}`;
  const process = log.start(time, controllerAccount, scheduler, image, image.slice(20));
  log.end(time + log.random.int(800, 9000), controllerAccount, process);
}

/** The other controller fetches changes, with the very rights that DCSync abuses. */
function replicate(log: SecurityLog, time: number): void {
  const other = controllers[1]!;
  const logon = log.logOn(time, other, { ip: hosts.controller2.ip, type: 3, protocol: 'Kerberos' });
  log.privileges(time + 1, logon, ['SeSecurityPrivilege', 'SeEnableDelegationPrivilege', 'SeImpersonatePrivilege']);
  log.useReplicationRight(time + 40, logon, '1131f6aa-9c07-11d1-f79f-00c04fc2dcd2');
  log.logOff(time + log.random.int(8000, 12_000), logon, 3);
}

function startService(log: SecurityLog, time: number): void {
  const image = 'C:\\Windows\\System32\\svchost.exe';
  const name = log.random.pick(['netsvcs -p -s wlidsvc', 'wsappx -p -s AppXSvc', 'netsvcs -p -s BITS']);
  log.start(time, controllerAccount, services, image, `C:\\Windows\\system32\\svchost.exe -k ${name}`);
}

function mistype(log: SecurityLog, time: number): void {
  const reason = { code: 0xc000006a, text: '%%2313' };
  if (log.random.next() < 0.4) log.failLogOn(time, people.accounts.account, '10.20.8.19', reason);
}
