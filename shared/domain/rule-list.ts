/** How an entity meets a list: its whole value, its end, or a name and all below it (resolved-intel 12). */
export const listMatches = ['exact', 'suffix', 'domain'] as const;
export type ListMatch = (typeof listMatches)[number];

export const ruleListLimits = {
  name: 50,
  description: 500,
  values: 2000,
  value: 200,
  url: 500,
  refreshHours: 168,
  error: 300,
} as const;

/** A named set of values that searches and rules ask for with `list:name`. */
export interface RuleList {
  readonly id: number;
  readonly name: string;
  readonly match: ListMatch;
  readonly description: string;
  /** Lower-case, in their order, each once. */
  readonly values: readonly string[];
  readonly sourceUrl: string | null;
  /** 0: only when somebody asks for it. */
  readonly refreshHours: number;
  readonly lastFetchedAt: Date | null;
  /** Null when it was never fetched. */
  readonly lastFetchOk: boolean | null;
  readonly lastFetchError: string | null;
  /** Of what was shipped; null when it has never been seeded, or was changed since. */
  readonly seedHash: string | null;
}
