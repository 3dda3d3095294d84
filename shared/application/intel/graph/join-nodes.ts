import { edgeCode, graphKinds, type GraphKind } from '@svc/domain';
import type { TypedEdge } from './entity-graphs.ts';

/** What joins nodes, before the caps. */
export interface Joins {
  readonly typed: readonly TypedEdge[];
  /** Ids that a visible rule match names together. */
  readonly findings: readonly (readonly number[])[];
  /** The same of jobs; `all` where every node is of the one job, null where they are not asked for. */
  readonly jobs: readonly (readonly number[])[] | 'all' | null;
}

/** Ends are positions of nodes. */
export interface GraphEdge {
  readonly source: number;
  readonly target: number;
  readonly code: number;
  readonly weight: number;
  /** Of the relationship; 0 where it is none. */
  readonly id: number;
}

export interface JoinedNodes {
  readonly edges: readonly GraphEdge[];
  /** Before the caps. */
  readonly total: number;
  readonly kinds: Readonly<Record<GraphKind, number>>;
}

/** Edges of the focal node by what is named together (resolved-intel 7.4). */
const focalTogether = 500;
const codes = { job: edgeCode('job'), finding: edgeCode('finding') };

/**
 * All edges among the nodes up to a number of them: first those of the focal node, then typed ones, matches and jobs,
 * each by weight, then by ids.
 * @param ids - of the nodes, by position
 */
export function joinNodes(
  ids: readonly number[],
  focal: number | null,
  { typed, findings, jobs }: Joins,
  most: number,
): JoinedNodes {
  // By id, so that going through the pairs goes through them in order.
  const order = ids.map((_, place) => place).sort((a, b) => ids[a]! - ids[b]!);
  const rank = new Map(order.map((place, at) => [ids[place]!, at]));
  const focalRank = focal === null ? -1 : (rank.get(focal) ?? -1);
  const pairs = { finding: counted(findings, rank), job: counted(jobs === 'all' ? null : jobs, rank) };

  // Millions of pairs are looked at, so that none is an object before it is taken.
  const isJoined = jobs === 'all' || pairs.job !== null || pairs.finding !== null;
  const matchesAt = (place: number): number => (pairs.finding === null ? 0 : pairs.finding[place]!);
  /** Of a pair by its place; 0 where nothing joins it. */
  const weightAt = (place: number): number => {
    const shared = jobs === 'all' ? 1 : pairs.job === null ? 0 : pairs.job[place]!;
    return matchesAt(place) + shared;
  };
  const kindAt = (place: number): 'finding' | 'job' => (matchesAt(place) > 0 ? 'finding' : 'job');
  const totals = { job: 0, finding: 0, typed: typed.length };
  const weights = { job: new Map<number, number>(), finding: new Map<number, number>() };
  const ofFocal: Ranked[] = [];
  const isEmptyAt = emptyPairs(pairs.finding, pairs.job, jobs === 'all');
  for (let a = 0, place = 0; isJoined && a < order.length; a++) {
    for (let b = a + 1; b < order.length; b++, place++) {
      for (; b + 1 < order.length && isEmptyAt(place); b += 2) place += 2;
      if (b === order.length) break;
      const weight = weightAt(place);
      if (weight === 0) continue;
      const kind = kindAt(place);
      totals[kind] += 1;
      if (a === focalRank || b === focalRank) ofFocal.push({ a, b, kind, weight });
      else weights[kind].set(weight, (weights[kind].get(weight) ?? 0) + 1);
    }
  }
  const position = (at: number): number => order[at]!;
  const edge = ({ a, b, kind, weight }: Ranked): GraphEdge => {
    const [source, target] = [position(a), position(b)];
    return { source, target, code: codes[kind], weight, id: 0 };
  };
  const heaviest = (one: Ranked, other: Ranked): number =>
    codes[other.kind] - codes[one.kind] || other.weight - one.weight || one.a - other.a || one.b - other.b;

  // What is gone since it was asked for joins nothing.
  const related = typed.flatMap(({ id, source, target, type, occurrences }) => {
    const [from, to] = [rank.get(source), rank.get(target)];
    if (from === undefined || to === undefined) return [];
    return { source: position(from), target: position(to), code: edgeCode(type), weight: occurrences, id };
  });
  const touches = ({ source, target }: GraphEdge): boolean => ids[source] === focal || ids[target] === focal;
  const edges = [
    ...related.filter(touches),
    ...ofFocal.sort(heaviest).slice(0, focalTogether).map(edge),
    ...related.filter((one) => !touches(one)),
  ].slice(0, most);
  for (const kind of ['finding', 'job'] as const) {
    const room = most - edges.length;
    if (room <= 0 || weights[kind].size === 0) continue;
    const { atLeast, ofLeast } = lightest(weights[kind], room);
    const taken: Ranked[] = [];
    let left = ofLeast;
    for (let a = 0; a < order.length && taken.length < room; a++) {
      if (a === focalRank) continue;
      for (let b = a + 1, place = pairPlace(a, b, order.length); b < order.length; b++, place++) {
        for (; b + 1 < order.length && isEmptyAt(place); b += 2) place += 2;
        if (b === order.length) break;
        const weight = weightAt(place);
        if (weight === 0 || weight < atLeast || b === focalRank || kindAt(place) !== kind) continue;
        if (weight === atLeast && left-- <= 0) continue;
        taken.push({ a, b, kind, weight });
      }
    }
    edges.push(...taken.sort(heaviest).map(edge));
  }
  return { edges, total: totals.job + totals.finding + totals.typed, kinds: kindsOf(edges) };
}

