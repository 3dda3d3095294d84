/** What a saved search looks through. */
export const searchScopes = ['jobs', 'entities'] as const;
export type SearchScope = (typeof searchScopes)[number];

/** Searches that a person can keep, letters of a name, and characters of what is asked for, as JSON. */
export const savedSearchLimits = { perPerson: 100, name: 120, query: 4000 } as const;

/** What a list was asked for, kept by its owner under a name. */
export interface SavedSearch {
  readonly id: number;
  readonly name: string;
  readonly scope: SearchScope;
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether all members find it. */
  readonly isShared: boolean;
  readonly updatedAt: Date;
}
