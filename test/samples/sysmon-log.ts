import type { EvtxEvent, EvtxValue } from '@svc/engine/testing';
import { domain, fullName, hosts, isoTime, localSystem, pids, shells } from './company.ts';
import { hashesOf, programOf } from './programs.ts';
import { Random } from './random.ts';

/** In whose name a process runs. */
export interface Session {
  readonly user: string;
  readonly logonId: number;
  readonly logonTime: number;
  readonly terminal: number;
}

export interface Process {
  readonly guid: string;
  readonly pid: number;
  readonly image: string;
  readonly commandLine: string;
  readonly session: Session;
  readonly integrity: string;
}

export interface Start {
  readonly image: string;
  readonly commandLine: string;
  readonly parent: Process;
  readonly session?: Session;
  readonly directory?: string;
  readonly integrity?: string;
  readonly pid?: number;
}

export interface Running {
  readonly pid?: number;
  readonly commandLine?: string;
}

export interface Connection {
  readonly ip: string;
  readonly port: number;
  readonly name?: string;
}

/** First group of all of the machine's process GUIDs, as Sysmon derives it. */
const machineId = 'c4e1b7d2';
const bootTime = Date.parse('2026-11-17T06:48:12Z');
/** Stands in the last group of process GUIDs. */
const bootId = 0x2an << 48n;
const lsassPid = 764;

/** Event ids with their schema version and, where Sysmon gives one, the port's name. */
const versions: Readonly<Record<number, number>> = { 1: 5, 2: 5, 3: 5, 5: 3, 7: 3, 10: 3, 15: 2, 22: 5 };
const portNames: Readonly<Record<number, string>> = {
  80: 'http',
  135: 'epmap',
  389: 'ldap',
  443: 'https',
  445: 'microsoft-ds',
};

/** Writes what Sysmon on the workstation would: one method per kind of event. */
export class SysmonLog {
  readonly events: EvtxEvent[] = [];
  readonly #random: Random;

  readonly #pidOffset: number;
  readonly #usedPids = new Set<number>([...Object.values(pids), ...Object.values(shells).flat()]);

  /** Parts of one machine's log need different offsets, 0 and 4, so that they share no process id. */
  constructor(seed: number, pidOffset: 0 | 4) {
    this.#random = new Random(seed);
    this.#pidOffset = pidOffset;
  }

  /** A process from before this log begins: no event. */
  running(image: string, as: Session, started: number, { pid, commandLine = image }: Running = {}): Process {
    return this.#process({ image, commandLine, session: as, integrity: integrityOf(as) }, started, pid);
  }

