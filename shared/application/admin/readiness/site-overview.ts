import type { BackgroundKind, BackgroundTask } from '../../work/background-task-repository.ts';

/** How much there is beside jobs. */
export interface SiteCounts {
  readonly users: number;
  readonly admins: number;
  readonly workflows: number;
  /** Neither revoked nor expired, and of an account that may have them. */
  readonly activeTokens: number;
  readonly activeBackground: number;
  readonly enrichment: { readonly total: number; readonly enabled: number };
  readonly aiProviders: { readonly total: number; readonly enabled: number };
  readonly activeAiRuns: number;
}

/** A secret as it is stored, with what it was sealed for. */
export interface StoredSecret {
  readonly place: string;
  readonly sealed: string;
  /** What it belongs to, as people know it. */
  readonly of: string;
}

/** What administrators ask of the database as a whole. */
export interface SiteOverview {
  counts(now: Date): Promise<SiteCounts>;
  /** The last background task of each kind that had one about all there is. */
  lastRuns(kinds: readonly BackgroundKind[]): Promise<readonly BackgroundTask[]>;
  /** Every secret that the service must be able to read again. */
  secrets(): Promise<readonly StoredSecret[]>;
  /** Active administrators with the hashes of their passwords. */
  admins(): Promise<readonly { readonly email: string; readonly passwordHash: string }[]>;
}
