import type { EntityType } from '@svc/domain';

/** A look-up of several entities by one service, which a task does; its record says how far that is. */
export interface EnrichmentRun {
  readonly id: number;
  readonly serviceId: number;
  /** The case whose entities these are; null for those that somebody chose. */
  readonly caseId: number | null;
  /** Account that asked for it; null when that is gone. */
  readonly requestedBy: string | null;
  readonly entityIds: readonly number[];
  readonly createdAt: Date;
}

export interface EnrichmentRuns {
  add(run: Omit<EnrichmentRun, 'id'>): Promise<number>;
  get(id: number): Promise<EnrichmentRun | null>;
  /** The last of a case by each service. */
  lastOf(caseId: number): Promise<readonly EnrichmentRun[]>;
  /** Entities of a case of a type, at most so many; those of private networks left out. */
  entitiesOf(caseId: number, types: readonly EntityType[], most: number): Promise<readonly number[]>;
  /** Forgets those that began before; how many. */
  removeBegun(before: Date): Promise<number>;
}
