import type { SearchCondition } from './conditions.ts';
import { searchTermLimit, type SearchKey } from './keys.ts';
import { readRawTerms, type RawTerm } from './raw-terms.ts';
import { readValues, type ReadValues } from './values.ts';

/** Parts alternatives; in upper case only, since `or` is in names. */
const either = 'OR';

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
  /** Which of the alternatives that `OR` parts it belongs to, from 0. */
  readonly alternative: number;
}

/** What cannot be used of a query, and why. */
export interface SearchProblem {
  readonly start: number;
  readonly end: number;
  /** The term as typed. */
  readonly term: string;
  readonly reason: string;
}

/** What is wrong with a term, as a sentence where the query is not in sight: `tag: needs a value`, `type:x: …`. */
export function problemText({ term, reason }: Pick<SearchProblem, 'term' | 'reason'>): string {
  return term.endsWith(':') ? `${term} ${reason}` : `${term}: ${reason}`;
}

export interface ParsedSearch {
  /** In order. A job must meet all those of one alternative. */
  readonly terms: readonly SearchTerm[];
  /** Terms and values that are of no use, in order; last, as one, those beyond the twelfth, which are ignored. */
  readonly problems: readonly SearchProblem[];
}

/** Reads a query of the jobs search (resolved-platform 12, with `OR` between terms); never throws. */
export function parseSearch(query: string): ParsedSearch {
  // Halves of characters are in no name, and no database takes them.
  const text = query.replace(/\p{Surrogate}/gu, '\uFFFD');
  const terms: SearchTerm[] = [];
  const problems: SearchProblem[] = [];
  const typedTerms = readRawTerms(text);
  const isOr = (raw: RawTerm | undefined): boolean => raw !== undefined && text.slice(raw.start, raw.end) === either;
  const isTerm = (raw: RawTerm | undefined): boolean => raw !== undefined && !isOr(raw);
  let alternative = 0;
  for (const [place, raw] of typedTerms.entries()) {
    if (terms.length === searchTermLimit) {
      const [start, end] = [raw.start, typedTerms.at(-1)?.end ?? raw.end];
      const reason = `ignored: a search has at most ${searchTermLimit} terms`;
      problems.push({ start, end, term: text.slice(start, end), reason });
      break;
    }
    if (isOr(raw) && isTerm(typedTerms[place - 1]) && isTerm(typedTerms[place + 1])) {
      alternative += 1;
      continue;
    }
    const { start, end, negated, key } = raw;
    const typed = text.slice(start, end);
    const { condition, texts, reasons } = isOr(raw)
      ? unusable(`${either} stands between two terms; to look for the word, write it in quotes`)
      : readTerm(raw);
    terms.push({ start, end, text: typed, negated, key, values: texts, condition, alternative });
    problems.push(...reasons.map((reason) => ({ start, end, term: typed, reason })));
  }
  return { terms, problems };
}

/** The query with the one spelling that each of its terms has; reading it again gives the same. */
export function formatSearch({ terms }: Pick<ParsedSearch, 'terms'>): string {
  return terms
    .map((term, place) => {
      const isOther = term.alternative !== (terms[place - 1]?.alternative ?? 0);
      return `${isOther ? `${either} ` : ''}${formatTerm(term)}`;
    })
    .join(' ');
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
  const written = hasBlank || (name === either && !negated) ? `"${name}"` : name;
  return negated ? `-${written}` : written;
}

function valuesOf({ values }: RawTerm): string[] {
  return values.map(({ text }) => text);
}

function readTerm(raw: RawTerm): ReadValues {
  if (raw.key !== null) return readValues(raw.key, valuesOf(raw));
  const name = valuesOf(raw).join('');
  if (/^\(+-?[a-z]\w*:/i.test(name))
    return unusable(`there are no parentheses; write all terms on both sides of ${either}, as in a x ${either} a y`);
  if (name.trim() === '') return unusable('the quotes are empty; write a name in them');
  return { condition: { key: 'name', text: name, isWildcard: name.includes('*') }, texts: [name], reasons: [] };
}

function unusable(reason: string): ReadValues {
  return { condition: null, texts: [], reasons: [reason] };
}
