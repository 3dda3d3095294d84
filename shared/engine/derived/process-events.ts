import type { EventHead, OutputRecord } from '../events/log-event.ts';
import { type DeviceStart, deviceStartOf } from './device-starts.ts';
import { baseName } from './entities.ts';

/** A process that a matched event tells of, with what the event says of its parent. */
export interface ProcessEvent {
  /** False for a record of auditd, which may be the hundredth of a process that runs. */
  readonly isStart: boolean;
  readonly guid: string | null;
  readonly pid: string | null;
  /** Base name, lower-case. */
  readonly image: string;
  readonly imageFull: string;
  /** Other base names: a renamed program keeps its original one. */
  readonly imageAlts: readonly string[];
  readonly commandLine: string | null;
  readonly user: string | null;
  readonly computer: string | null;
  /** `2026-08-01 09:12:04.1`, UTC. */
  readonly time: string | null;
  /** Upper-case hex. */
  readonly hashes: readonly string[];
  readonly parent: {
    readonly guid: string | null;
    readonly pid: string | null;
    readonly imageFull: string | null;
    readonly commandLine: string | null;
  };
  /** Places of the rules that matched its events, ascending. */
  readonly rules: readonly number[];
  /** Place of the event in the input. */
  readonly order: number;
}

/** Concrete processes that a tree is made of. */
export const mostProcesses = 2000;

const noHosts = new Set(['', '-', 'n/a', 'unknown', 'offline']);
const imageFields = ['Image', 'NewProcessName', 'Proc', 'ProcessName', 'exe', 'comm'] as const;
const emptyGuid = /^\{?0{8}-0{4}-0{4}-0{4}-0{12}\}?$/;

/**
 * The process that an event tells of: Sysmon 1, Security 4688, a start that an endpoint product saw, or a record of
 * auditd; null for others (resolved-platform 7).
 */
export function processOf(
  head: EventHead,
  record: OutputRecord,
  rules: readonly number[],
  order: number,
): ProcessEvent | null {
  const start = deviceStartOf(head.eventId, record);
  if (start !== undefined) return startOnDevice(start, head, record, rules, order);
  const kind = kindOf(head, record);
  if (kind === null) return null;
  const text = (...names: string[]): string | null => firstText(record, names);
  const imageFull = text(...imageFields);
  if (imageFull === null) return null;
  const image = baseName(imageFull);
  const original = text('OriginalFileName');
  const alternative = original === null ? '' : baseName(original);
  const isSecurity = kind === 'security';
  return {
    isStart: kind !== 'auditd',
    guid: guidOf(text('ProcessGuid', 'PGUID')),
    pid: pidOf(isSecurity ? text('NewProcessId', 'PID') : text('ProcessId', 'PID', 'pid')),
    image,
    imageFull,
    imageAlts: alternative === '' || alternative === image ? [] : [alternative],
    commandLine: text('CommandLine', 'Cmdline', 'ProcessCommandLine', 'proctitle', 'cmd'),
    user: isSecurity ? text('TargetUserName', 'SubjectUserName') : text('User', 'acct', 'auid', 'uid'),
    computer: hostOf(head.computer),
    time: timeOf(text('UtcTime'), head.timestamp),
    hashes: hashesOf(text('Hashes', 'Hash')),
    parent: {
      guid: guidOf(text('ParentProcessGuid', 'ParentPGUID')),
      pid: pidOf(isSecurity ? text('ProcessId', 'ParentPID') : text('ParentProcessId', 'ParentPID', 'ppid')),
      imageFull: text('ParentImage', 'ParentProcessName'),
      commandLine: text('ParentCommandLine'),
    },
    rules: ascending(rules),
    order,
  };
}

/** What a record of an endpoint product says, by its own names. */
function startOnDevice(
  start: DeviceStart,
  head: EventHead,
  record: OutputRecord,
  rules: readonly number[],
  order: number,
): ProcessEvent | null {
  const text = (names: readonly string[]): string | null => firstText(record, names);
  const imageFull = text(start.image);
  if (imageFull === null) return null;
  const image = baseName(imageFull);
  const original = baseName(text(start.originalName) ?? '');
  // Products number processes by device.
  const device = hostOf(head.computer) ?? '';
  const guid = (names: readonly string[]): string | null => {
    const own = guidOf(text(names));
    return own === null ? null : `${device.toLowerCase()} ${own}`.trimStart();
  };
  return {
    isStart: true,
    guid: guid(start.guid),
    pid: pidOf(text(start.pid)),
    image,
    imageFull,
    imageAlts: original === '' || original === image ? [] : [original],
    commandLine: text(start.commandLine),
    user: text(start.user),
    computer: hostOf(head.computer),
    time: timeOf(null, text(start.time) ?? head.timestamp),
    hashes: hashesOf(start.hashes.flatMap((name) => record[name] ?? []).join(',')),
    parent: {
      guid: guid(start.parentGuid),
      pid: pidOf(text(start.parentPid)),
      imageFull: text(start.parentImage),
      commandLine: text(start.parentCommandLine),
    },
    rules: ascending(rules),
    order,
  };
}

