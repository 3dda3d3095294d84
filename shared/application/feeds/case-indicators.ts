import type { Actor } from '@svc/domain';

/** That the events of a job of a case name an entity of it. */
export interface CaseSighting {
  readonly entityId: number;
  readonly jobId: number;
  /** When the job was submitted. */
  readonly at: Date;
  readonly events: number;
}

/** What documents about a case read of it. */
export interface CaseIndicators {
  /** Ids of its entities, the first linked first, and how many there are. */
  entities(caseId: number, most: number): Promise<{ readonly ids: readonly number[]; readonly total: number }>;
  /** Of these entities, in jobs of the case that the viewer sees, by job. */
  sightings(
    viewer: Actor,
    caseId: number,
    wanted: { readonly ids: readonly number[]; readonly most: number },
  ): Promise<readonly CaseSighting[]>;
  /** In how many of these jobs each entity is; those in none are left out. */
  jobCounts(viewer: Actor, caseId: number, ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
