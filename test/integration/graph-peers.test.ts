import { graphml } from '@svc/application/intel/graph/graphml.ts';
import { shortestPaths } from '@svc/application/intel/graph/shortest-paths.ts';
import { emptyGraph } from '@svc/application/intel/graph/build-graph.ts';
import type { EntityGraph } from '@svc/contracts';
import { edgeMeaning, entityTypes, graphFlags } from '@svc/domain';
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { arrangeGraph, communitiesOf, simpleGraph } from '../../frontend/src/features/intel/graph/arrange-graph.ts';
import { Random } from '../samples/random.ts';
import { describeWith } from '../support/programs.ts';

/** What networkx says of graphs: a program reads one question as JSON and writes one answer. */
const peer = `
import json, sys
import networkx as nx
asked = json.load(sys.stdin)
if asked["what"] == "graphml":
    g = nx.parse_graphml(asked["text"], force_multigraph=True)
    answer = {"nodes": [[n, d] for n, d in g.nodes(data=True)], "edges": [[u, v, k, d] for u, v, k, d in g.edges(keys=True, data=True)], "directed": g.is_directed()}
else:
    g = nx.Graph()
    g.add_nodes_from(range(asked["nodes"]))
    g.add_edges_from(asked["edges"])
    if asked["what"] == "paths":
        answer = [sorted(nx.all_shortest_paths(g, a, b)) if nx.has_path(g, a, b) else [] for a, b in asked["pairs"]]
    else:
        best = max((nx.community.louvain_communities(g, weight=None, seed=s) for s in range(5)), key=lambda c: nx.community.modularity(g, c, weight=None))
        ours = [set(c) for c in asked["ours"]]
        answer = {"best": [sorted(c) for c in best], "best_modularity": nx.community.modularity(g, best, weight=None), "our_modularity": nx.community.modularity(g, ours, weight=None)}
json.dump(answer, sys.stdout)
`;

function ask(question: object): unknown {
  const ran = spawnSync(process.env.NETWORKX_PYTHON_PATH ?? '', ['-c', peer], {
    input: JSON.stringify(question),
    maxBuffer: 2 ** 28,
  });
  expect(ran.stderr.toString()).toBe('');
  return JSON.parse(ran.stdout.toString());
}

interface Plain {
  readonly nodes: number;
  readonly edges: readonly (readonly [number, number])[];
}

function randomGraph(seed: number, nodes: number, edges: number): Plain {
  const random = new Random(seed);
  const place = (): number => random.int(0, nodes - 1);
  const found = new Map<string, readonly [number, number]>();
  for (let nth = 0; nth < edges; nth++) {
    const [a, b] = [place(), place()];
    if (a !== b) found.set([Math.min(a, b), Math.max(a, b)].join(), [Math.min(a, b), Math.max(a, b)]);
  }
  return { nodes, edges: [...found.values()] };
}

const toArrange = ({ nodes, edges }: Plain) => ({
  nodes,
  edges: edges.map(([a, b]) => [a, b, 1] as const),
  kept: null,
});

function membersOf(communities: readonly number[]): number[][] {
  const members: number[][] = [];
  for (const [node, community] of communities.entries()) (members[community] ??= []).push(node);
  return members;
}

