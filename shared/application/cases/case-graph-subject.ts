import { graphLimits, type Actor } from '@svc/domain';
import type { GraphAsked } from '../intel/graph/build-graph.ts';
import type { Ports } from '../ports/ports.ts';
import { visibleCase } from './visible-case.ts';

interface CaseGraphSubject {
  readonly name: string;
  /** Null for a job that is missing, private or not in the case: nobody learns which. */
  readonly asked: Omit<GraphAsked, 'jobEdges' | 'search'> | null;
}

/** The members of a case that a graph is made of. Throws `case_not_found`. */
export async function caseGraphSubject(
  ports: Pick<Ports, 'caseContents' | 'caseStory' | 'cases'>,
  viewer: Actor,
  {
    id,
    job,
    include_allowlisted: includesAllowlisted,
    most,
  }: {
    readonly id: number;
    readonly job: number | null;
    readonly include_allowlisted: boolean;
    readonly most: GraphAsked['most'];
  },
): Promise<CaseGraphSubject> {
  const { name } = await visibleCase(ports, viewer, id);
  if (job !== null && !(await ports.caseContents.hasJob(viewer, id, job))) return { name, asked: null };
  const nodes = job === null ? most.nodes : Math.min(most.nodes, graphLimits.nodesOfJob);
  const scope = { job, hidesAllowlisted: !includesAllowlisted };
  const { members, total } = await ports.caseStory.members(id, { ...scope, most: nodes });
  return {
    name,
    asked: {
      ...scope,
      ofCase: { id, name, members: total },
      seeds: members,
      hops: 0,
      limit: 0,
      follow: [],
      most: { ...most, nodes },
      foldsAliases: false,
    },
  };
}
