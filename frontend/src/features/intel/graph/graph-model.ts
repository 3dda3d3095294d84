import type { EntityGraph } from '@svc/contracts';
import type { FoundPath } from '../../../api/intel.ts';
import {
  edgeMeaning,
  entityFlags,
  entityTypes,
  graphFlags,
  graphSubtypes,
  graphVerdicts,
  meetsEntitySearch,
  otherTactic,
  parseEntitySearch,
  relationshipLabels,
  severities,
  tactics,
  type EntityAttributeKey,
  type EntityType,
  type GraphKind,
  type RelationshipKind,
  type Severity,
  type TacticGroup,
  type Verdict,
} from '@svc/domain';

export interface GraphNode {
  readonly id: number;
  readonly label: string;
  readonly type: EntityType;
  readonly attributes: readonly EntityAttributeKey[];
  readonly tags: readonly string[];
  readonly isWatched: boolean;
  readonly isAllowlisted: boolean;
  readonly jobCount: number;
  /** Others that are the same, and folded into it. */
  readonly aliases: number;
  /** The worst of visible findings that name it. */
  readonly severity: Severity | null;
  /** What enrichment services think of it. */
  readonly verdict: Verdict;
  readonly tactic: TacticGroup | null;
  /** Cases that hold it, but for the one that is looked at. */
  readonly cases: readonly number[];
}

export interface GraphEdge {
  readonly key: string;
  readonly source: number;
  readonly target: number;
  readonly kind: GraphKind;
  readonly type: RelationshipKind | null;
  readonly weight: number;
}

const tacticGroups: readonly TacticGroup[] = [...tactics, otherTactic];

/** What is loaded, from however many answers. */
export interface GraphModel {
  readonly nodes: ReadonlyMap<number, GraphNode>;
  readonly edges: readonly GraphEdge[];
  /** Nodes that the service says meet the query; null where it was not asked. */
  readonly met: ReadonlySet<number> | null;
}

/** Answers as one graph: nodes by their entity, edges once each. */
export function graphModel(graphs: readonly EntityGraph[], more: readonly Pick<GraphModel, 'nodes' | 'edges'>[] = []) {
  const nodes = new Map<number, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let met: Set<number> | null = null;
  for (const graph of graphs) {
    for (const node of nodesOf(graph)) nodes.set(node.id, node);
    for (const edge of edgesOf(graph)) edges.set(edge.key, edge);
    if (graph.n.mt) met = new Set([...(met ?? []), ...graph.n.mt.map((place) => graph.n.id[place]!)]);
  }
  for (const part of more) {
    for (const node of part.nodes.values()) if (!nodes.has(node.id)) nodes.set(node.id, node);
    for (const edge of part.edges) if (!edges.has(edge.key)) edges.set(edge.key, edge);
  }
  return { nodes, edges: [...edges.values()], met } satisfies GraphModel;
}

/** Paths as a part of a graph, whose nodes tell no more than what they are. */
export function pathModel({ nodes, edges }: FoundPath): Pick<GraphModel, 'nodes' | 'edges'> {
  const unknown = { attributes: [], tags: [], isWatched: false, isAllowlisted: false, jobCount: 0, aliases: 0 };
  return {
    nodes: new Map(
      nodes.map(({ id, value, entity_type: type }) => [
        id,
        { id, label: value, type, ...unknown, severity: null, verdict: 'none', tactic: null, cases: [] },
      ]),
    ),
    edges: edges.map(({ source, target, kind, rel_type: type, weight }) => ({
      key: edgeKey(type ?? kind, source, target, kind === 'typed'),
      source,
      target,
      kind,
      type,
      weight,
    })),
  };
}

function edgeKey(by: string, source: number, target: number, isDirected: boolean): string {
  return isDirected || source < target ? `${by} ${source} ${target}` : `${by} ${target} ${source}`;
}

