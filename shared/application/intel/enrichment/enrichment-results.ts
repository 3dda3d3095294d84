import type { EnrichmentSummary, Verdict } from '@svc/domain';

/** What a service has said of an entity, or why it has not. */
export interface EnrichmentResult {
  readonly entityId: number;
  readonly serviceId: number;
  readonly ok: boolean;
  readonly summary: EnrichmentSummary;
  readonly verdict: Verdict;
  /** Why there is no answer. */
  readonly error: string | null;
  readonly fetchedAt: Date;
  readonly expiresAt: Date;
  readonly hasRaw: boolean;
}

export interface EnrichmentResults {
  /** Of an entity, by every service. */
  of(entityId: number): Promise<readonly EnrichmentResult[]>;
  /** The answer as the text that it was, and when; null where there is none. */
  raw(entityId: number, serviceId: number): Promise<{ readonly raw: string; readonly fetchedAt: Date } | null>;
  /** Takes the place of an earlier one; nothing where the entity or the service is gone. */
  save(result: Omit<EnrichmentResult, 'hasRaw'>, raw: string | null): Promise<void>;
  /** Those of the entities of which a service has an answer that is fresh. */
  fresh(serviceId: number, entityIds: readonly number[], now: Date): Promise<ReadonlySet<number>>;
  /** How many answers there are of each service. */
  counts(): Promise<ReadonlyMap<number, number>>;
  /** Forgets those that were fetched before; how many. */
  removeFetched(before: Date): Promise<number>;
}
