import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { edgeMeaning, graphLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { togetherLimits, type Followed, type Neighbour } from './graph/entity-graphs.ts';
import { graphSubject } from './graph/graph-subject.ts';
import { joinNodes } from './graph/join-nodes.ts';
import { shortestPaths } from './graph/shortest-paths.ts';

type Found = OutputOf<typeof operations.findGraphPath>;
const none: Found = { steps: null, paths: [], is_capped: false, is_complete: true, nodes: [], edges: [] };

/** The shortest ways between two entities, beyond what a page has loaded (resolved-intel 7.8); jobs carry none. */
export async function findGraphPath(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityGraphs' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  input: InputOf<typeof operations.findGraphPath>,
): Promise<Found> {
  const { from, to, max, job: asked } = input;
  const start = await graphSubject(ports, actor, { id: from, job: asked });
  const end = await graphSubject(ports, actor, { id: to, job: asked });
  if (!start.isUsable || !end.isUsable) return none;
  const { job } = start;
  const follow: Followed[] = input.kinds === 'typed' ? ['typed'] : ['typed', 'finding'];
  // Whoever asks for a way to something that is allowlisted means it; others are no stations.
  const isStation = ({ id, isAllowlisted }: Neighbour): boolean =>
    input.include_allowlisted || !isAllowlisted || id === from || id === to;
  const step = async (ids: readonly number[]) => {
    const how = { job, hidesAllowlisted: false, follow, each: graphLimits.pathNodes };
    const { found, isCut } = await ports.entityGraphs.neighbours(actor, ids, how);
    return { found: found.filter(isStation), isCut };
  };
  const limits = { steps: max, paths: graphLimits.paths, nodes: graphLimits.pathNodes };
  const way = await shortestPaths({ from, to }, step, limits);
  const ids = [...new Set(way.paths.flat())];
  const nodes = await ports.entityGraphs.nodes(actor, ids);
  return {
    steps: way.steps,
    paths: way.paths.map((path) => [...path]),
    is_capped: way.isCapped,
    is_complete: way.isComplete,
    nodes: nodes.map(({ id, value, type }) => ({ id, value, entity_type: type })),
    edges: await edgesOf(ports, actor, way.paths, { ids: nodes.map(({ id }) => id), job, follow }),
  };
}

/** What joins the entities of paths that follow one another there. */
async function edgesOf(
  { entityGraphs }: Pick<Ports, 'entityGraphs'>,
  actor: Actor,
  paths: readonly (readonly number[])[],
  { ids, job, follow }: { ids: readonly number[]; job: number | null; follow: readonly Followed[] },
): Promise<Found['edges']> {
  const steps = new Set(paths.flatMap((path) => path.slice(1).map((id, place) => pairOf(path[place]!, id))));
  const typed = await entityGraphs.related(ids, { job, most: togetherLimits.rows });
  const { groups } = follow.includes('finding')
    ? await entityGraphs.together(actor, ids, { job, by: 'finding' })
    : { groups: [] };
  const { edges } = joinNodes(ids, null, { typed, findings: groups, jobs: null }, togetherLimits.rows);
  return edges.flatMap(({ source, target, code, weight, id }) => {
    const { kind, type } = edgeMeaning(code);
    if (kind === 'job' || !steps.has(pairOf(ids[source]!, ids[target]!))) return [];
    const relationship =
      type === null ? { rel_type: null, relationship_id: null } : { rel_type: type, relationship_id: id };
    return [{ source: ids[source]!, target: ids[target]!, kind, ...relationship, weight }];
  });
}

function pairOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
