import type { EntityGraph, InputOf, operations } from '@svc/contracts';
import { graphLimits, type Actor } from '@svc/domain';
import { buildGraph, emptyGraph } from '../intel/graph/build-graph.ts';
import { planGraphSearch } from '../intel/graph/plan-graph-search.ts';
import type { Ports } from '../ports/ports.ts';
import { caseGraphSubject } from './case-graph-subject.ts';

/** The entities of a case and what joins them (resolved-intel 7.5). */
export async function getCaseGraph(
  ports: Pick<
    Ports,
    'caseContents' | 'caseStory' | 'cases' | 'clock' | 'entityAliases' | 'entityGraphs' | 'jobViews' | 'ruleLists'
  >,
  actor: Actor,
  input: InputOf<typeof operations.getCaseGraph>,
): Promise<EntityGraph> {
  const { q, job_edges: jobEdges } = input;
  const most = { nodes: graphLimits.nodes, edges: graphLimits.edges };
  const { name, asked } = await caseGraphSubject(ports, actor, { ...input, most });
  if (asked === null) return { ...emptyGraph('case', jobEdges), case_name: name };
  const plan = await planGraphSearch(ports, actor, q);
  const graph = await buildGraph(ports, actor, { ...asked, jobEdges, search: plan?.search ?? null });
  return { ...graph, notices: [...(plan?.notices ?? [])] };
}
