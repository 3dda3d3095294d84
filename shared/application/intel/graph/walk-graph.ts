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

/** How many times as many nodes as before are asked for at most, and as many as should be enough: questions cost, too. */
const [growing, ample] = [4, 1.5];

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
    // As many as may have room; then as many as are to fill it, by what the ones before have led to.
    let size = Math.max(1, Math.ceil((ample * room) / limit));
    for (let from = 0; from < frontier.length && !isCut;) {
      const part = frontier.slice(from, from + size);
      from += size;
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
      const nodesPerNew = from / Math.max(1, next.length);
      size = Math.ceil(Math.min(size * growing, ample * (mostNodes - met.size) * nodesPerNew)) + 1;
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
  const preferences = new Set(first);
  for (const neighbours of ofNode.values()) yield* ranked(neighbours, preferences).slice(0, limit);
}

/** Neighbours of a node, once each, by the strongest kind that joins them, then what tells most, then by weight. */
function ranked(found: readonly Neighbour[], first: ReadonlySet<EntityType>): number[] {
  const known = new Map<number, Neighbour>();
  for (const one of found) {
    const before = known.get(one.id);
    if (before === undefined || strength[one.kind] < strength[before.kind]) known.set(one.id, one);
    // Several types of relationship with one add up.
    else if (before.kind === one.kind) known.set(one.id, { ...before, weight: before.weight + one.weight });
  }
  // Once each, since tens of thousands are compared with each other.
  const placed = Array.from(known.values(), ({ id, weight, kind, type }) => ({
    id,
    weight,
    place: 2 * strength[kind] + (first.has(type) ? 0 : 1),
  }));
  return placed.sort((a, b) => a.place - b.place || b.weight - a.weight || a.id - b.id).map(({ id }) => id);
}