  start(time: number, { image, commandLine, parent, ...rest }: Start): Process {
    const as = rest.session ?? parent.session;
    const inherited = as === parent.session ? parent.integrity : integrityOf(as);
    const integrity = rest.integrity ?? inherited;
    const process = this.#process({ image, commandLine, session: as, integrity }, time, rest.pid);
    const program = programOf(image);
    this.#add(time, 1, {
      ...this.#subject(time, process),
      FileVersion: program.version,
      Description: program.description,
      Product: program.product,
      Company: program.company,
      OriginalFileName: program.original,
      CommandLine: commandLine,
      CurrentDirectory: rest.directory ?? 'C:\\Windows\\system32\\',
      User: as.user,
      LogonGuid: guid(stampedGuid(as.logonTime, BigInt(as.logonId))),
      LogonId: { type: 'hex64', value: as.logonId },
      TerminalSessionId: as.terminal,
      IntegrityLevel: integrity,
      Hashes: hashesOf(image),
      ParentProcessGuid: guid(parent.guid),
      ParentProcessId: parent.pid,
      ParentImage: parent.image,
      ParentCommandLine: parent.commandLine,
      ParentUser: parent.session.user,
    });
    return process;
  }

  exit(time: number, process: Process): void {
    this.#add(time, 5, { ...this.#subject(time, process), User: process.session.user });
  }

  /** Starts a process that ends on its own after `milliseconds`. */
  brief(time: number, start: Start, milliseconds: number): Process {
    const process = this.start(time, start);
    this.exit(time + milliseconds, process);
    return process;
  }

  connect(time: number, process: Process, to: Connection): void {
    this.#add(
      time,
      3,
      {
        ...this.#subject(time, process),
        User: process.session.user,
        Protocol: 'tcp',
        Initiated: true,
        SourceIsIpv6: false,
        SourceIp: hosts.workstation.ip,
        SourceHostname: fullName(hosts.workstation),
        SourcePort: { type: 'uint16', value: this.#random.int(49_700, 65_300) },
        SourcePortName: '-',
        DestinationIsIpv6: false,
        DestinationIp: to.ip,
        DestinationHostname: to.name ?? '-',
        DestinationPort: { type: 'uint16', value: to.port },
        DestinationPortName: portNames[to.port] ?? '-',
      },
      this.#random.int(1100, 2600),
    );
  }

  resolve(time: number, process: Process, name: string, results: string): void {
    const answer = {
      QueryName: name,
      QueryStatus: '0',
      QueryResults: results,
      Image: process.image,
      User: process.session.user,
    };
    this.#add(time, 22, { ...this.#subject(time, process, false), ...answer }, this.#random.int(600, 1400));
  }

  writeFile(time: number, process: Process, path: string): void {
    const file = { TargetFilename: path, CreationUtcTime: utcTime(time), User: process.session.user };
    this.#add(time, 11, { ...this.#subject(time, process), ...file });
  }

  /** The mark of the web that a mail program or browser puts on a file from the internet. */
  markDownloaded(time: number, process: Process, path: string, contents: string): void {
    this.#add(time, 15, {
      ...this.#subject(time, process),
      TargetFilename: `${path}:Zone.Identifier`,
      CreationUtcTime: utcTime(time),
      Hash: hashesOf(`${path}:zone`),
      Contents: contents,
      User: process.session.user,
    });
  }

  changeCreation(time: number, process: Process, path: string, to: number, from: number): void {
    this.#add(time, 2, {
      ...this.#subject(time, process),
      TargetFilename: path,
      CreationUtcTime: utcTime(to),
      PreviousCreationUtcTime: utcTime(from),
      User: process.session.user,
    });
  }

  loadImage(time: number, process: Process, path: string, signer: string | null): void {
    const program = programOf(path);
    this.#add(time, 7, {
      ...this.#subject(time, process),
      ImageLoaded: path,
      FileVersion: program.version,
      Description: program.description,
      Product: program.product,
      Company: program.company,
      OriginalFileName: program.original,
      Hashes: hashesOf(path),
      Signed: signer === null ? 'false' : 'true',
      Signature: signer ?? '-',
      SignatureStatus: signer === null ? 'Unavailable' : 'Valid',
      User: process.session.user,
    });
  }

  setValue(time: number, process: Process, key: string, details: string): void {
    this.#add(time, 13, {
      RuleName: '-',
      EventType: 'SetValue',
      ...this.#subject(time, process, true, false),
      TargetObject: key,
      Details: details,
      User: process.session.user,
    });
  }

  createPipe(time: number, process: Process, name: string): void {
    const pipe = { PipeName: name, Image: process.image, User: process.session.user };
    const subject = this.#subject(time, process, false, false);
    this.#add(time, 17, { RuleName: '-', EventType: 'CreatePipe', ...subject, ...pipe });
  }

  openLsass(time: number, process: Process, access: number, trace: string): void {
    this.#add(time, 10, {
      RuleName: '-',
      UtcTime: utcTime(time),
      SourceProcessGUID: guid(process.guid),
      SourceProcessId: process.pid,
      SourceThreadId: process.pid + 4 * this.#random.int(2, 60),
      SourceImage: process.image,
      TargetProcessGUID: guid(stampedGuid(bootTime + 9120, 0x0cn | bootId)),
      TargetProcessId: lsassPid,
      TargetImage: 'C:\\Windows\\system32\\lsass.exe',
      GrantedAccess: { type: 'hex32', value: access },
      CallTrace: trace,
      SourceUser: process.session.user,
      TargetUser: 'NT AUTHORITY\\SYSTEM',
    });
  }

  #process(process: Omit<Process, 'guid' | 'pid'>, started: number, pid = this.#freePid()): Process {
    // The running number grows with time, whichever part of the log asks first.
    const serial = BigInt(Math.floor((started - bootTime) / 8));
    return { ...process, guid: stampedGuid(started, serial | bootId), pid };
  }

  #freePid(): number {
    const pid = 8 * this.#random.int(150, 2900) + this.#pidOffset;
    if (this.#usedPids.has(pid)) return this.#freePid();
    this.#usedPids.add(pid);
    return pid;
  }

  #subject(time: number, process: Process, image = true, rule = true): Record<string, EvtxValue> {
    return {
      ...(rule && { RuleName: '-' }),
      UtcTime: utcTime(time),
      ProcessGuid: guid(process.guid),
      ProcessId: process.pid,
      ...(image && { Image: process.image }),
    };
  }

  #add(time: number, eventId: number, data: Record<string, EvtxValue>, delay = this.#random.int(1, 9)): void {
    this.events.push({
      provider: 'Microsoft-Windows-Sysmon',
      providerGuid: '{5770385f-c22a-43e0-bf4c-06f5698ffbd9}',
      eventId,
      version: versions[eventId] ?? (eventId === 17 ? 1 : 2),
      level: 4,
      task: eventId,
      keywords: 0x8000000000000000n,
      time: isoTime(time + delay, this.#random.int(0, 9999)),
      processId: 3412,
      threadId: eventId === 22 ? 4768 : 4704,
      channel: 'Microsoft-Windows-Sysmon/Operational',
      computer: fullName(hosts.workstation),
      userSid: localSystem,
      data,
    });
  }
}

export function session(account: string, logonId: number, logonTime: number, terminal: number): Session {
  const user = account.includes('\\') ? account : `${domain.name}\\${account}`;
  return { user, logonId, logonTime, terminal };
}

function integrityOf({ terminal }: Session): string {
  return terminal === 0 ? 'System' : 'Medium';
}

/** Machine, seconds since 1970, number: the three parts of Sysmon's process and logon GUIDs. */
function stampedGuid(time: number, number: bigint): string {
  const seconds = Math.floor(time / 1000)
    .toString(16)
    .padStart(8, '0');
  const bytes = Array.from({ length: 8 }, (_, i) => ((number >> BigInt(8 * i)) & 0xffn).toString(16).padStart(2, '0'));
  const low = bytes.slice(0, 2).join('');
  return `${machineId}-${seconds.slice(4)}-${seconds.slice(0, 4)}-${low}-${bytes.slice(2).join('')}`;
}

function guid(value: string): EvtxValue {
  return { type: 'guid', value };
}

function utcTime(time: number): string {
  return new Date(time).toISOString().slice(0, 23).replace('T', ' ');
}
