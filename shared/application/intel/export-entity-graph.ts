import type { InputOf, operations } from '@svc/contracts';
import { graphLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { buildGraph, emptyGraph } from './graph/build-graph.ts';
import { graphml } from './graph/graphml.ts';
import { followed, graphSubject } from './graph/graph-subject.ts';

/** The graph of an entity as GraphML in UTF-8, whatever of it a page hides. */
export async function exportEntityGraph(
  ports: Pick<Ports, 'entities' | 'entityGraphs' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  input: InputOf<typeof operations.exportEntityGraph>,
): Promise<Uint8Array> {
  const { seed, job, isUsable } = await graphSubject(ports, actor, input);
  const graph = isUsable
    ? await buildGraph(ports, actor, {
        scope: 'entity',
        seeds: [seed],
        job,
        hidesAllowlisted: !input.include_allowlisted,
        hops: input.hops,
        limit: input.limit,
        follow: followed(input),
        jobEdges: true,
        most: { nodes: graphLimits.graphmlNodes, edges: graphLimits.graphmlEdges },
        search: null,
      })
    : emptyGraph('entity', true);
  return new TextEncoder().encode(graphml(graph, input.mixed));
}
