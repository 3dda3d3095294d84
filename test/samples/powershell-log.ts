import type { EvtxEvent, EvtxValue } from '@svc/engine/testing';
import { fullName, hosts, isoTime } from './company.ts';
import { Random } from './random.ts';

export interface Shell {
  readonly pid: number;
  readonly sid: string;
  readonly user: string;
  readonly hostApplication: string;
  readonly hostId: string;
  readonly runspaceId: string;
}

export interface Invocation {
  readonly command: string;
  readonly bindings: Readonly<Record<string, string>>;
  readonly script: string;
}

const engine = '5.1.22621.4391';

/** Writes what PowerShell on the workstation would, with script block and module logging on. */
export class PowershellLog {
  readonly events: EvtxEvent[] = [];
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** A console that has started and is ready for its command. */
  open(time: number, pid: number, as: { readonly sid: string; readonly user: string }, hostApplication: string): Shell {
    const ids = { hostId: this.#random.guid().slice(1, -1), runspaceId: this.#random.guid().slice(1, -1) };
    const shell = { pid, sid: as.sid, user: as.user, hostApplication, ...ids };
    this.#add(time + 310, shell, { eventId: 40961, level: 4, task: 4, opcode: 1 });
    const appDomain = { Param1: String(pid), Param2: 'DefaultAppDomain' };
    this.#add(time + 402, shell, { eventId: 53504, level: 4, task: 111, opcode: 10 }, appDomain);
    this.#add(time + 471, shell, { eventId: 40962, level: 4, task: 4, opcode: 2 });
    return shell;
  }

  /** A compiled script block; PowerShell itself marks suspicious text as a warning. */
  scriptBlock(time: number, shell: Shell, text: string, path = '', suspicious = false): void {
    this.#add(
      time,
      shell,
      { eventId: 4104, level: suspicious ? 3 : 5, task: 2, opcode: 15 },
      {
        MessageNumber: { type: 'int32', value: 1 },
        MessageTotal: { type: 'int32', value: 1 },
        ScriptBlockText: text,
        ScriptBlockId: this.#random.guid().slice(1, -1),
        Path: path,
      },
    );
  }

  /** A command that a logged module ran. */
  invoke(time: number, shell: Shell, { command, bindings, script }: Invocation): void {
    const context: readonly (readonly [string, string])[] = [
      ['Severity', 'Informational'],
      ['Host Name', 'ConsoleHost'],
      ['Host Version', engine],
      ['Host ID', shell.hostId],
      ['Host Application', shell.hostApplication],
      ['Engine Version', engine],
      ['Runspace ID', shell.runspaceId],
      ['Pipeline ID', '1'],
      ['Command Name', command],
      ['Command Type', 'Cmdlet'],
      ['Script Name', script],
      ['Command Path', ''],
      ['Sequence Number', String(this.#random.int(14, 90))],
      ['User', shell.user],
      ['Connected User', ''],
      ['Shell ID', 'Microsoft.PowerShell'],
    ];
    const bound = Object.entries(bindings).map(
      ([name, value]) => `ParameterBinding(${command}): name="${name}"; value="${value}"\r\n`,
    );
    this.#add(
      time,
      shell,
      { eventId: 4103, level: 4, task: 106, opcode: 20 },
      {
        ContextInfo: context.map(([name, value]) => `        ${name} = ${value}\r\n`).join(''),
        UserData: '',
        Payload: `CommandInvocation(${command}): "${command}"\r\n${bound.join('')}`,
      },
    );
  }

  #add(
    time: number,
    shell: Shell,
    kind: Pick<EvtxEvent, 'eventId' | 'level' | 'task' | 'opcode'>,
    data?: Record<string, EvtxValue>,
  ): void {
    this.events.push({
      provider: 'Microsoft-Windows-PowerShell',
      providerGuid: '{a0c1853b-5c40-4b15-8766-3cf1c58f985a}',
      version: 1,
      ...kind,
      time: isoTime(time, this.#random.int(0, 9999)),
      processId: shell.pid,
      threadId: shell.pid + 4 * this.#random.int(2, 40),
      activityId: `{${shell.runspaceId.slice(0, 8)}-6d1c-0003-9b1e-${shell.hostId.slice(24)}}`,
      channel: 'Microsoft-Windows-PowerShell/Operational',
      computer: fullName(hosts.workstation),
      userSid: shell.sid,
      ...(data && { data }),
    });
  }
}
