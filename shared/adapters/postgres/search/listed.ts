import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** What rows are sorted by, which a cursor names as a whole number of at most 15 digits, or as a text. */
export interface SortKey {
  /** A column, or what an index was made of. */
  readonly value: SQL;
  /** What the value is made of. */
  readonly columns: readonly PgColumn[];
  readonly toNumber: (value: SQL) => SQL;
  readonly fromNumber: (number: number | string) => SQL;
  /** All values, as their numbers, where these are so few that an index of ids or of the few rows with one does. */
  readonly groups?: readonly { readonly number: number; readonly having: SQL }[];
}

/** What of a table is listed, the highest first by (key, id), for which there is an index. */
export interface Listed {
  readonly table: PgTable;
  readonly key: SortKey;
  readonly id: PgColumn;
  /** The lowest first. */
  readonly isReversed: boolean;
  /** Of rows with the same key, the highest id first though the lowest key is. */
  readonly hasHighestIdFirst?: boolean;
  /** What is asked of times, and all else. */
  readonly during: SQL | undefined;
  /** What of the key is implied by that: where the rows stand together, which need not be walked to. */
  readonly end?: SQL | undefined;
  readonly where: SQL | undefined;
  /** Tells how many there are where these are many, however many they are. */
  readonly total?: () => Promise<number>;
  /** What is known besides, where lists grow so large that the way to the rows has to be chosen. */
  readonly ways?: Ways;
}

/** Other ways to the same rows. */
export interface Ways {
  /** The same as `where`, as it is asked of rows that are looked at one after the other. */
  readonly each: SQL | undefined;
  /** What `each` and `where` are made of besides who may see a row; none where they are not made so. */
  readonly terms: readonly Term[];
  /** How all rows are looked at quickly; null where `each` asks other tables. */
  readonly through: Through | null;
  readonly seen: Seen | null;
  /** The same as `where` as well, in parts of which each may be met; null where it is quick as it is. */
  readonly parts: readonly Part[] | null;
}

/** One condition, written for rows that are looked at one by one and for an index. */
export interface Term {
  readonly each: SQL;
  readonly byIndex: SQL;
}

/** Where all but `each` is left to the planner. */
export const noWays = { terms: [], through: null, seen: null, parts: null } satisfies Omit<Ways, 'each'>;

/** Who may see a row: as the row tells, which `where` asks, and as an index does, which helps only where few are seen. */
export interface Seen {
  readonly each: SQL;
  readonly byIndex: SQL;
}

/** Rows that meet a condition and are in a list of ids, if there is one, which may name a row twice. */
export interface Part extends Pick<Listed, 'where'>, Pick<Ways, 'each' | 'through'> {
  readonly among: SQL | null;
}

/** The order in which rows lie, and what its index has of them besides; null where `each` asks for more than that. */
export interface Through {
  readonly key: SortKey;
  readonly columns: readonly PgColumn[] | null;
}

/** A list with all ways to its rows. */
export type Known = Omit<Listed, 'ways'> & Ways;
