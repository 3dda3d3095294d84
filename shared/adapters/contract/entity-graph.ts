import { allowlistEntities } from '@svc/application/intel/allowlist-entities.ts';
import { countGraphNeighbours } from '@svc/application/intel/count-graph-neighbours.ts';
import { exportEntityGraph } from '@svc/application/intel/export-entity-graph.ts';
import { findGraphPath } from '@svc/application/intel/find-graph-path.ts';
import { getEntityGraph } from '@svc/application/intel/get-entity-graph.ts';
import { uniteEntities } from '@svc/application/intel/unite-entities.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations } from '@svc/contracts';
import { edgeCode, graphFlags, type Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { ascending, edgesOf, expectedEdges, graphFixture, jobs, type NamingJob } from './graph-fixture.ts';

/** What is within some hops along jobs. */
function reached(seen: readonly NamingJob[], from: number, hops: number): number[] {
  let met = new Set([from]);
  for (let hop = 0; hop < hops; hop++)
    met = new Set([
      ...met,
      ...seen.filter(({ names }) => names.some((one) => met.has(one))).flatMap(({ names }) => names),
    ]);
  return [...met];
}

/** Graphs held against a plain reading of what was stored; `make` gives empty repositories with workflows. */
export function entityGraphContract(make: () => Promise<Ports>): void {
  describe('a graph of entities', () => {
    let ports: Ports;
    const { world } = graphFixture(async () => (ports = await make()));

    const asked: Omit<Parameters<typeof getEntityGraph>[2], 'id'> = {
      hops: 1,
      limit: 500,
      include_allowlisted: false,
      job: null,
      via: '',
      only: [] as never[],
      q: '',
      job_edges: true,
      fold_aliases: false,
    };
    const graphOf = async (viewer: Actor, id: number, over: Partial<Parameters<typeof getEntityGraph>[2]> = {}) =>
      operations.getEntityGraph.output.parse(await getEntityGraph(ports, viewer, { ...asked, id, ...over }));

    it('has the nodes and edges that a plain reading has, for every viewer, with a job and without', async () => {
      const { jobIds, ids, viewers, seenBy } = await world();
      const name = new Map(ids.map((id, place) => [id, place]));
      for (const viewer of viewers) {
        const seen = seenBy(viewer);
        for (const [focal, id] of ids.entries()) {
          for (const hops of [1, 2]) {
            const graph = await graphOf(viewer, id, { hops });
            expect(graph.n.id.map((one) => name.get(one)!).sort(ascending)).toEqual(
              reached(seen, focal, hops).sort(ascending),
            );
            const nodes = new Set(graph.n.id.map((one) => name.get(one)!));
            expect(edgesOf(graph)).toEqual(expectedEdges(seen, nodes, ids, null));
            expect(graph.stats).toMatchObject({ truncated: false, total_edges: graph.e.s.length, job_scoped: false });
          }
          for (const [nth, job] of jobIds.entries()) {
            const graph = await graphOf(viewer, id, { job });
            const isUsable = seen.includes(jobs[nth]!) && jobs[nth]!.names.includes(focal);
            expect(graph.n.id.map((one) => name.get(one)!).sort(ascending)).toEqual(
              isUsable ? jobs[nth]!.names.toSorted(ascending) : [],
            );
            if (!isUsable) continue;
            expect(edgesOf(graph)).toEqual(expectedEdges([jobs[nth]!], new Set(jobs[nth]!.names), ids, jobs[nth]!));
            expect(graph.stats).toMatchObject({ job_id: job, total_nodes: jobs[nth]!.names.length });
          }
        }
      }
    });

    it('has one node for what is the same, with the edges of all of it', async () => {
      const { jobIds, ids, viewers, seenBy } = await world();
      const groups = [
        [0, 9],
        [1, 10],
        [2, 11],
        [3, 12],
      ];
      for (const [head, other] of groups)
        await uniteEntities(ports, viewers[0]!, { id: ids[head!]!, entity_ids: [ids[other!]!] });
      const groupOf = (place: number): readonly number[] => groups.find((one) => one.includes(place)) ?? [place];
      const headOf = (place: number): number => groupOf(place)[0]!;
      const folded = (places: readonly number[]): number[] => [...new Set(places.map(headOf))];
      for (const viewer of viewers) {
        const seen = seenBy(viewer);
        for (const [focal, id] of ids.entries()) {
          for (const nth of [null, ...jobs.keys()]) {
            const only = nth === null ? null : jobs[nth]!;
            const graph = await graphOf(viewer, id, { fold_aliases: true, job: nth === null ? null : jobIds[nth]! });
            // That of a job that cannot be used is empty, as the graphs above.
            if (only !== null && !(seen.includes(only) && only.names.includes(focal))) continue;
            // What the walk meets from any of the group, with the heads of what it meets; then all of it by its heads.
            const within = only === null ? seen : [only];
            const met = groupOf(focal).flatMap((one) => reached(within, one, 1));
            const loaded = new Set(met.flatMap((place) => [place, headOf(place)]));
            const byHeads = ({ names, findings, edges, by }: NamingJob): NamingJob => ({
              by,
              names: folded(names.filter((place) => loaded.has(place))),
              findings: findings.map((one) => folded(one.filter((place) => loaded.has(place)))),
              edges: edges
                .filter(([source, , target]) => loaded.has(source) && loaded.has(target))
                .map(([source, type, target]) => [headOf(source), type, headOf(target)]),
            });
            const heads = folded([...loaded]);
            expect(graph.n.id.toSorted(ascending)).toEqual(heads.map((place) => ids[place]!).sort(ascending));
            expect(graph.focal).toBe(ids[headOf(focal)]);
            expect(edgesOf(graph)).toEqual(foldedEdges(within.map(byHeads), only === null ? jobs.map(byHeads) : null));
            const others = graph.n.al?.map(([place, ...rest]) => [graph.n.id[place!], ...rest]) ?? [];
            expect(others.toSorted(([a], [b]) => a! - b!)).toEqual(
              groups.filter(([head]) => heads.includes(head!)).map((group) => group.map((place) => ids[place])),
            );

            /** Edges among the heads, relationships of one type between two as one. */
            function foldedEdges(visible: readonly NamingJob[], all: readonly NamingJob[] | null): string[] {
              const own = expectedEdges(visible, new Set(heads), ids, { ...visible[0]!, edges: [] });
              const sums = new Map<string, number>();
              for (const [source, type, target] of (all ?? visible).flatMap((one) => one.edges)) {
                if (source === target) continue;
                const key = `${ids[source]} ${ids[target]} ${edgeCode(type)}`;
                sums.set(key, (sums.get(key) ?? 0) + 3);
              }
              return [...own, ...[...sums].map(([key, sum]) => `${key} ${sum}`)].sort();
            }
          }
        }
      }
    });

    it('meets the strongest first, hides what is allowlisted, and says what it leaves out', async () => {
      const { ids, viewers } = await world();
      const stranger = viewers[3]!;
      // A program and an address, which tell most of an account; 4, which as many jobs name as name 1, is neither.
      const two = await graphOf(stranger, ids[0]!, { limit: 2 });
      expect(two.n.id).toEqual([ids[0], ids[1], ids[5]]);
      expect(await graphOf(stranger, ids[0]!, { only: ['runs_as'] })).toMatchObject({ n: { id: [ids[0], ids[1]] } });
      const typed = await graphOf(stranger, ids[0]!, { only: ['typed'] });
      // That 0 loads 9 is for every member to know, though nobody else may see the job that tells it.
      expect(typed.n.id.toSorted(ascending)).toEqual([0, 1, 2, 3, 9].map((place) => ids[place]!).sort(ascending));
      expect(typed.n.sv[0]).toBe(2);
      expect(typed.n.sv[typed.n.id.indexOf(ids[9]!)]).toBe(0);
      const followed = await countGraphNeighbours(ports, stranger, {
        id: ids[0]!,
        job: null,
        include_allowlisted: false,
      });
      expect(followed.groups).toEqual([
        { kind: 'typed', rel_type: 'parent_of', neighbours: 1, is_floor: false },
        { kind: 'typed', rel_type: 'runs_as', neighbours: 1, is_floor: false },
        { kind: 'typed', rel_type: 'connects_to', neighbours: 1, is_floor: false },
        { kind: 'typed', rel_type: 'loads', neighbours: 1, is_floor: false },
        { kind: 'finding', rel_type: null, neighbours: 2, is_floor: false },
        { kind: 'job', rel_type: null, neighbours: 6, is_floor: false },
      ]);
      await allowlistEntities(ports, stranger, { entity_ids: [ids[1]!, ids[0]!], value: true, reason: '' });
      const hidden = await graphOf(stranger, ids[0]!);
      expect(hidden.n.id.toSorted(ascending)).toEqual([0, 2, 3, 4, 5, 6].map((place) => ids[place]!).sort(ascending));
      expect(hidden.n.fl[0]! & graphFlags.allowlisted).toBeGreaterThan(0);
      expect(await graphOf(stranger, ids[0]!, { include_allowlisted: true, q: '6' })).toMatchObject({
        n: { mt: [expect.any(Number)] },
      });
      await expect(graphOf(stranger, 2_000_000_000)).rejects.toMatchObject({ code: 'not_found' });
      const file = new TextDecoder().decode(
        await exportEntityGraph(ports, stranger, { ...asked, id: ids[0]!, only: [], limit: 100, mixed: true }),
      );
      for (const id of hidden.n.id) expect(file).toContain(`<node id="e${id}">`);
      expect(file.match(/<node /g)).toHaveLength(hidden.n.id.length);
      expect(file.match(/<edge /g)).toHaveLength(hidden.e.s.length);
      expect(file).toContain('edgedefault="undirected"');
      expect(file.match(/ directed="true"/g)).toHaveLength(hidden.e.k.filter((code) => code > 1).length);
    });

    it('has the shortest ways between two, along what the viewer sees', async () => {
      const { ids, viewers } = await world();
      const [mine, , , stranger] = viewers;
      const way = (viewer: Actor, from: number, to: number, over: object = {}) =>
        findGraphPath(ports, viewer, {
          from: ids[from]!,
          to: ids[to]!,
          max: 6,
          kinds: 'typed',
          include_allowlisted: false,
          job: null,
          ...over,
        });
      expect(await way(stranger!, 3, 2)).toMatchObject({ steps: 2, paths: [[ids[3], ids[0], ids[2]]] });
      expect((await way(stranger!, 3, 2)).edges.map(({ rel_type: type }) => String(type)).sort()).toEqual([
        'connects_to',
        'parent_of',
      ]);
      // Relationships are for every member to know, rule matches of private jobs are not.
      expect(await way(stranger!, 5, 8)).toMatchObject({ steps: 3 });
      expect(await way(stranger!, 1, 5)).toMatchObject({ steps: null, paths: [], is_complete: true });
      const weaker = { kinds: 'typed,finding' };
      expect(await way(stranger!, 1, 5, weaker)).toMatchObject({ steps: 1, edges: [{ kind: 'finding', weight: 1 }] });
      expect(await way(stranger!, 0, 7, weaker)).toMatchObject({ steps: 4 });
      expect(await way(mine!, 0, 7, weaker)).toMatchObject({ steps: 1, edges: [{ kind: 'finding' }] });
      expect(await way(stranger!, 0, 7, { ...weaker, max: 3 })).toMatchObject({ steps: null });
      await allowlistEntities(ports, stranger!, { entity_ids: [ids[0]!, ids[3]!], value: true, reason: '' });
      expect(await way(stranger!, 3, 2)).toMatchObject({ steps: null });
      expect(await way(stranger!, 3, 0)).toMatchObject({ steps: 1 });
    });
  });
}
