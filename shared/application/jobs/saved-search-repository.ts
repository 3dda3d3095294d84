import type { Account, SavedSearch, SearchScope } from '@svc/domain';
import type { JobPage, ListPlace } from './job-lists.ts';

/** A search as somebody finds it. */
export interface FoundSearch extends SavedSearch {
  readonly owner: Pick<Account, 'id' | 'email' | 'displayName'>;
  /** When the viewer last looked at what it finds. */
  readonly lookedAt: Date | null;
}

export interface FoundSearches extends Pick<JobPage, 'page' | 'total' | 'older' | 'newer'> {
  readonly searches: readonly FoundSearch[];
}

/** Searches that people keep, for themselves or for all members. */
export interface SavedSearchRepository {
  /** The viewer's own and those that are shared, by name. */
  all(viewerId: string): Promise<readonly FoundSearch[]>;
  /** Of these a page of one scope, newest updated first; past the end, the last page. */
  page(viewerId: string, scope: SearchScope, place: ListPlace): Promise<FoundSearches>;
  /** One of these. */
  get(viewerId: string, id: number): Promise<FoundSearch | null>;
  /** In place of the owner's of that name, whatever its case; null when the owner keeps as many as one can. */
  save(ownerId: string, search: Omit<SavedSearch, 'id'>): Promise<SavedSearch | null>;
  /** False where its owner has another of that name. */
  change(id: number, change: Partial<Omit<SavedSearch, 'id' | 'scope'>>): Promise<boolean>;
  delete(id: number): Promise<void>;
  /** Keeps that the viewer looks at what it finds. */
  look(viewerId: string, id: number, at: Date): Promise<void>;
}
