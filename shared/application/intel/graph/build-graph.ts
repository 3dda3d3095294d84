import {
  entityTypes,
  graphFlags,
  graphSubtypes,
  graphVerdicts,
  otherTactic,
  tactics,
  type Actor,
  type EntityType,
} from '@svc/domain';
import type { EntityGraph } from '@svc/contracts';
import type { Ports } from '../../ports/ports.ts';
import type { EntityListSearch } from '../entity-lists.ts';
import type { Followed, GraphNode, GraphScope, Together } from './entity-graphs.ts';
import { othersOf } from '../unite-entities.ts';
import { foldJoins, foldNodes, headOf } from './fold-aliases.ts';
import { joinNodes } from './join-nodes.ts';
import { walkGraph } from './walk-graph.ts';

export interface GraphAsked extends GraphScope {
  /** Where the graph is that of a case: what that is, and how many members it has, of which the seeds are those that are shown. */
  readonly ofCase?: { readonly id: number; readonly name: string; readonly members: number };
  /** Where the walk begins; of a case without a hop. */
  readonly seeds: readonly { readonly id: number; readonly type: EntityType }[];
  readonly hops: number;
  readonly limit: number;
  readonly follow: readonly Followed[];
  readonly jobEdges: boolean;
  readonly most: { readonly nodes: number; readonly edges: number };
  /** Entities that are the same are one node; the seeds are then all of a group. */
  readonly foldsAliases: boolean;
  /** Which nodes are told of as meeting it. */
  readonly search: EntityListSearch | null;
}

/** No more edges are counted than this; there may be more then. */
const edgeProbe = 50_000;
const nothing: Together = { groups: [], suppressed: 0, isCut: false };
const noKinds = { job: 0, finding: 0, typed: 0 };

/** Entities from the seeds on, and all that joins them (resolved-intel 7.3 to 7.6). */
export async function buildGraph(
  ports: Pick<Ports, 'entityAliases' | 'entityGraphs'>,
  viewer: Actor,
  asked: GraphAsked,
): Promise<EntityGraph> {
  const { ofCase, seeds, job, most } = asked;
  const scope = ofCase ? 'case' : 'entity';
  const first = ofCase ? null : seeds[0]!;
  const walked = await walkGraph(ports, viewer, {
    ...asked,
    seeds: seeds.map(({ id }) => id),
    type: first?.type ?? 'user',
    hops: first === null ? 0 : asked.hops,
    mostNodes: most.nodes,
  });
  const groups = asked.foldsAliases ? await ports.entityAliases.groupsOf(walked.ids) : new Map<number, never>();
  const heads = walked.ids.map((id) => headOf(groups, id));
  const ids = [...new Set([...walked.ids, ...heads])];
  const all = { job, by: 'job' } as const;
  const [found, typed, byFinding, byJob, meeting, total] = await Promise.all([
    ports.entityGraphs.nodes(viewer, ids),
    ports.entityGraphs.related(ids, { job, most: edgeProbe + 1 }),
    ports.entityGraphs.together(viewer, ids, { job, by: 'finding' }),
    asked.jobEdges && job === null ? ports.entityGraphs.together(viewer, ids, all) : nothing,
    asked.search && ports.entityGraphs.meeting(viewer, ids, asked.search),
    totalNodes(ports, viewer, asked),
  ]);
  const jobs = asked.jobEdges ? (job === null ? byJob.groups : ('all' as const)) : null;
  const nodes = foldNodes(found, groups);
  const focal = first && headOf(groups, first.id);
  const joined = joinNodes(
    nodes.map(({ id }) => id),
    focal,
    foldJoins({ typed, findings: byFinding.groups, jobs }, groups),
    most.edges,
  );
  const isEdgeCut = joined.edges.length < joined.total;
  const isNodeCut = walked.isCut || (ofCase !== undefined && ofCase.members > nodes.length);
  const cut = [...(isNodeCut ? ['nodes'] : []), ...(isEdgeCut ? ['edges'] : [])].join('+');
  const met = meeting && new Set(meeting.map((id) => headOf(groups, id)));
  const others = nodes.map(({ id }, place) => [place, ...othersOf(groups, id).map((other) => other.id)]);
  return {
    v: 1,
    scope,
    ...(ofCase && { case_name: ofCase.name }),
    focal,
    ...nodeColumns(
      nodes,
      focal,
      met,
      others.filter((row) => row.length > 1),
      ofCase?.id,
    ),
    e: {
      s: joined.edges.map(({ source }) => source),
      t: joined.edges.map(({ target }) => target),
      k: joined.edges.map(({ code }) => code),
      w: joined.edges.map(({ weight }) => weight),
      rid: joined.edges.map(({ id }) => id),
    },
    // A case has many hashes, which say little beside what they are of.
    defaults: { hidden_types: scope === 'case' ? ['hash'] : [], hidden_kinds: ['job'] },
    stats: {
      nodes: nodes.length,
      edges: joined.edges.length,
      total_nodes: total,
      total_edges: Math.min(joined.total, edgeProbe),
      total_edges_is_floor: joined.total > edgeProbe || byFinding.isCut || byJob.isCut,
      hops_used: walked.hopsUsed,
      truncated: cut !== '',
      truncated_reason: cut as EntityGraph['stats']['truncated_reason'],
      job_edges: asked.jobEdges,
      job_fanout_suppressed: byJob.suppressed,
      finding_fanout_suppressed: byFinding.suppressed,
      job_id: job,
      job_scoped: job !== null,
      kinds: joined.kinds,
    },
    notices: [],
  };
}