function nodesOf({ n, dict }: EntityGraph): GraphNode[] {
  const tagged = new Map(n.tg.map(([place = 0, ...tags]) => [place, tags.map((tag) => dict.tags[tag]!)]));
  const cases = new Map(n.ca?.map(([place = 0, ...ids]) => [place, ids]));
  const aliases = new Map(n.al?.map(([place = 0, ...others]) => [place, others.length]));
  return n.id.map((id, place) => {
    const flags = n.fl[place]!;
    const subtype = graphSubtypes[n.sub[place]! - 1];
    return {
      id,
      label: n.lb[place]!,
      type: entityTypes[n.ty[place]!] ?? 'user',
      attributes: [...(subtype ? [subtype] : []), ...entityFlags.filter((flag) => (flags & graphFlags[flag]) > 0)],
      tags: tagged.get(place) ?? [],
      isWatched: (flags & graphFlags.watchlist) > 0,
      isAllowlisted: (flags & graphFlags.allowlisted) > 0,
      jobCount: n.jc[place]!,
      aliases: aliases.get(place) ?? 0,
      severity: severities[n.sv[place]! - 1] ?? null,
      verdict: graphVerdicts[n.en?.[place] ?? 0] ?? 'none',
      tactic: tacticGroups[n.tc[place]! - 1] ?? null,
      cases: cases.get(place) ?? [],
    };
  });
}

function edgesOf({ n, e }: EntityGraph): GraphEdge[] {
  return e.s.map((from, place) => {
    const { kind, type } = edgeMeaning(e.k[place]!);
    const [source, target] = [n.id[from]!, n.id[e.t[place]!]!];
    return {
      key: edgeKey(type ?? kind, source, target, kind === 'typed'),
      source,
      target,
      kind,
      type,
      weight: e.w[place]!,
    };
  });
}

/** What of a graph is not shown: it is taken out, and nothing else moves. */
export interface GraphHidden {
  readonly types: readonly EntityType[];
  /** Kinds that are not typed, and single relationship types. */
  readonly edges: readonly string[];
}

/** What an edge is called where it is hidden and shown. */
export function edgeName({ kind, type }: Pick<GraphEdge, 'kind' | 'type'>): string {
  return type ?? kind;
}

/** That name in words. */
export function edgeWords(name: string): string {
  if (name === 'finding') return 'same rule match';
  return name === 'job' ? 'same log' : relationshipLabels[name as RelationshipKind];
}

/** Nodes and edges that are shown; a node that only hidden edges lead to stays where it is. */
export function shownOf({ nodes, edges }: GraphModel, hidden: GraphHidden, focal: number | null) {
  const shown = [...nodes.values()].filter(({ id, type }) => id === focal || !hidden.types.includes(type));
  const ids = new Set(shown.map(({ id }) => id));
  const kept = edges.filter(
    (edge) => ids.has(edge.source) && ids.has(edge.target) && !hidden.edges.includes(edgeName(edge)),
  );
  return { nodes: shown, edges: kept };
}

/** Terms that only the service can decide. */
const ofService: ReadonlySet<string> = new Set(['job', 'list', 'seen', 'first', 'has', 'is', 're']);

/** Terms that ask for times are the service's. */
const noTime = new Date(0);

/** Whether a query has to be asked of the service. */
export function needsService(query: string): boolean {
  return parseEntitySearch(query).terms.some(({ condition }) => condition !== null && ofService.has(condition.key));
}

/** Ids of nodes that meet a query; null without one. */
export function matchesOf(model: GraphModel, query: string): ReadonlySet<number> | null {
  const { root, isRefused } = parseEntitySearch(query);
  if (root === null || isRefused) return null;
  if (needsService(query)) return model.met;
  const meets = ({ label, type, tags, attributes, jobCount }: GraphNode): boolean =>
    meetsEntitySearch(root, { value: label, type, tags, attributes, jobCount }, noTime) === true;
  return new Set([...model.nodes.values()].filter(meets).map(({ id }) => id));
}

/** Neighbours of a node by what joins them, the strongest first. */
export function neighboursOf(edges: readonly GraphEdge[], id: number) {
  return edges
    .filter(({ source, target }) => source === id || target === id)
    .map((edge) => ({ edge, other: edge.source === id ? edge.target : edge.source, isOut: edge.source === id }))
    .sort((a, b) => strength(a.edge) - strength(b.edge) || b.edge.weight - a.edge.weight || a.other - b.other);
}

function strength({ kind }: GraphEdge): number {
  return { typed: 0, finding: 1, job: 2 }[kind];
}
