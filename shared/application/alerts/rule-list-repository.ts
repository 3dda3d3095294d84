import type { RuleList } from '@svc/domain';

/** What a list says, beside how its source did. */
export type RuleListDefinition = Pick<
  RuleList,
  'name' | 'match' | 'description' | 'values' | 'sourceUrl' | 'refreshHours'
>;

/** What a list can be changed in; its name is what conditions say. */
export type RuleListChange = Partial<Omit<RuleList, 'id' | 'name'>>;

/** How reading the source of a list went. */
export interface ListFetch {
  readonly at: Date;
  /** Null when it went well. */
  readonly error: string | null;
  /** What there is now; absent where it is as it was. */
  readonly found?: { readonly values: readonly string[]; readonly etag: string | null };
}

/** A rule on entities that names lists. */
export interface ListUser {
  readonly ruleId: number;
  readonly name: string;
  readonly ownerId: string | null;
  readonly query: string;
}

/** What a list is like. */
export interface ListSize extends Pick<RuleList, 'name' | 'match'> {
  readonly count: number;
}

/** Named sets of values (resolved-intel 12). What is changed is so with the next search: nothing keeps a copy. */
export interface RuleListRepository {
  /** By name. */
  all(): Promise<readonly RuleList[]>;
  /** All of them without their values, by name. */
  sizes(): Promise<readonly ListSize[]>;
  get(id: number): Promise<RuleList | null>;
  /** Those of these names that there are. */
  named(names: readonly string[]): Promise<readonly RuleList[]>;
  /** Those whose source is to be read again, the longest unread first. */
  due(now: Date): Promise<readonly RuleList[]>;
  /** Null when another has the name. */
  add(list: RuleListDefinition & { readonly seedHash?: string | null }, at: Date): Promise<RuleList | null>;
  /** False when there is none. */
  change(id: number, changes: RuleListChange, at: Date): Promise<boolean>;
  /** Notes it, unless the list has another source by now; returns whether it did. */
  fetched(list: Pick<RuleList, 'id' | 'sourceUrl'>, fetch: ListFetch): Promise<boolean>;
  remove(id: number): Promise<void>;
  /** Rules that may name any, oldest first. */
  users(): Promise<readonly ListUser[]>;
}
