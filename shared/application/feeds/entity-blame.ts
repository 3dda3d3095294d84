import type { Actor, Severity } from '@svc/domain';

/** What visible jobs say of an entity itself, not of what else is in them. */
export interface Blame {
  /** Of the worst finding that names it, of its newest ones; null where none does. */
  readonly severity: Severity | null;
  /** Kinds of threats of which an indicator names it, by name. */
  readonly categories: readonly string[];
}

export interface EntityBlame {
  /** By entity; those of which nothing is said are left out. */
  of(viewer: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, Blame>>;
}