/** The answer for a job that cannot be used: never that for all jobs. */
export function emptyGraph(scope: 'entity' | 'case', jobEdges: boolean): EntityGraph {
  return {
    v: 1,
    scope,
    focal: null,
    ...nodeColumns([], null, null, []),
    e: { s: [], t: [], k: [], w: [], rid: [] },
    defaults: { hidden_types: [], hidden_kinds: ['job'] },
    stats: {
      nodes: 0,
      edges: 0,
      total_nodes: 0,
      total_edges: 0,
      total_edges_is_floor: false,
      hops_used: 0,
      truncated: false,
      truncated_reason: '',
      job_edges: jobEdges,
      job_fanout_suppressed: 0,
      finding_fanout_suppressed: 0,
      job_id: null,
      job_scoped: true,
      kinds: noKinds,
    },
    notices: [],
  };
}

/** How many there are on the whole: of a job and of a case it is known. */
async function totalNodes(
  { entityGraphs }: Pick<Ports, 'entityGraphs'>,
  viewer: Actor,
  { ofCase, seeds, job, hidesAllowlisted, foldsAliases }: GraphAsked,
): Promise<number | null> {
  if (ofCase) return ofCase.members;
  // Of several seeds, and of what they lead to, some may be the same.
  if (job === null || foldsAliases) return null;
  const counts = await entityGraphs.counts(viewer, seeds[0]!.id, { job, hidesAllowlisted });
  return 1 + (counts.find(({ by }) => by === 'job')?.neighbours ?? 0);
}

function nodeColumns(
  nodes: readonly GraphNode[],
  focal: number | null,
  met: ReadonlySet<number> | null,
  aliases: readonly (readonly number[])[],
  /** The case that is looked at, which need not be told of. */
  shownCase?: number,
): Pick<EntityGraph, 'n' | 'dict'> {
  const tags = [...new Set(nodes.flatMap((node) => node.tags))].sort();
  const tagPlaces = new Map(tags.map((tag, place) => [tag, place]));
  const named = nodes.map((node, place) => [place, ...node.tags.map((tag) => tagPlaces.get(tag)!)]);
  const casesOf = nodes.map(({ cases }) => cases.filter((id) => id !== shownCase));
  const inCases = casesOf.map((cases, place) => [place, ...cases]).filter((row) => row.length > 1);
  const verdicts = nodes.map(({ verdict }) => graphVerdicts.indexOf(verdict));
  return {
    n: {
      id: nodes.map(({ id }) => id),
      lb: nodes.map(({ value }) => value),
      ty: nodes.map(({ type }) => entityTypes.indexOf(type)),
      sub: nodes.map(({ attributes }) => 1 + graphSubtypes.findIndex((key) => attributes.includes(key))),
      fl: nodes.map((node, place) =>
        flagsOf(node, { isFocal: node.id === focal, isInCase: casesOf[place]!.length > 0 }),
      ),
      jc: nodes.map(({ jobCount }) => jobCount),
      sv: nodes.map(({ severityRank }) => (severityRank === null ? 0 : 1 + severityRank)),
      tc: nodes.map(({ tactic }) => (tactic === null ? 0 : 1 + [...tactics, otherTactic].indexOf(tactic))),
      tg: named.filter((row) => row.length > 1),
      ...(verdicts.some((place) => place > 0) && { en: verdicts }),
      ...(inCases.length > 0 && { ca: inCases }),
      ...(aliases.length > 0 && { al: aliases.map((row) => [...row]) }),
      ...(met && { mt: nodes.flatMap(({ id }, place) => (met.has(id) ? [place] : [])) }),
    },
    dict: { tags },
  };
}

function flagsOf(
  { isWatched, isAllowlisted, attributes }: GraphNode,
  { isFocal, isInCase }: { readonly isFocal: boolean; readonly isInCase: boolean },
): number {
  const names = new Set<string>(attributes);
  if (isWatched) names.add('watchlist');
  if (isAllowlisted) names.add('allowlisted');
  if (isFocal) names.add('focal');
  if (isInCase) names.add('in_case');
  return Object.entries(graphFlags).reduce((bits, [name, bit]) => (names.has(name) ? bits + bit : bits), 0);
}
