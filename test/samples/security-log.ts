import type { EvtxEvent, EvtxValue } from '@svc/engine/testing';
import { domain, fullName, hosts, isoTime, localSystem, type Person } from './company.ts';
import { Random } from './random.ts';

/** Somebody signed in: the four `Subject…` values of an audit event. */
export interface Account extends Person {
  readonly logonId: number;
  readonly domain?: string;
}

export interface LogonSource {
  readonly ip: string;
  readonly type: number;
  readonly protocol: 'Kerberos' | 'NTLM' | 'Negotiate';
  readonly workstation?: string;
}

export interface AuditedProcess {
  readonly pid: number;
  readonly image: string;
}

const nobody = { sid: 'S-1-0-0', account: '-', domain: '-', logonId: 0 };
const failed = 0x8010000000000000n;

/** Event ids with their task category and schema version. */
const kinds: Readonly<Record<number, readonly [task: number, version: number]>> = {
  4624: [12544, 2],
  4625: [12544, 0],
  4634: [12545, 0],
  4662: [14080, 0],
  4672: [12548, 0],
  4688: [13312, 2],
  4689: [13313, 0],
  4697: [12289, 0],
  4698: [12804, 1],
  4720: [13824, 0],
  4722: [13824, 0],
  4724: [13824, 0],
  4728: [13826, 0],
  4732: [13826, 0],
  4768: [14339, 0],
  4769: [14337, 0],
};

/** Writes what the security audit of the domain controller would: one method per kind of event. */
export class SecurityLog {
  readonly events: EvtxEvent[] = [];
  readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** A logon with a fresh logon id, which `logOff` takes back. */
  logOn(time: number, person: Person, source: LogonSource): Account {
    const account = { ...person, logonId: this.random.int(0x2f0000, 0xaf0000) };
    const kerberos = source.protocol === 'Kerberos';
    const process =
      source.type === 10 ? { pid: 1388, image: 'C:\\Windows\\System32\\svchost.exe' } : { pid: 0, image: '-' };
    this.add(time, 4624, {
      ...subject('Subject', source.type === 10 ? controllerAccount : nobody),
      ...subject('Target', { ...account, domain: kerberos ? domain.realm : domain.name }),
      LogonType: source.type,
      LogonProcessName: { Kerberos: 'Kerberos', NTLM: 'NtLmSsp ', Negotiate: 'User32 ' }[source.protocol],
      AuthenticationPackageName: source.protocol,
      WorkstationName: source.workstation ?? '-',
      LogonGuid: { type: 'guid', value: kerberos ? this.random.guid() : emptyGuid },
      TransmittedServices: '-',
      LmPackageName: source.protocol === 'NTLM' ? 'NTLM V2' : '-',
      KeyLength: source.protocol === 'NTLM' ? 128 : 0,
      ProcessId: pointer(process.pid),
      ProcessName: process.image,
      IpAddress: source.ip,
      IpPort: source.type === 10 ? '0' : String(this.random.int(49_700, 65_300)),
      ImpersonationLevel: '%%1833',
      RestrictedAdminMode: source.type === 10 ? '%%1843' : '-',
      TargetOutboundUserName: '-',
      TargetOutboundDomainName: '-',
      VirtualAccount: '%%1843',
      TargetLinkedLogonId: pointer(0),
      ElevatedToken: '%%1842',
    });
    return account;
  }

  failLogOn(time: number, name: string, ip: string, reason: { readonly code: number; readonly text: string }): void {
    this.add(
      time,
      4625,
      {
        ...subject('Subject', nobody),
        TargetUserSid: { type: 'sid', value: nobody.sid },
        TargetUserName: name,
        TargetDomainName: domain.name,
        Status: { type: 'hex32', value: 0xc000006d },
        FailureReason: reason.text,
        SubStatus: { type: 'hex32', value: reason.code },
        LogonType: 3,
        LogonProcessName: 'NtLmSsp ',
        AuthenticationPackageName: 'NTLM',
        WorkstationName: ip === hosts.workstation.ip ? hosts.workstation.name : 'WS-OPS-12',
        TransmittedServices: '-',
        LmPackageName: '-',
        KeyLength: 0,
        ProcessId: pointer(0),
        ProcessName: '-',
        IpAddress: ip,
        IpPort: String(this.random.int(49_700, 65_300)),
      },
      failed,
    );
  }

  logOff(time: number, account: Account, type: number): void {
    this.add(time, 4634, { ...subject('Target', account), LogonType: type });
  }

  privileges(time: number, account: Account, names: readonly string[]): void {
    this.add(time, 4672, { ...subject('Subject', account), PrivilegeList: names.join('\r\n\t\t\t') });
  }

