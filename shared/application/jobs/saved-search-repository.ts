import type { SavedSearch, SearchScope } from '@svc/domain';

/** Searches that people keep; each is its owner's alone. */
export interface SavedSearchRepository {
  /** By name. */
  list(ownerId: string, scope: SearchScope): Promise<readonly SavedSearch[]>;
  /** In place of the owner's of that name, whatever its case; null when the owner keeps as many as one can. */
  save(ownerId: string, search: Omit<SavedSearch, 'id'>): Promise<SavedSearch | null>;
  /** Whether the owner had it. */
  delete(ownerId: string, id: number): Promise<boolean>;
}
