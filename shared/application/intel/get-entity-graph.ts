import type { EntityGraph, InputOf, operations } from '@svc/contracts';
import { graphLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { buildGraph, emptyGraph } from './graph/build-graph.ts';
import { graphSubject, walkFrom } from './graph/graph-subject.ts';
import { planGraphSearch } from './graph/plan-graph-search.ts';

/** What surrounds an entity, and what joins all of that (resolved-intel 7.4). */
export async function getEntityGraph(
  ports: Pick<
    Ports,
    'clock' | 'entities' | 'entityAliases' | 'entityGraphs' | 'entityLinks' | 'jobViews' | 'ruleLists'
  >,
  actor: Actor,
  input: InputOf<typeof operations.getEntityGraph>,
): Promise<EntityGraph> {
  const { q, job_edges: jobEdges } = input;
  const subject = await graphSubject(ports, actor, input);
  if (!subject.isUsable) return emptyGraph('entity', jobEdges);
  const plan = await planGraphSearch(ports, actor, q);
  const graph = await buildGraph(ports, actor, {
    ...walkFrom(subject, input),
    jobEdges,
    most: { nodes: subject.job === null ? graphLimits.nodes : graphLimits.nodesOfJob, edges: graphLimits.edges },
    search: plan?.search ?? null,
  });
  return { ...graph, notices: [...(plan?.notices ?? [])] };
}
