import type { Actor, EntityType, GraphKind } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { togetherLimits, type Followed, type GraphScope, type Neighbour } from './entity-graphs.ts';

export interface WalkAsked extends GraphScope {
  readonly seeds: readonly number[];
  /** Of the entity that the walk begins at. */
  readonly type: EntityType;
  readonly hops: number;
  /** Neighbours of each node. */
  readonly limit: number;
  readonly follow: readonly Followed[];
  readonly mostNodes: number;
}

export interface Walked {
  /** In the order in which they were met. */
  readonly ids: readonly number[];
  readonly hopsUsed: number;
  readonly isCut: boolean;
}

/** What tells most of a thing of a type, and is met first (resolved-intel 7.4). */
const preferred: Readonly<Partial<Record<EntityType, readonly EntityType[]>>> = {
  hash: ['user', 'computer', 'cmdline_file'],
  executable: ['user', 'computer', 'cmdline_file'],
  ip_address: ['user', 'computer', 'domain'],
  domain: ['user', 'computer', 'ip_address'],
  user: ['computer', 'executable', 'ip_address'],
  computer: ['user', 'executable', 'service', 'task'],
};

const strength: Readonly<Record<GraphKind, number>> = { typed: 0, finding: 1, job: 2 };

/** Of nodes whose neighbours are asked for at first where not all may have room; and how many times as many then. */
const [fewest, growing] = [20, 4];

/**
 * From the seeds on, breadth first, with one question to the store for each hop; where the front may lead to more than
 * has room, with several for parts of it, of which the first ones are mostly enough.
 */
export async function walkGraph(
  { entityGraphs }: Pick<Ports, 'entityGraphs'>,
  viewer: Actor,
  { seeds, type, hops, limit, follow, mostNodes, ...scope }: WalkAsked,
): Promise<Walked> {
  const met = new Set(seeds.slice(0, mostNodes));
  let frontier = [...met];
  let [hopsUsed, isCut] = [0, seeds.length > met.size];
  while (hopsUsed < hops && frontier.length > 0) {
    hopsUsed += 1;
    const next: number[] = [];
    const room = mostNodes - met.size;
    let size = frontier.length * limit > room ? Math.max(fewest, Math.ceil(room / limit)) : frontier.length;
    for (let from = 0; from < frontier.length && !isCut; from += size, size *= growing) {
      const part = frontier.slice(from, from + size);
      const { found } = await entityGraphs.neighbours(viewer, part, {
        ...scope,
        follow,
        each: togetherLimits.candidates,
      });
      for (const other of strongestOfEach(part, found, { first: preferred[type] ?? [], limit })) {
        if (met.has(other)) continue;
        if (met.size >= mostNodes) {
          isCut = true;
          break;
        }
        met.add(other);
        next.push(other);
      }
    }
    frontier = isCut ? [] : next;
  }
  return { ids: [...met], hopsUsed, isCut };
}

/** Node by node, as many neighbours of each; those of a node are put in order when it is its turn, if it ever is. */
function* strongestOfEach(
  nodes: readonly number[],
  found: readonly Neighbour[],
  { first, limit }: { readonly first: readonly EntityType[]; readonly limit: number },
): Generator<number> {
  const ofNode = new Map<number, Neighbour[]>(nodes.map((id) => [id, []]));
  for (const one of found) ofNode.get(one.from)?.push(one);
  for (const neighbours of ofNode.values()) yield* ranked(neighbours, first).slice(0, limit);
}

/** Neighbours of a node, once each, by the strongest kind that joins them, then what tells most, then by weight. */
function ranked(found: readonly Neighbour[], first: readonly EntityType[]): number[] {
  const known = new Map<number, Neighbour>();
  for (const one of found) {
    const before = known.get(one.id);
    if (before === undefined || strength[one.kind] < strength[before.kind]) known.set(one.id, one);
    // Several types of relationship with one add up.
    else if (before.kind === one.kind) known.set(one.id, { ...before, weight: before.weight + one.weight });
  }
  const place = ({ type }: Neighbour): number => (first.includes(type) ? 0 : 1);
  const order = (a: Neighbour, b: Neighbour): number =>
    strength[a.kind] - strength[b.kind] || place(a) - place(b) || b.weight - a.weight || a.id - b.id;
  return [...known.values()].sort(order).map((one) => one.id);
}
