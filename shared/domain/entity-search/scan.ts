import { entitySearchKeys, type EntitySearchKey } from './keys.ts';

/** What stands in a query, in order; `start` and `end` bound it in the text, in UTF-16 units. */
export type EntityToken = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'or' }
  | { readonly kind: 'and' }
  | { readonly kind: 'close' }
  | { readonly kind: 'open'; readonly negated: boolean }
  | ({ readonly kind: 'term' } & EntityTermText)
);

/** A term as typed. */
export interface EntityTermText {
  readonly negated: boolean;
  /** Null for text. */
  readonly key: EntitySearchKey | 're' | 'in' | null;
  /** What follows the key, of `re` between its slashes and of `in` between its parentheses; all of it without a key. */
  readonly body: string;
  /** Where that begins. */
  readonly bodyStart: number;
  /** Whether the end of a pattern or of a set is missing. */
  readonly isOpen: boolean;
}

/** How a query is read (resolved-intel 4.3): all of it as one text, as terms that all must hold, or with OR and groups. */
export type EntitySearchMode = 'phrase' | 'conjunction' | 'boolean';

const blank = /[\s\p{Cc}]/u;
const keyed = new RegExp(`^(?:${entitySearchKeys.join('|')}):|^re:/|^in:`, 'i');
const keyAt = new RegExp(`(${entitySearchKeys.join('|')}|in):|(re):/`, 'iy');

/** Which way this query is read; saved searches and alert rules rest on it, so that it must stay. */
export function entitySearchMode(text: string): EntitySearchMode {
  const words = text.split(new RegExp(blank, 'u'));
  const isStructured = text.includes('"') || words.some((word) => keyed.test(word.replace(/^-/, '')));
  const tokens = [...scan(text, true)];
  if (tokens.some(({ kind }) => kind === 'or' || kind === 'and')) return 'boolean';
  if (!isStructured) return 'phrase';
  return tokens.some(({ kind }) => kind === 'open' || kind === 'close') ? 'boolean' : 'conjunction';
}

/** Splits a query that is not a phrase; with `hasGroups`, parentheses and OR and AND are more than text. */
export function scanEntitySearch(text: string, hasGroups: boolean): EntityToken[] {
  return [...scan(text, hasGroups)];
}

function* scan(text: string, hasGroups: boolean): Generator<EntityToken> {
  for (let at = 0; at < text.length;) {
    if (blank.test(text[at]!)) {
      at += 1;
      continue;
    }
    const token = (hasGroups ? groupToken(text, at) : null) ?? termToken(text, at, hasGroups);
    yield token;
    at = token.end;
  }
}

function groupToken(text: string, start: number): EntityToken | null {
  if (text[start] === '(') return { kind: 'open', negated: false, start, end: start + 1 };
  if (text.startsWith('-(', start)) return { kind: 'open', negated: true, start, end: start + 2 };
  if (text[start] === ')') return { kind: 'close', start, end: start + 1 };
  const word = /(?:OR|AND)(?=[\s\p{Cc}()]|$)/uy;
  word.lastIndex = start;
  const found = word.exec(text)?.[0];
  return found === undefined ? null : { kind: found === 'OR' ? 'or' : 'and', start, end: start + found.length };
}

function termToken(text: string, start: number, hasGroups: boolean): EntityToken {
  const isMinus = (at: number): boolean => text[at] === '-' && at + 1 < text.length && !blank.test(text[at + 1]!);
  const negated = isMinus(start);
  const at = negated ? start + 1 : start;
  if (text[at] !== '"') return { kind: 'term', start, negated, ...bodyOf(text, at, text.length, hasGroups, false) };
  const quote = text.indexOf('"', at + 1);
  const close = quote < 0 ? text.length : quote;
  // The content of quotes is a term again, minus included: two of them cancel out.
  const inner = at + 2 < close && isMinus(at + 1);
  const body = bodyOf(text, at + (inner ? 2 : 1), close, hasGroups, true);
  return { kind: 'term', start, ...body, negated: negated !== inner, end: Math.min(close + 1, text.length) };
}

/** Reads a term up to a blank or, within quotes, to their end. */
function bodyOf(
  text: string,
  start: number,
  limit: number,
  hasGroups: boolean,
  isQuoted: boolean,
): Omit<EntityTermText, 'negated'> & { end: number } {
  keyAt.lastIndex = start;
  const found = keyAt.exec(text.slice(0, limit));
  const bodyStart = start + (found?.[0].length ?? 0);
  const key = (found?.[1] ?? found?.[2] ?? '').toLowerCase() as EntitySearchKey | 're' | 'in' | '';
  if (key === 're') {
    const end = patternEnd(text, bodyStart, limit);
    const isOpen = end === limit;
    return { key, body: text.slice(bodyStart, end), bodyStart, isOpen, end: isOpen ? end : end + 1 };
  }
  if (key === 'in' && text[bodyStart] === '(' && bodyStart < limit) {
    const close = text.indexOf(')', bodyStart);
    const isOpen = close < 0 || close >= limit;
    const end = isOpen ? limit : close;
    return { key, body: text.slice(bodyStart + 1, end), bodyStart: bodyStart + 1, isOpen, end: isOpen ? end : end + 1 };
  }
  let end = bodyStart;
  for (let isInner = false; end < limit; end += 1) {
    const character = text[end]!;
    if (!isQuoted && key !== '' && character === '"') isInner = !isInner;
    if (isQuoted || isInner) continue;
    if (blank.test(character) || (hasGroups && (character === ')' || character === '('))) break;
  }
  // Without its parenthesis a set has no values.
  const body = key === 'in' ? '' : text.slice(bodyStart, end);
  return { key: key === '' ? null : key, body, bodyStart, isOpen: false, end };
}

function patternEnd(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit && text[at] !== '/') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, limit);
}
