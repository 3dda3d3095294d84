import { joinProcesses, type JoinDoubt, type JoinedProcess, type LoggedProcess } from './join-processes.ts';
import { mostProcesses, type ProcessEvent } from './process-events.ts';
import { processTree, type ProcessNode, type ProcessTree } from './process-tree.ts';

/** A process as the tree of one log has it. */
export interface KnownProcess extends Omit<ProcessNode, 'rules' | 'children'> {
  readonly findings?: readonly number[];
  readonly children: readonly KnownProcess[];
}

/** The tree of one log. */
export interface LogProcesses {
  /** Its number; the lower ones are told of first. */
  readonly log: number;
  /** Seconds that the clock of its host was ahead. */
  readonly clockOffset: number;
  readonly roots: readonly KnownProcess[];
}

/** A process of a merged tree. */
export interface MergedNode extends Omit<ProcessNode, 'rules' | 'parent_pid' | 'children'> {
  readonly findings: readonly number[];
  /** The logs that tell of it, ascending; none for an ancestor that only its children tell of. */
  readonly logs: readonly number[];
  /** What speaks against that these tell of one process. */
  readonly doubts: readonly JoinDoubt[];
  readonly children: readonly MergedNode[];
}

export interface HostProcesses {
  /** As it is written most fully; empty where logs do not say. */
  readonly host: string;
  readonly processes: readonly JoinedProcess<Logged>[];
}

interface Logged extends LoggedProcess {
  readonly node: KnownProcess;
  readonly parent: KnownProcess | null;
  /** By the corrected clock, as trees write it. */
  readonly time: string;
}

/** The processes that some logs tell of, by host and each once. */
export function mergeProcesses(logs: readonly LogProcesses[]): HostProcesses[] {
  const logged = logs.flatMap((one) => flat(one));
  const named = new HostNames(logged.map(({ node }) => node.computer));
  const byHost = new Map<string, Logged[]>();
  for (const one of logged) {
    const host = named.of(one.node.computer);
    const others = byHost.get(host);
    if (others) others.push(one);
    else byHost.set(host, [one]);
  }
  return [...byHost]
    .map(([host, ofHost]) => ({ host, processes: joinProcesses(ofHost) }))
    .sort((a, b) => compare(a.host.toLowerCase(), b.host.toLowerCase()));
}

/** The tree of a host's processes, by the rules that the tree of one log has. */
export function hostTree({ host, processes }: HostProcesses): Omit<ProcessTree, 'roots'> & {
  readonly roots: readonly MergedNode[];
} {
  const shown = processes.slice(0, mostProcesses);
  // The place of a process stands where its rules would.
  const events = shown.map((one, place) => eventOf(one, host, place));
  const { roots, stats } = processTree(events, processes.length > shown.length);
  const toNode = ({ rules: [place], parent_pid: _parentPid, children, ...node }: ProcessNode): MergedNode => {
    const joined = place === undefined ? null : shown[place]!;
    return {
      ...node,
      logs: joined === null ? [] : ascending(joined.of.map(({ log }) => log)),
      findings: joined === null ? [] : ascending(joined.of.flatMap((one) => one.node.findings ?? [])),
      doubts: joined?.doubts ?? [],
      children: children.map(toNode),
    };
  };
  return { roots: roots.map(toNode), stats };
}

/** Processes of a log that events tell of, without ancestors that only children do. */
function flat({ log, clockOffset, roots }: LogProcesses): Logged[] {
  const found: Logged[] = [];
  const walk = (node: KnownProcess, parent: KnownProcess | null): void => {
    if (node.hit) {
      const time = corrected(node.time, clockOffset);
      const start = Date.parse(`${time.slice(0, 23).replace(' ', 'T')}Z`);
      found.push({
        log,
        guid: node.guid,
        pid: node.pid,
        parentPid: node.parent_pid || parent?.pid || '',
        image: node.image,
        imageFull: node.image_full,
        commandLine: node.cmdline,
        start: Number.isNaN(start) ? null : start,
        time,
        node,
        parent,
      });
    }
    for (const child of node.children) walk(child, node);
  };
  for (const root of roots) walk(root, null);
  return found;
}

/** A time, `2026-08-01 09:12:04.1`, without what the clock was ahead; its fraction stays as it is written. */
function corrected(time: string, ahead: number): string {
  const at = Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`);
  if (ahead === 0 || Number.isNaN(at)) return time;
  const moved = new Date(at - ahead * 1000);
  return Number.isNaN(moved.getTime()) ? time : moved.toISOString().slice(0, 19).replace('T', ' ') + time.slice(19);
}

/** What the logs of a process say together: of each thing the first that says it, those with a GUID before others. */
function eventOf({ of }: JoinedProcess<Logged>, host: string, place: number): ProcessEvent {
  const all = of.toSorted((a, b) => Number(a.guid === '') - Number(b.guid === ''));
  const first = (text: (one: Logged) => string | undefined): string | null => all.map(text).find(Boolean) ?? null;
  const known = all[0]!;
  return {
    isStart: true,
    guid: first(({ guid }) => guid),
    pid: first(({ pid }) => pid),
    image: known.image,
    imageFull: known.imageFull,
    imageAlts: [...new Set(all.flatMap(({ node }) => node.image_alts))],
    commandLine: first(({ commandLine }) => commandLine),
    user: first(({ node }) => node.user),
    computer: host === '' ? null : host,
    time: first(({ time }) => time),
    hashes: [...new Set(all.flatMap(({ node }) => node.hashes))],
    parent: {
      guid: first(({ parent }) => parent?.guid),
      pid: first(({ parentPid }) => parentPid),
      imageFull: first(({ parent }) => parent?.image_full),
      commandLine: first(({ parent }) => (parent?.hit === false ? parent.cmdline : undefined)),
    },
    rules: [place],
    order: place,
  };
}

/** Names of hosts: `ws1` is `WS1.example.org` where no other host begins so. */
class HostNames {
  readonly #full = new Map<string, string>();

  constructor(computers: readonly string[]) {
    const spelled = new Map<string, string>();
    for (const one of [...new Set(computers)].sort(compare))
      if (!spelled.has(one.toLowerCase())) spelled.set(one.toLowerCase(), one);
    const ofFirst = new Map<string, string[]>();
    for (const name of spelled.keys()) {
      const short = firstPart(name);
      if (short !== name) ofFirst.set(short, [...(ofFirst.get(short) ?? []), name]);
    }
    for (const [name, spelling] of spelled) {
      const [full, another] = ofFirst.get(name) ?? [];
      this.#full.set(name, full !== undefined && another === undefined ? spelled.get(full)! : spelling);
    }
  }

  of(computer: string): string {
    return this.#full.get(computer.toLowerCase())!;
  }
}

/** An address has no parts. */
function firstPart(name: string): string {
  return name.includes(':') || /^[\d.]+$/.test(name) ? name : name.split('.')[0]!;
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