interface Ranked {
  readonly a: number;
  readonly b: number;
  readonly kind: 'finding' | 'job';
  readonly weight: number;
}

function kindsOf(edges: readonly GraphEdge[]): Record<GraphKind, number> {
  const kinds = { job: 0, finding: 0, typed: 0 };
  for (const { code } of edges) kinds[graphKinds[Math.min(code, codes.finding + 1)]!] += 1;
  return kinds;
}

/** The least weight that still has room, and how many of that weight have; 0 where all have room. */
function lightest(weights: ReadonlyMap<number, number>, room: number) {
  let above = 0;
  for (const weight of [...weights.keys()].sort((a, b) => b - a)) {
    const many = weights.get(weight)!;
    if (above + many >= room) return { atLeast: weight, ofLeast: room - above };
    above += many;
  }
  return { atLeast: 0, ofLeast: 0 };
}

/** How often each pair is named together, by the place of the pair; null where there is nothing to count. */
function counted(groups: readonly (readonly number[])[] | null, rank: ReadonlyMap<number, number>): Uint16Array | null {
  if (groups === null || groups.length === 0) return null;
  const pairs = new Uint16Array((rank.size * (rank.size - 1)) / 2);
  for (const group of groups) {
    const places = group.flatMap((id) => rank.get(id) ?? []).sort((a, b) => a - b);
    for (let b = 1; b < places.length; b++) {
      for (let a = 0; a < b; a++) pairs[pairPlace(places[a]!, places[b]!, rank.size)]! += 1;
    }
  }
  return pairs;
}

/**
 * Whether nothing joins the pair at an even place, nor the one behind it: of millions of pairs most are none, and two are
 * looked at in one word.
 */
function emptyPairs(one: Uint16Array | null, other: Uint16Array | null, areAllJoined: boolean) {
  const [first, second] = [one ?? other, other ?? one].map(
    (pairs) => pairs && new Uint32Array(pairs.buffer, 0, pairs.length >> 1),
  );
  if (areAllJoined || !first || !second) return () => false;
  return (place: number): boolean => place % 2 === 0 && (first[place / 2]! | second[place / 2]!) === 0;
}

/** Of a pair whose first is the lower: in the order in which pairs are gone through, which reads memory in order. */
function pairPlace(a: number, b: number, many: number): number {
  return (a * (2 * many - a - 3)) / 2 + b - 1;
}
