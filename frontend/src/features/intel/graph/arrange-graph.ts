import { UndirectedGraph } from 'graphology';
import louvain from 'graphology-communities-louvain';
import circlepack from 'graphology-layout/circlepack.js';
import circular from 'graphology-layout/circular.js';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import pagerank from 'graphology-metrics/centrality/pagerank.js';

/** A graph by positions, as it goes to the worker. */
export interface GraphToArrange {
  readonly nodes: number;
  readonly edges: readonly (readonly [source: number, target: number, weight: number])[];
  /** Where nodes are that stay there, and what node new ones are put around. */
  readonly kept: { readonly places: readonly (Place | null)[]; readonly around: number } | null;
}
export type Place = readonly [x: number, y: number];

export interface ArrangedGraph {
  readonly places: readonly Place[];
  /** Of each node, from 0; the largest first. */
  readonly communities: readonly number[];
  readonly modularity: number;
  readonly ranks: readonly number[];
  /** Whether nothing better follows. */
  readonly isFinal: boolean;
}

interface NodeAttributes {
  community?: number;
  x?: number;
  y?: number;
  fixed?: boolean;
}

const longestMs = 8000;

/** As an undirected simple graph, what joins two nodes added up. */
export function simpleGraph({ nodes, edges }: GraphToArrange): UndirectedGraph<NodeAttributes, { weight: number }> {
  const graph = new UndirectedGraph<NodeAttributes, { weight: number }>();
  for (let node = 0; node < nodes; node++) graph.addNode(String(node));
  for (const [source, target, weight] of edges) {
    if (source === target) continue;
    graph.updateEdge(String(source), String(target), (known) => ({ weight: (known.weight ?? 0) + weight }));
  }
  return graph;
}

/** Communities by modularity (Louvain), numbered by size; the same for the same graph. */
export function communitiesOf(graph: ReturnType<typeof simpleGraph>): { of: number[]; modularity: number } {
  if (graph.size === 0) return { of: graph.nodes().map((_, place) => place), modularity: 0 };
  const { communities, modularity } = louvain.detailed(graph, { rng: steadyRandom(), getEdgeWeight: null });
  const raw = graph.mapNodes((node) => communities[node]!);
  const sizes = new Map<number, number>();
  for (const one of raw) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  const order = [...sizes.keys()].sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
  const numbers = new Map(order.map((one, place) => [one, place]));
  return { of: raw.map((one) => numbers.get(one)!), modularity };
}

/** Where nodes go: at once by community, then as forces put them (resolved-intel 7.8). */
export function* arrangeGraph(asked: GraphToArrange, now: () => number): Generator<ArrangedGraph> {
  const graph = simpleGraph(asked);
  const { of: communities, modularity } = communitiesOf(graph);
  const ranked = pagerank(graph, { getEdgeWeight: null });
  const ranks = graph.mapNodes((node) => ranked[node]!);
  const placed = (isFinal: boolean): ArrangedGraph => ({
    places: graph.mapNodes((_, { x = 0, y = 0 }) => [x, y] as const),
    communities,
    modularity,
    ranks,
    isFinal,
  });
  if (asked.kept === null) {
    graph.updateEachNodeAttributes((node, attributes) => ({ ...attributes, community: communities[Number(node)]! }));
    circlepack.assign(graph, { hierarchyAttributes: ['community'], rng: steadyRandom() });
    yield placed(graph.order < 2);
  } else placeAround(graph, asked.kept);
  if (graph.order < 2) return;
  const settings = { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > 500, adjustSizes: false };
  const iterations = graph.order <= 200 ? 300 : Math.max(40, Math.floor(60_000 / graph.order));
  const from = now();
  // In steps, since the time of one is not known before.
  for (let done = 0; done < iterations && now() - from < longestMs; done += 10)
    forceAtlas2.assign(graph, { iterations: Math.min(10, iterations - done), settings, getEdgeWeight: null });
  yield placed(true);
}

/** New nodes in a circle around the one that was expanded; the others stay. */
function placeAround(graph: ReturnType<typeof simpleGraph>, { places, around }: NonNullable<GraphToArrange['kept']>) {
  const known = places.flatMap((place) => (place === null ? [] : [place]));
  const width = Math.max(1, ...known.map(([x]) => x)) - Math.min(0, ...known.map(([x]) => x));
  const [centerX, centerY] = places[around] ?? [0, 0];
  const fresh = new UndirectedGraph();
  for (const [place, one] of places.entries()) if (one === null) fresh.addNode(String(place));
  const circle = circular(fresh, { scale: width / 12 });
  graph.updateEachNodeAttributes((node, attributes) => {
    const kept = places[Number(node)];
    if (kept) return { ...attributes, x: kept[0], y: kept[1], fixed: true };
    return { ...attributes, x: centerX + circle[node]!['x']!, y: centerY + circle[node]!['y']! };
  });
}

/** Numbers that look random and are the same each time (Park and Miller). */
function steadyRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
