import { baseName } from './entities.ts';
import { mostProcesses, type ProcessEvent } from './process-events.ts';

/** A process with those that it started (resolved-platform 7); what is not known is empty. */
export interface ProcessNode {
  readonly guid: string;
  readonly pid: string;
  readonly image: string;
  readonly image_full: string;
  readonly image_alts: readonly string[];
  readonly cmdline: string;
  readonly user: string;
  readonly time: string;
  readonly computer: string;
  readonly hashes: readonly string[];
  /** False for an ancestor that only its children tell of. */
  readonly hit: boolean;
  /** What its event says of the process that started it, found or not; not kept by earlier versions. */
  readonly parent_pid?: string;
  /** Places of the rules that matched its events, ascending. */
  readonly rules: readonly number[];
  readonly children: readonly ProcessNode[];
}

export interface ProcessTree {
  readonly roots: readonly ProcessNode[];
  readonly stats: {
    readonly processes: number;
    readonly hits: number;
    readonly inferred: number;
    readonly roots: number;
    readonly truncated: boolean;
    readonly depth_capped: boolean;
    readonly max_nodes: number;
  };
}

/** A node while the tree is built. */
interface Growing extends ProcessNode {
  parent: Growing | null;
  children: Growing[];
}

const deepest = 100;

/** Makes the forest of the processes; ancestors that only children tell of are inferred. */
export function processTree(events: readonly ProcessEvent[], truncated: boolean): ProcessTree {
  const family = new Family(events);
  const nodes = family.link();
  const depthCapped = cutDepth(nodes);
  for (const { children } of nodes) children.sort(byTime);
  const roots = nodes.filter(({ parent }) => parent === null).sort(byTime);
  const hits = nodes.filter(({ hit }) => hit).length;
  return {
    roots: roots.map(finished),
    stats: {
      processes: nodes.length,
      hits,
      inferred: nodes.length - hits,
      roots: roots.length,
      truncated,
      depth_capped: depthCapped,
      max_nodes: mostProcesses,
    },
  };
}

/** Finds the parent of each process. */
class Family {
  readonly #events: readonly ProcessEvent[];
  readonly #nodes = new Map<ProcessEvent, Growing>();
  readonly #byGuid = new Map<string, Growing>();
  readonly #byPid = new Map<string, Growing[]>();
  readonly #inferred = new Map<string, Growing>();

  constructor(events: readonly ProcessEvent[]) {
    this.#events = events;
    for (const event of events) {
      const node = nodeOf(event);
      this.#nodes.set(event, node);
      if (event.guid !== null) this.#byGuid.set(event.guid, node);
      if (event.pid !== null) {
        const key = pidKey(event.computer, event.pid);
        this.#byPid.set(key, [...(this.#byPid.get(key) ?? []), node]);
      }
    }
  }

  /** All nodes, each under its parent. */
  link(): Growing[] {
    for (const event of this.#events) {
      const node = this.#nodes.get(event)!;
      const parent = this.#parentOf(event, node);
      if (parent === null || isWithin(parent, node)) continue;
      node.parent = parent;
      parent.children.push(node);
    }
    return [...this.#nodes.values(), ...this.#inferred.values()];
  }

  #parentOf(event: ProcessEvent, node: Growing): Growing | null {
    const { parent, computer } = event;
    const byGuid = parent.guid === null ? undefined : this.#byGuid.get(parent.guid);
    if (byGuid !== undefined) return byGuid === node ? null : byGuid;
    return this.#byProcessId(event, node) ?? this.#infer(parent, computer);
  }

  /** The latest that was there before; with no times only the one that there is. */
  #byProcessId({ parent, computer }: ProcessEvent, node: Growing): Growing | null {
    if (parent.pid === null) return null;
    const image = parent.imageFull === null ? null : baseName(parent.imageFull);
    const candidates = (this.#byPid.get(pidKey(computer, parent.pid)) ?? []).filter(
      // Numbers are given again: another program, or one with another GUID, is another process.
      (one) =>
        one !== node &&
        (parent.guid === null || one.guid === '') &&
        (image === null || one.image === image || one.image_alts.includes(image)),
    );
    const timed = candidates.filter(({ time }) => time !== '');
    if (node.time === '' || timed.length === 0) return candidates.length === 1 ? candidates[0]! : null;
    const before = timed.filter(({ time }) => time <= node.time).sort(byTime);
    return before.at(-1) ?? null;
  }

  #infer({ guid, pid, imageFull, commandLine }: ProcessEvent['parent'], computer: string | null): Growing | null {
    if (imageFull === null && guid === null) return null;
    const key = guid ?? `${pidKey(computer, pid ?? '')}\u0000${imageFull!.toLowerCase()}`;
    let node = this.#inferred.get(key);
    if (node === undefined) {
      node = {
        guid: guid ?? '',
        pid: pid ?? '',
        image: imageFull === null ? 'unknown ancestor' : baseName(imageFull),
        image_full: imageFull ?? '',
        image_alts: [],
        cmdline: commandLine ?? '',
        user: '',
        time: '',
        computer: computer ?? '',
        hashes: [],
        hit: false,
        rules: [],
        parent: null,
        children: [],
      };
      this.#inferred.set(key, node);
    }
    return node;
  }
}

function nodeOf(event: ProcessEvent): Growing {
  return {
    guid: event.guid ?? '',
    pid: event.pid ?? '',
    image: event.image,
    image_full: event.imageFull,
    image_alts: event.imageAlts,
    cmdline: event.commandLine ?? '',
    user: event.user ?? '',
    time: event.time ?? '',
    computer: event.computer ?? '',
    hashes: event.hashes,
    hit: true,
    parent_pid: event.parent.pid ?? '',
    rules: event.rules,
    parent: null,
    children: [],
  };
}

/** Whether a node is the ancestor itself or below it. */
function isWithin(node: Growing, ancestor: Growing): boolean {
  for (let at: Growing | null = node; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** Makes roots of what lies too deep; tells whether there was any. */
function cutDepth(nodes: readonly Growing[]): boolean {
  let isCut = false;
  const walk = nodes.filter(({ parent }) => parent === null).map((node) => ({ node, depth: 1 }));
  for (let next = walk.pop(); next !== undefined; next = walk.pop()) {
    const { node, depth } = next;
    const tooDeep = depth >= deepest;
    for (const child of node.children) {
      if (tooDeep) child.parent = null;
      walk.push({ node: child, depth: tooDeep ? 1 : depth + 1 });
    }
    if (tooDeep && node.children.length > 0) {
      isCut = true;
      node.children = [];
    }
  }
  return isCut;
}

function finished({ parent: _parent, children, ...node }: Growing): ProcessNode {
  return { ...node, children: children.map(finished) };
}

/** Those without a time last; an inferred one was there before its first child. */
function byTime(a: Growing, b: Growing): number {
  const [one, other] = [sinceOf(a), sinceOf(b)];
  if (one === other) return compare(a.image, b.image) || compare(a.pid, b.pid);
  if (one === '' || other === '') return one === '' ? 1 : -1;
  return compare(one, other);
}

function sinceOf({ time, children }: Growing): string {
  return time || (children[0]?.time ?? '');
}

function pidKey(computer: string | null, pid: string): string {
  return `${computer?.toLowerCase() ?? ''}\u0000${pid}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
