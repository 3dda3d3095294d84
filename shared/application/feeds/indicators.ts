import type { Severity, Tag } from '@svc/domain';
import type { Entity } from '../intel/entity-repository.ts';

/** An entity as feeds tell of it: with what visible jobs say of it, and of nothing beside it (resolved-intel 18). */
export interface Indicator extends Pick<
  Entity,
  'id' | 'type' | 'value' | 'firstSeenAt' | 'lastSeenAt' | 'jobCount' | 'isAllowlisted' | 'attributeKeys'
> {
  readonly tags: readonly Tag[];
  /** Of the worst finding that names it; null where none does. */
  readonly severity: Severity | null;
  /** Kinds of threats of which an indicator names it, by name. */
  readonly categories: readonly string[];
}
