import type { InputOf, operations } from '@svc/contracts';
import { graphLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { buildGraph, emptyGraph } from './graph/build-graph.ts';
import { graphml } from './graph/graphml.ts';
import { graphSubject, walkFrom } from './graph/graph-subject.ts';

/** The graph of an entity as GraphML in UTF-8, whatever of it a page hides. */
export async function exportEntityGraph(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityGraphs' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  input: InputOf<typeof operations.exportEntityGraph>,
): Promise<Uint8Array> {
  const subject = await graphSubject(ports, actor, input);
  const graph = subject.isUsable
    ? await buildGraph(ports, actor, {
        ...walkFrom(subject, input),
        jobEdges: true,
        most: { nodes: graphLimits.graphmlNodes, edges: graphLimits.graphmlEdges },
        search: null,
      })
    : emptyGraph('entity', true);
  return new TextEncoder().encode(graphml(graph, input.mixed));
}
