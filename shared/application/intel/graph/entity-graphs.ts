import type {
  Actor,
  EntityAttributeKey,
  EntityType,
  GraphKind,
  RelationshipKind,
  TacticGroup,
  Verdict,
} from '@svc/domain';
import type { EntityListSearch } from '../entity-lists.ts';

/** What a walk from entity to entity goes along: all relationships, or some types of them. */
export type Followed = GraphKind | RelationshipKind;

/** What a graph is narrowed to. */
export interface GraphScope {
  /** One that the viewer sees: what it names, and what it shows of how that is related. */
  readonly job: number | null;
  readonly hidesAllowlisted: boolean;
}

/** What one entity leads to, by one kind of edge. */
export interface Neighbour {
  readonly from: number;
  readonly id: number;
  readonly type: EntityType;
  readonly isAllowlisted: boolean;
  readonly kind: GraphKind;
  readonly weight: number;
}

export interface GraphNode {
  readonly id: number;
  readonly value: string;
  readonly type: EntityType;
  readonly attributes: readonly EntityAttributeKey[];
  readonly isWatched: boolean;
  readonly isAllowlisted: boolean;
  /** Of all jobs, private ones included. */
  readonly jobCount: number;
  readonly tags: readonly string[];
  /** The worst of visible findings that name it, 0 the worst; null where none does. */
  readonly severityRank: number | null;
  /** The one that most of these findings begin with. */
  readonly tactic: TacticGroup | null;
  /** The strongest that enrichment services gave it. */
  readonly verdict: Verdict;
  /** Cases that hold it and the viewer sees, newest updated first, at most `togetherLimits.cases`. */
  readonly cases: readonly number[];
}

export interface TypedEdge {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly type: RelationshipKind;
  /** Events of all jobs. */
  readonly occurrences: number;
}

/** Which of some entities jobs, or rule matches, name together. */
export interface Together {
  readonly groups: readonly (readonly number[])[];
  /** Those that name too much to say anything. */
  readonly suppressed: number;
  /** There may be more. */
  readonly isCut: boolean;
}

export interface NeighbourCount {
  /** A relationship type, where it is one. */
  readonly by: Exclude<Followed, 'typed'>;
  readonly neighbours: number;
  readonly isFloor: boolean;
}

/** The most that co-occurrence is counted in. */
export const togetherLimits = {
  /** Entities of a job or a match. */
  fanout: 300,
  /** Jobs, or matches, that are looked at. */
  groups: 5000,
  rows: 200_000,
  /** Neighbours of one entity that are ranked. */
  candidates: 500,
  /** Cases of one entity that are told of. */
  cases: 10,
} as const;

/**
 * Entities and what joins them. Typed relationships are for every member to know; jobs, findings and what these name
 * together are of what the viewer sees (resolved-intel 22).
 */
export interface EntityGraphs {
  /** What entities lead to, in no order: of each and each kind (or type) the `each` strongest. */
  neighbours(
    viewer: Actor,
    ids: readonly number[],
    how: GraphScope & { readonly follow: readonly Followed[]; readonly each: number },
  ): Promise<{ readonly found: readonly Neighbour[]; readonly isCut: boolean }>;
  /** How many an entity leads to, by kind and type. */
  counts(viewer: Actor, id: number, scope: GraphScope): Promise<readonly NeighbourCount[]>;
  /** In the order of the ids; those that are gone left out. */
  nodes(viewer: Actor, ids: readonly number[]): Promise<readonly GraphNode[]>;
  /** Typed relationships between these; of a job, those that it shows. */
  related(
    ids: readonly number[],
    how: { readonly job: number | null; readonly most: number },
  ): Promise<readonly TypedEdge[]>;
  together(
    viewer: Actor,
    ids: readonly number[],
    how: { readonly job: number | null; readonly by: 'job' | 'finding' },
  ): Promise<Together>;
  /** Those that meet a search. */
  meeting(viewer: Actor, ids: readonly number[], search: EntityListSearch): Promise<readonly number[]>;
}
