import type { SearchCondition } from './conditions.ts';
import { searchTermLimit, type SearchKey } from './keys.ts';
import { readRawTerms, type RawTerm } from './raw-terms.ts';
import { readValues } from './values.ts';

/** One term of a query. `start` and `end` bound it in the text, in UTF-16 units. */
export interface SearchTerm {
  readonly start: number;
  readonly end: number;
  /** As typed. */
  readonly text: string;
  readonly negated: boolean;
  /** Null for a word or phrase. */
  readonly key: SearchKey | null;
  /** The usable values in the one spelling that each has; the word itself where there is no key. */
  readonly values: readonly string[];
  /** Null when the term cannot be used: it then matches nothing, negated or not. */
  readonly condition: SearchCondition | null;
}

/** What cannot be used of a query, and why. */
export interface SearchProblem {
  readonly start: number;
  readonly end: number;
  /** The term as typed. */
  readonly term: string;
  readonly reason: string;
}

export interface ParsedSearch {
  /** In order, all of which a job must meet. */
  readonly terms: readonly SearchTerm[];
  /** Terms and values that are of no use, in order; last, as one, those beyond the twelfth, which are ignored. */
  readonly problems: readonly SearchProblem[];
}

/** Reads a query of the jobs search (resolved-platform 12); never throws. */
export function parseSearch(query: string): ParsedSearch {
  // Halves of characters are in no name, and no database takes them.
  const text = query.replace(/\p{Surrogate}/gu, '\uFFFD');
  const terms: SearchTerm[] = [];
  const problems: SearchProblem[] = [];
  const typedTerms = readRawTerms(text);
  for (const raw of typedTerms.slice(0, searchTermLimit)) {
    const place = { start: raw.start, end: raw.end };
    const typed = text.slice(raw.start, raw.end);
    const { condition, texts, reasons } = raw.key === null ? readName(raw) : readValues(raw.key, valuesOf(raw));
    const { negated, key } = raw;
    terms.push({ ...place, text: typed, negated, key, values: texts, condition });
    problems.push(...reasons.map((reason) => ({ ...place, term: typed, reason })));
  }
  const [further, last] = [typedTerms[searchTermLimit], typedTerms.at(-1)];
  if (further && last) {
    const [start, end] = [further.start, last.end];
    const reason = `ignored: a search has at most ${searchTermLimit} terms`;
    problems.push({ start, end, term: text.slice(start, end), reason });
  }
  return { terms, problems };
}

/** The query with the one spelling that each of its terms has; reading it again gives the same. */
export function formatSearch({ terms }: Pick<ParsedSearch, 'terms'>): string {
  return terms.map(formatTerm).join(' ');
}

/** The one spelling of a term; as typed when it cannot be used. */
export function formatTerm({ text, negated, key, values, condition }: SearchTerm): string {
  if (condition === null) return text;
  if (key === null) return formatName(values[0] ?? '', negated);
  return `${negated ? '-' : ''}${key}:${values.map(formatValue).join(',')}`;
}

/** A value as it is written after a key: in quotes when it has blanks or commas. */
export function formatValue(value: string): string {
  return /[\s\p{Cc},]/u.test(value) ? `"${value}"` : value;
}

function formatName(name: string, negated: boolean): string {
  const hasBlank = /[\s\p{Cc}]/u.test(name);
  // A minus at its front would negate it, were there not one more to read first.
  if (/^-[^\s\p{Cc}]/u.test(name) && (hasBlank || !negated)) return negated ? `"-${name}"` : `-"-${name}"`;
  const written = hasBlank ? `"${name}"` : name;
  return negated ? `-${written}` : written;
}

function valuesOf({ values }: RawTerm): string[] {
  return values.map(({ text }) => text);
}

function readName(raw: RawTerm): ReturnType<typeof readValues> {
  const name = valuesOf(raw).join('');
  if (name.trim() === '')
    return { condition: null, texts: [], reasons: ['the quotes are empty; write a name in them'] };
  return { condition: { key: 'name', text: name, isWildcard: name.includes('*') }, texts: [name], reasons: [] };
}
