import type { InputOf, operations } from '@svc/contracts';
import { graphLimits, type Actor } from '@svc/domain';
import { buildGraph, emptyGraph } from '../intel/graph/build-graph.ts';
import { graphml } from '../intel/graph/graphml.ts';
import type { Ports } from '../ports/ports.ts';
import { caseGraphSubject } from './case-graph-subject.ts';

/** The whole graph of a case as GraphML in UTF-8 (resolved-intel 7.10). */
export async function exportCaseGraph(
  ports: Pick<Ports, 'caseContents' | 'caseStory' | 'cases' | 'entityAliases' | 'entityGraphs'>,
  actor: Actor,
  input: InputOf<typeof operations.exportCaseGraph>,
): Promise<Uint8Array> {
  const most = { nodes: graphLimits.graphmlNodes, edges: graphLimits.graphmlEdges };
  const { asked } = await caseGraphSubject(ports, actor, { ...input, most });
  const graph =
    asked === null
      ? emptyGraph('case', true)
      : await buildGraph(ports, actor, { ...asked, jobEdges: true, search: null });
  return new TextEncoder().encode(graphml(graph, input.mixed));
}