  ticketGranted(time: number, person: Person, ip: string): void {
    this.add(time, 4768, {
      TargetUserName: person.account,
      TargetDomainName: domain.realm,
      TargetSid: { type: 'sid', value: person.sid },
      ServiceName: 'krbtgt',
      ServiceSid: { type: 'sid', value: `${domain.sid}-502` },
      TicketOptions: { type: 'hex32', value: 0x40810010 },
      Status: { type: 'hex32', value: 0 },
      TicketEncryptionType: { type: 'hex32', value: 0x12 },
      PreAuthType: '2',
      IpAddress: `::ffff:${ip}`,
      IpPort: String(this.random.int(49_700, 65_300)),
      CertIssuerName: '',
      CertSerialNumber: '',
      CertThumbprint: '',
    });
  }

  serviceTicket(time: number, person: Person, ip: string, service: Person, encryption: number): void {
    this.add(time, 4769, {
      TargetUserName: `${person.account}@${domain.realm}`,
      TargetDomainName: domain.realm,
      ServiceName: service.account,
      ServiceSid: { type: 'sid', value: service.sid },
      TicketOptions: { type: 'hex32', value: 0x40810000 },
      TicketEncryptionType: { type: 'hex32', value: encryption },
      IpAddress: `::ffff:${ip}`,
      IpPort: String(this.random.int(49_700, 65_300)),
      Status: { type: 'hex32', value: 0 },
      LogonGuid: { type: 'guid', value: this.random.guid() },
      TransmittedServices: '-',
    });
  }

  /** `target` is in whose name the process runs, where the creator's is another. */
  start(
    time: number,
    account: Account,
    parent: AuditedProcess,
    image: string,
    commandLine: string,
    target: Account = nobody,
  ): AuditedProcess {
    const pid = 4 * this.random.int(310, 2900);
    this.add(time, 4688, {
      ...subject('Subject', account),
      NewProcessId: pointer(pid),
      NewProcessName: image,
      TokenElevationType: '%%1936',
      ProcessId: pointer(parent.pid),
      CommandLine: commandLine,
      ...subject('Target', target),
      ParentProcessName: parent.image,
      MandatoryLabel: { type: 'sid', value: account.sid === localSystem ? 'S-1-16-16384' : 'S-1-16-12288' },
    });
    return { pid, image };
  }

  end(time: number, account: Account, process: AuditedProcess): void {
    this.add(time, 4689, {
      ...subject('Subject', account),
      Status: { type: 'hex32', value: 0 },
      ProcessId: pointer(process.pid),
      ProcessName: process.image,
    });
  }

  /** Access to the domain's object with one of the rights of a replication partner. */
  useReplicationRight(time: number, account: Account, right: string): void {
    this.add(time, 4662, {
      ...subject('Subject', account),
      ObjectServer: 'DS',
      ObjectType: '%{19195a5b-6da0-11d0-afd3-00c04fd930c9}',
      ObjectName: '%{7d0c3a52-91ee-4f0b-a6c5-2b1f8e64d913}',
      OperationType: 'Object Access',
      HandleId: pointer(0),
      AccessList: '%%7688\r\n\t\t\t\t',
      AccessMask: { type: 'hex32', value: 0x100 },
      Properties: `%%7688\r\n\t\t{${right}}\r\n\t{19195a5b-6da0-11d0-afd3-00c04fd930c9}\r\n`,
      AdditionalInfo: '-',
      AdditionalInfo2: '',
    });
  }

  add(time: number, eventId: number, data: Record<string, EvtxValue>, keywords = 0x8020000000000000n): void {
    const [task, version] = kinds[eventId] ?? [0, 0];
    this.events.push({
      provider: 'Microsoft-Windows-Security-Auditing',
      providerGuid: '{54849625-5478-4994-a5ba-3e3b0328c30d}',
      eventId,
      version,
      task,
      keywords,
      time: isoTime(time, this.random.int(0, 9999)),
      processId: eventId === 4688 || eventId === 4689 ? 4 : 804,
      threadId: 4 * this.random.int(20, 1800),
      channel: 'Security',
      computer: fullName(hosts.controller),
      data,
    });
  }
}

const emptyGuid = '{00000000-0000-0000-0000-000000000000}';

/** The domain controller's own account. */
export const controllerAccount: Account = { sid: localSystem, account: 'DC01$', logonId: 0x3e7 };

export function subject(prefix: 'Subject' | 'Target', account: Account): Record<string, EvtxValue> {
  return {
    [`${prefix}UserSid`]: { type: 'sid', value: account.sid },
    [`${prefix}UserName`]: account.account,
    [`${prefix}DomainName`]: account.domain ?? domain.name,
    [`${prefix}LogonId`]: pointer(account.logonId),
  };
}

function pointer(value: number): EvtxValue {
  return { type: 'hex64', value };
}