describeWith('networkx', 'graphs, held against networkx', () => {
  it('are files that it opens, with the same nodes and edges', () => {
    const random = new Random(7);
    const nodes = 60;
    const values = ['a&b <c> "d"', 'C:\\\\x\r\ny', 'täglich\u0001\uFFFF', '😀', ''];
    const column = <T>(many: number, of: (place: number) => T): T[] =>
      Array.from({ length: many }, (_, place) => of(place));
    const ends = column(200, () => [random.int(0, nodes - 1), random.int(0, nodes - 1)] as const);
    const codes = column(200, () => random.int(0, 16));
    const known = new Set<string>();
    const edges = ends.flatMap(([s, t], place) => {
      const [source, target] = codes[place]! < 2 ? [Math.min(s, t), Math.max(s, t)] : [s, t];
      const key = [source, target, codes[place]].join();
      if (s === t || known.has(key)) return [];
      known.add(key);
      return [{ source, target, code: codes[place]! }];
    });
    const graph: EntityGraph = {
      ...emptyGraph('entity', true),
      n: {
        id: column(nodes, (place) => 100 + place),
        lb: column(nodes, (place) => values[place % values.length]!),
        ty: column(nodes, (place) => place % entityTypes.length),
        sub: column(nodes, (place) => place % 12),
        fl: column(nodes, (place) =>
          place % 3 === 0 ? graphFlags.focal + graphFlags.watchlist : graphFlags.allowlisted,
        ),
        jc: column(nodes, (place) => place),
        sv: column(nodes, () => 0),
        tc: column(nodes, () => 0),
        tg: [],
      },
      e: {
        s: edges.map(({ source }) => source),
        t: edges.map(({ target }) => target),
        k: edges.map(({ code }) => code),
        w: edges.map((_, place) => place + 1),
        rid: edges.map(() => 0),
      },
    };
    const read = ask({ what: 'graphml', text: graphml(graph, false) }) as {
      nodes: [string, Record<string, unknown>][];
      edges: [string, string, string, Record<string, unknown>][];
      directed: boolean;
    };
    expect(read.directed).toBe(true);
    expect(read.nodes.map(([id]) => id)).toEqual(graph.n.id.map((id) => `e${id}`));
    for (const [place, [, node]] of read.nodes.entries()) {
      // oxlint-disable-next-line no-control-regex -- what XML has no way to write is left out
      const label = graph.n.lb[place]!.replace(/[\u0001\uFFFF]/g, '');
      expect(node).toMatchObject({
        ...(label !== '' && { label }),
        entity_type: entityTypes[graph.n.ty[place]!],
        focal: place % 3 === 0,
        watchlist: place % 3 === 0,
        allowlisted: place % 3 !== 0,
        job_count: place,
      });
    }
    const told = read.edges.map(([source, target, key, { kind, weight, rel_type: type, directed }]) =>
      [source, target, key, kind, weight, type, directed].join(),
    );
    const expected = edges.map(({ source, target, code }, place) => {
      const { kind, type } = edgeMeaning(code);
      const [from, to] = [100 + source, 100 + target];
      return [`e${from}`, `e${to}`, `${type ?? kind}-${from}-${to}`, kind, place + 1, type, kind === 'typed'].join();
    });
    expect(told.sort()).toEqual(expected.sort());
  });

  it.each([
    [1, 40, 45],
    [2, 60, 120],
    [3, 200, 260],
    [4, 300, 1200],
  ])('have the shortest paths that it finds (%i)', async (seed, nodes, edges) => {
    const graph = randomGraph(seed, nodes, edges);
    const random = new Random(seed + 100);
    const pairs = Array.from({ length: 40 }, () => [random.int(0, nodes - 1), random.int(0, nodes - 1)] as const);
    const theirs = ask({ what: 'paths', ...graph, pairs }) as number[][][];
    const beside = Array.from({ length: nodes }, () => [] as number[]);
    for (const [a, b] of graph.edges) {
      beside[a]!.push(b);
      beside[b]!.push(a);
    }
    const step = async (ids: readonly number[]) => ({
      found: ids.flatMap((from) => beside[from]!.map((id) => ({ from, id }))),
      isCut: false,
    });
    for (const [place, [from, to]] of pairs.entries()) {
      const limits = { steps: 50, paths: 24, nodes: 20_000 };
      const ours = await shortestPaths({ from, to }, step, limits);
      const all = theirs[place]!.map((path) => path.join()).sort();
      expect([from, to, ours.steps]).toEqual([from, to, all.length === 0 ? null : theirs[place]![0]!.length - 1]);
      const found = ours.paths.map((path) => path.join()).sort();
      expect(ours.isCapped).toBe(all.length > 24);
      if (all.length <= 24) expect(found).toEqual(all);
      else expect([found.length, found.filter((path) => !all.includes(path))]).toEqual([24, []]);
    }
  });

  it('have its communities where these are beyond doubt', () => {
    for (const [cliques, size] of [
      [4, 6],
      [7, 9],
      [12, 5],
    ] as const) {
      const edges: [number, number][] = [];
      for (let clique = 0; clique < cliques; clique++) {
        const first = clique * size;
        for (let b = 1; b < size; b++) for (let a = 0; a < b; a++) edges.push([first + a, first + b]);
        edges.push([first, ((clique + 1) % cliques) * size + 1]);
      }
      const graph = { nodes: cliques * size, edges };
      const { of, modularity } = communitiesOf(simpleGraph(toArrange(graph)));
      const theirs = ask({
        what: 'communities',
        ...graph,
        ours: membersOf(of),
      }) as { best: number[][]; our_modularity: number };
      const sorted = (members: readonly number[][]) => members.map((one) => one.join(' ')).sort();
      expect(sorted(membersOf(of))).toEqual(sorted(theirs.best));
      expect(modularity).toBeCloseTo(theirs.our_modularity, 9);
    }
  });

  it('are told a modularity that it computes, too, and no worse than the best of five that it finds', () => {
    for (const [seed, nodes, edges] of [
      [11, 100, 200],
      [12, 300, 700],
      [13, 500, 900],
    ] as const) {
      const graph = randomGraph(seed, nodes, edges);
      const { of, modularity } = communitiesOf(simpleGraph(toArrange(graph)));
      const theirs = ask({
        what: 'communities',
        ...graph,
        ours: membersOf(of),
      }) as { best_modularity: number; our_modularity: number };
      expect(modularity).toBeCloseTo(theirs.our_modularity, 9);
      expect(theirs.our_modularity).toBeGreaterThan(theirs.best_modularity - 0.02);
    }
  });

  it('are arranged the same each time, with every node somewhere', () => {
    const graph = toArrange(randomGraph(21, 150, 400));
    const [once, again] = [0, 1].map(() => [...arrangeGraph(graph, () => 0)]);
    expect(once).toEqual(again);
    expect(once!.map(({ isFinal }) => isFinal)).toEqual([false, true]);
    expect(once![1]!.places.flat().every(Number.isFinite)).toBe(true);
    // What was there stays where it was.
    const places = once![1]!.places.map((place, nth) => (nth < 140 ? place : null));
    const [grown] = [...arrangeGraph({ ...graph, kept: { places, around: 3 } }, () => 0)];
    expect(grown!.places.slice(0, 140)).toEqual(places.slice(0, 140));
  });
});
