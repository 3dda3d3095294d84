import type { Actor, Case, CaseLinkKind, CaseStatus, Severity } from '@svc/domain';
import type { ListCursor, ListPlace } from '../jobs/job-lists.ts';

export type CaseSort = 'updated' | 'severity' | 'findings' | 'name';

/** A case with what its visible jobs have found. */
export interface ListedCase extends Omit<Case, 'collaboratorIds' | 'narrative' | 'narrativeVersion' | 'summary'> {
  readonly owner: string | null;
  readonly entities: number;
  readonly jobs: number;
  readonly matches: number;
  readonly worst: Severity | null;
}

export interface CaseSearch {
  readonly statuses: readonly CaseStatus[];
  /** A part of the name, in whatever case; empty for all. */
  readonly text: string;
}

/** Lists of cases; of jobs, those that the viewer sees. */
export interface CaseLists {
  page(
    viewer: Actor,
    search: CaseSearch,
    place: ListPlace,
    sort: CaseSort,
  ): Promise<{
    readonly cases: readonly ListedCase[];
    readonly page: number;
    readonly older: ListCursor | null;
    readonly newer: ListCursor | null;
  }>;
  /** Visible cases whose name contains the text. */
  counts(viewer: Actor, text: string): Promise<Readonly<Record<CaseStatus, number>>>;
  /** Visible cases that hold a thing, newest updated first. */
  holding(
    viewer: Actor,
    target: { readonly kind: CaseLinkKind; readonly id: number },
    limit: number,
  ): Promise<readonly Pick<Case, 'id' | 'name' | 'status'>[]>;
}
