import type { Actor, Case, CaseStatus } from '@svc/domain';
import type { NewReceipt } from './receipt-repository.ts';

export interface NewCase {
  readonly name: string;
  readonly ownerId: string;
  readonly isShared: boolean;
  /** Committed with the case. */
  readonly receipt: NewReceipt | null;
  readonly at: Date;
}

export interface CaseRepository {
  /** Throws `conflict` when the receipt's key is taken. */
  create(wanted: NewCase): Promise<Case>;
  get(id: number): Promise<Case | null>;
  /** Those that the viewer may see (`canViewCase`) in one of these states, newest updated first. */
  list(viewer: Actor, wanted: { readonly statuses: readonly CaseStatus[]; readonly limit: number }): Promise<Case[]>;
}
