import type { Actor, Severity } from '@svc/domain';
import type { RelationshipType } from '@svc/engine';
import type { EntityPart, OtherEntity } from './entity-links.ts';

/** How one entity is related to another, as every member knows it. */
export interface Relationship {
  readonly id: number;
  readonly type: RelationshipType;
  readonly source: OtherEntity;
  readonly target: OtherEntity;
  /** Events of all jobs. */
  readonly occurrences: number;
  /** When the first and the last job that show it were analysed. */
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** A job that names both ends. */
export interface EvidenceJob {
  readonly jobId: number;
  /** Null where none of its events shows the relationship. */
  readonly shown: {
    readonly occurrences: number;
    readonly failed: number;
    readonly from: Date | null;
    readonly to: Date | null;
    readonly events: readonly Readonly<Record<string, unknown>>[];
  } | null;
  /** The worst whose matched events name both ends. */
  readonly findings: readonly { readonly id: number; readonly ruleName: string; readonly severity: Severity }[];
}

/** What shows relationships: of jobs that the viewer sees, and of no others (resolved-intel 6.3, 22). */
export interface RelationshipEvidence {
  get(id: number): Promise<Relationship | null>;
  /** Those that show it before those that only name both ends, the newest first. */
  jobs(
    viewer: Actor,
    of: Relationship,
    part: EntityPart,
  ): Promise<{ page: number; total: number; jobs: readonly EvidenceJob[] }>;
  /** How much of it there is, and from when to when; null where no event tells a time. */
  span(viewer: Actor, id: number): Promise<{ occurrences: number; jobs: number; from: Date | null; to: Date | null }>;
}
