import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * What a facet says something about. Its number is this times 2^24, and a value: an id, one of `flags`, or 24 bits of
 * the hash of a word. Numbers are stored, and functions of the migrations make the same ones: none may change its meaning.
 */
const kinds = {
  flag: 1,
  /** Of what is over only: what is live changes too often for such an index. */
  status: 2,
  type: 3,
  workflow: 4,
  /** An account. Two of many may have one hash, so whoever asks for this asks for the account itself too. */
  privateOf: 5,
  /** Twice the rank, and 1 more where there are findings of it. */
  severity: 6,
  tag: 7,
  tool: 8,
  attribute: 9,
} as const;
type Kind = keyof typeof kinds;

/** What is so or is not, each with its opposite: what an index is asked must be there. */
const flags = {
  anonymous: 1,
  submitted: 2,
  public: 3,
  private: 4,
  error: 5,
  sound: 6,
  hits: 7,
  clean: 8,
  untagged: 9,
  toolless: 10,
  watched: 11,
  unwatched: 12,
  allowlisted: 13,
  unlisted: 14,
  noted: 15,
  unnoted: 16,
  /** Nothing that an attribute says. */
  plain: 17,
} as const;

const unit = 2 ** 24;

/** A facet: its number, or what makes it of a word. */
export type Facet = number | SQL<number>;

export function flag(name: keyof typeof flags): number {
  return kinds.flag * unit + flags[name];
}

/** The facet of something that has an id below 2^24. */
export function numbered(kind: Kind, id: number): number {
  return kinds[kind] * unit + id;
}

/** The facet of something that a word names, or a column with the word. */
export function named(kind: Kind, word: string | SQLWrapper): SQL<number> {
  return sql`facet_of(${sql.raw(String(kinds[kind]))}, ${typeof word === 'string' ? sql`${word}::text` : word})`;
}

/** What jobs are marked with that neither have tags nor tools. */
export const unmarked = [flag('untagged'), flag('toolless')];

/** Rows that have any of the facets; none without any. */
export function hasAny(column: SQLWrapper, facets: readonly Facet[]): SQL {
  return facets.length === 0 ? sql`false` : sql`${column} && ${array(facets)}`;
}

/**
 * Rows that have none of the facets. An index cannot look for what is not there, so that `others` says of which
 * facets such a row has at least one; null where too many would have to be named.
 */
export function hasNone(column: SQLWrapper, facets: readonly Facet[], others: readonly Facet[] | null): SQL {
  if (facets.length === 0) return sql`true`;
  const none = sql`not ${column} && ${array(facets)}`;
  return others === null ? none : sql`(${none} and ${hasAny(column, others)})`;
}

function array(facets: readonly Facet[]): SQL {
  return sql`array[${sql.join(
    facets.map((facet) => (typeof facet === 'number' ? sql.raw(String(facet)) : facet)),
    sql`, `,
  )}]`;
}
