import { searchKey, type SearchKey } from './keys.ts';

/** A value as typed; `start` and `end` bound it in the query, quotes included. */
export interface RawValue {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A term as typed: `start` and `end` bound it in the query, in UTF-16 units, with its minus and quotes. */
export interface RawTerm {
  readonly start: number;
  readonly end: number;
  readonly negated: boolean;
  /** Null for a word or phrase, and for what stands where a key does, but is none. */
  readonly key: SearchKey | null;
  /** The values of the key, empty ones too; the word itself where there is no key. */
  readonly values: readonly RawValue[];
}

type Body = Pick<RawTerm, 'key' | 'values' | 'end'>;

const blank = /[\s\p{Cc}]/u;
const prefix = /([a-z][\w.-]*):/iy;

/** Splits a query into its terms, in order; what lies between them is blank (resolved-platform 12.1). */
export function readRawTerms(text: string): RawTerm[] {
  const terms: RawTerm[] = [];
  for (let at = 0; at < text.length;) {
    if (isBlank(text[at])) {
      at += 1;
      continue;
    }
    const term = readTerm(text, at);
    terms.push(term);
    at = term.end;
  }
  return terms;
}

/** Whether this character, or the end, parts one term from the next. */
export function isBlank(character: string | undefined): boolean {
  return character === undefined || blank.test(character);
}

function readTerm(text: string, start: number): RawTerm {
  const negated = isMinus(text, start);
  const at = negated ? start + 1 : start;
  if (text[at] !== '"') return { start, negated, ...readBody(text, at, null) };
  const close = closing(text, at);
  // The content of quotes is a term again, minus included: two of them cancel out.
  const inner = isMinus(text.slice(0, close), at + 1);
  const body = readBody(text, at + (inner ? 2 : 1), close);
  return { ...body, start, negated: negated !== inner, end: Math.min(close + 1, text.length) };
}

/** Whether a minus negates what follows it; alone it is a word. */
function isMinus(text: string, at: number): boolean {
  return text[at] === '-' && !isBlank(text[at + 1]);
}

/** Reads a word, or a key with values, up to a blank or, within quotes, to their end. */
function readBody(text: string, start: number, close: number | null): Body {
  prefix.lastIndex = start;
  const key = searchKey(prefix.exec(text)?.[1] ?? '');
  if (key !== null) return { key, ...readValues(text, prefix.lastIndex, close) };
  const end = close ?? endOf(text, start, isBlank);
  return { key, values: [{ text: text.slice(start, end), start, end }], end };
}

function readValues(text: string, start: number, close: number | null): Pick<RawTerm, 'values' | 'end'> {
  const values: RawValue[] = [];
  for (let at = start; ; at += 1) {
    const value = readValue(text, at, close);
    values.push(value);
    at = value.end;
    if (text[at] !== ',' || at === close) return { values, end: at };
  }
}

function readValue(text: string, start: number, close: number | null): RawValue {
  if (close !== null) {
    const end = Math.min(
      close,
      endOf(text, start, (one) => one === ','),
    );
    return { text: text.slice(start, end), start, end };
  }
  if (text[start] === '"') {
    const quote = closing(text, start);
    return { text: text.slice(start + 1, quote), start, end: Math.min(quote + 1, text.length) };
  }
  const end = endOf(text, start, (one) => one === ',' || isBlank(one));
  return { text: text.slice(start, end), start, end };
}

/** Place of the quote that closes this one; the end when there is none. */
function closing(text: string, open: number): number {
  const close = text.indexOf('"', open + 1);
  return close < 0 ? text.length : close;
}

function endOf(text: string, start: number, isEnd: (character: string) => boolean): number {
  let end = start;
  while (end < text.length && !isEnd(text[end] ?? '')) end += 1;
  return end;
}