function ascending(rules: Iterable<number>): number[] {
  return [...new Set(rules)].sort((a, b) => a - b);
}

function kindOf({ eventId, channel }: EventHead, record: OutputRecord): 'sysmon' | 'security' | 'auditd' | null {
  if (eventId === '4688' && ('NewProcessName' in record || 'Proc' in record)) return 'security';
  if (eventId === '1' && (channel?.includes('Sysmon') || 'ProcessGuid' in record || 'PGUID' in record)) return 'sysmon';
  // What auditd writes has a type, or what several records say together, in place of a number.
  const isNumbered = eventId !== null && /^\d/.test(eventId);
  return !isNumbered && ('exe' in record || 'comm' in record) && 'pid' in record ? 'auditd' : null;
}

/** What tells one process from another (resolved-platform 7). */
function processKey({ isStart, guid, computer, pid, image, time }: ProcessEvent): string {
  return guid ?? `${computer?.toLowerCase()}\u0000${pid}\u0000${image}\u0000${isStart ? time : ''}`;
}

/** What the first of two events of a process says, with what only the other does: few of auditd's have everything. */
function joined(first: ProcessEvent, { commandLine, parent, time, rules }: ProcessEvent): ProcessEvent {
  const known = new Set(first.rules);
  if (rules.every((rule) => known.has(rule))) return filled(first, { commandLine, parent, time });
  return filled({ ...first, rules: ascending([...known, ...rules]) }, { commandLine, parent, time });
}

function filled(
  first: ProcessEvent,
  { commandLine, parent, time }: Pick<ProcessEvent, 'commandLine' | 'parent' | 'time'>,
): ProcessEvent {
  const hasParent = first.parent.guid !== null || first.parent.pid !== null;
  // Records do not always lie in the order of their times.
  const isEarlier = time !== null && (first.time === null || time < first.time);
  if ((first.commandLine !== null || commandLine === null) && hasParent && !isEarlier) return first;
  return {
    ...first,
    commandLine: first.commandLine ?? commandLine,
    parent: hasParent ? first.parent : parent,
    time: isEarlier ? time : first.time,
  };
}

/** The first processes of a run, in the order of the input. */
export class ProcessEvents {
  readonly #byKey = new Map<string, ProcessEvent>();
  #isTruncated = false;

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  add(event: ProcessEvent): void {
    const key = processKey(event);
    const known = this.#byKey.get(key);
    if (known) this.#byKey.set(key, joined(known, event));
    else if (this.#byKey.size < mostProcesses) this.#byKey.set(key, event);
    else this.#isTruncated = true;
  }

  events(): ProcessEvent[] {
    return [...this.#byKey.values()];
  }

  static join(
    parts: readonly { readonly events: readonly ProcessEvent[]; readonly isTruncated: boolean }[],
  ): ProcessEvents {
    const all = new ProcessEvents();
    for (const event of parts.flatMap(({ events }) => events).sort((a, b) => a.order - b.order)) all.add(event);
    all.#isTruncated ||= parts.some(({ isTruncated }) => isTruncated);
    return all;
  }
}

function firstText(record: OutputRecord, names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    const text = (Array.isArray(value) ? value.join(' ') : String(value ?? '')).trim();
    if (text !== '' && text !== '-' && text !== '(null)') return text;
  }
  return null;
}

function guidOf(text: string | null): string | null {
  return text === null || emptyGuid.test(text) ? null : text.toLowerCase();
}

/** Windows writes those of Security events in hexadecimal. */
function pidOf(text: string | null): string | null {
  if (text === null) return null;
  const number = Number(text);
  return Number.isInteger(number) && number >= 0 ? String(number) : null;
}

function hostOf(computer: string | null): string | null {
  return computer === null || noHosts.has(computer.trim().toLowerCase()) ? null : computer.trim();
}

function timeOf(utcTime: string | null, timestamp: string | null): string | null {
  if (utcTime !== null && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(utcTime)) return utcTime;
  return timestamp === null ? null : timestamp.replace('T', ' ').replace(/Z$/, '');
}

function hashesOf(text: string | null): string[] {
  if (text === null) return [];
  const hex = text.split(',').map((part) =>
    part
      .slice(part.lastIndexOf('=') + 1)
      .trim()
      .toUpperCase(),
  );
  return [...new Set(hex.filter((hash) => /^[0-9A-F]{32,128}$/.test(hash) && !/^0+$/.test(hash)))];
}
