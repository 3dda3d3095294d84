import type { Actor, EntityType, Severity, SeveritySummary } from '@svc/domain';
import type { RelationshipType } from '@svc/engine';

/** A part of a list by its number, from 1; past the end the last one. */
export interface EntityPart {
  readonly page: number;
  readonly per: number;
}

export interface EntityJob {
  readonly jobId: number;
  /** Events of the job that name it; of several, the one that most do. */
  readonly occurrences: number;
}

export interface EntityFinding {
  readonly id: number;
  readonly jobId: number;
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly count: number;
  /** Of its matched events those that the instance has suppressed. */
  readonly suppressed: number;
  readonly tool: string;
  readonly hasDetails: boolean;
}

/** A finding with what it names. */
export interface NamingFinding extends EntityFinding {
  /** What the most jobs name first. */
  readonly named: readonly (OtherEntity & { readonly jobCount: number })[];
  /** Of all that it names. */
  readonly totalNamed: number;
}

export interface OtherEntity {
  readonly id: number;
  readonly value: string;
  readonly type: EntityType;
}

export interface EntityRelation {
  readonly id: number;
  readonly type: RelationshipType;
  /** Whether the other is its target. */
  readonly isOut: boolean;
  readonly other: OtherEntity;
  readonly occurrences: number;
  readonly lastSeenAt: Date;
}

export interface EntityTogether extends OtherEntity {
  readonly isAllowlisted: boolean;
  /** Visible jobs that name both. */
  readonly jobs: number;
}

/** That a job names an entity: when, and what its findings say that name it, too. */
export interface Sighting {
  readonly jobId: number;
  /** The first event of the job that shows it; of one whose events tell no time, none. */
  readonly seenAt: Date | null;
  readonly createdAt: Date;
  readonly findings: SeveritySummary;
}

/** What the heuristics found of one kind in jobs that name an entity. */
export interface ThreatsBeside {
  readonly category: string;
  readonly label: string;
  readonly jobs: number;
  readonly worst: Severity;
  readonly indicators: number;
  /** Whether one of them says its value. */
  readonly isDirect: boolean;
}

/** A way in which things are related to an entity, the strongest of them and how many there are. */
export interface Associated extends Pick<EntityRelation, 'type' | 'isOut'> {
  readonly total: number;
  readonly strongest: readonly Pick<EntityRelation, 'other' | 'occurrences'>[];
}

export interface RelationsWanted {
  readonly job: number | null;
  /** Null for all. */
  readonly kinds: readonly RelationshipType[] | null;
  /** When events of visible jobs show them. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly most: number;
}

/** What hangs on an entity: of jobs and findings only those that the viewer sees (resolved-intel 5, 22). */
export interface EntityLinks {
  /** That name any of some entities, newest first; of some alone where they are given. */
  jobs(
    viewer: Actor,
    entityIds: readonly number[],
    part: EntityPart & { readonly among: readonly number[] | null },
  ): Promise<{ page: number; total: number; jobs: readonly EntityJob[] }>;
  /** Of the newest visible jobs, newest first; `isCut` where there are more. */
  sightings(viewer: Actor, entityId: number): Promise<{ sightings: readonly Sighting[]; isCut: boolean }>;
  /**
   * That name any of some entities, newest job first, then the worst, then by name; of one job where it is given. Those
   * that count, or those of which all matches are suppressed.
   */
  findings(
    viewer: Actor,
    entityIds: readonly number[],
    part: EntityPart & { readonly job: number | null; readonly areSuppressed: boolean },
  ): Promise<{ page: number; total: number; totalSuppressed: number; findings: readonly EntityFinding[] }>;
  /** That count, of one job, the worst first, then by name; of each so many at most of what it names. */
  ofJob(
    jobId: number,
    part: EntityPart & { readonly severity: Severity | null; readonly entityId: number | null; readonly most: number },
  ): Promise<{ page: number; total: number; findings: readonly NamingFinding[] }>;
  /**
   * Relationships in canonical order, out before in, the strongest first; with a job those whose other end it names.
   * `total` is of all; no direction has more than `most`. `kinds` are the types that there are, with what the window
   * leaves of each.
   */
  relations(
    viewer: Actor,
    entityId: number,
    wanted: RelationsWanted,
  ): Promise<{
    total: number;
    isCapped: boolean;
    relations: readonly EntityRelation[];
    kinds: ReadonlyMap<RelationshipType, number>;
  }>;
  /** Of some ways those that there are, with so many of each at most; everybody’s, as relationships are. */
  associated(
    entityId: number,
    ways: readonly Pick<Associated, 'type' | 'isOut'>[],
    most: number,
  ): Promise<readonly Associated[]>;
  /** Of its newest visible jobs, what most of them have first. */
  threats(viewer: Actor, entity: { readonly id: number; readonly value: string }): Promise<readonly ThreatsBeside[]>;
  /** What is named in the most of its newest visible jobs, too. */
  together(viewer: Actor, entityId: number, limit: number): Promise<readonly EntityTogether[]>;
  /** Tags and matched events of the findings that name it, in so many rows as there are lists of tags. */
  tagCounts(
    viewer: Actor,
    entityId: number,
    job: number | null,
  ): Promise<readonly { readonly tags: readonly string[]; readonly count: number }[]>;
  /** The same of all findings of visible jobs that have ended with a report, whatever they name. */
  allTagCounts(viewer: Actor): ReturnType<EntityLinks['tagCounts']>;
  /** What `jobs`, `findings` that count and, of the one entity, `relations` are in all. */
  counts(
    viewer: Actor,
    entityId: number,
    of: { readonly entityIds: readonly number[]; readonly job: number | null },
  ): Promise<{ readonly jobs: number; readonly findings: number; readonly relations: number }>;
  /** The visible job that names it, if there is exactly one. */
  onlyJob(viewer: Actor, entityId: number): Promise<number | null>;
  /** Whether the job names it. */
  isOf(entityId: number, jobId: number): Promise<boolean>;
}
