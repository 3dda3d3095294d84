import { fold } from '../events/value-table.ts';

/** Stands in literals for any of the dashes of `windash`; not a character of real text. */
export const DASH = '\uE000';
const dashes = '-/\u2013\u2014\u2015';

/** Wildcards, as numbers so that compiled rules can be written down as JSON. */
export const ANY = 0;
export const ONE = 1;
/** A piece of a Sigma string: literal text, any run of characters, or one code point. */
export type Piece = string | typeof ANY | typeof ONE;

/** Parses a Sigma string, left to right in one pass (detection-engine 1.3.1). */
export function parsePattern(text: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  const special = (piece: Piece): void => {
    if (literal !== '') pieces.push(literal);
    literal = '';
    pieces.push(piece);
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    const next = text[i + 1];
    if (char === '\\' && (next === '*' || next === '?' || next === '\\')) {
      literal += next;
      i++;
    } else if (char === '*') {
      special(ANY);
    } else if (char === '?') {
      special(ONE);
    } else {
      literal += char;
    }
  }
  if (literal !== '') pieces.push(literal);
  return pieces;
}

/** The text of a pattern without wildcards; null when it has one. */
export function plainText(pieces: readonly Piece[]): string | null {
  if (pieces.length === 0) return '';
  const [only] = pieces;
  return pieces.length === 1 && typeof only === 'string' ? only : null;
}

/** The same pattern with every dash of `windash` made a class of dashes (1.4). */
export function withDashClasses(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, at) => {
    if (typeof piece !== 'string') return piece;
    const starts = at === 0;
    return piece.replace(/[-/](?=\w)/g, (dash, offset: number) => {
      const before = offset === 0 ? undefined : piece[offset - 1]!;
      const opens = before === undefined ? starts || typeof pieces[at - 1] !== 'string' : !/\w/.test(before);
      return opens ? DASH : dash;
    });
  });
}

const mostDashes = 4;

/** Every text that a text with dash classes stands for; null when they are too many. */
export function dashVariants(text: string): string[] | null {
  const [first = '', ...rest] = text.split(DASH);
  if (rest.length > mostDashes) return null;
  let variants = [first];
  for (const part of rest)
    variants = variants.flatMap((variant) => dashes.split('').map((dash) => variant + dash + part));
  return variants;
}

/** Whether two code units are equal, where the pattern's may be a class of dashes. */
function unitMatches(pattern: string, at: number, text: string, in_: number): boolean {
  const unit = pattern.charCodeAt(at);
  return unit === 0xe000 ? dashes.includes(text[in_]!) : unit === text.charCodeAt(in_);
}

function standsAt(literal: string, text: string, at: number): boolean {
  if (at < 0 || at + literal.length > text.length) return false;
  if (!literal.includes(DASH)) return text.startsWith(literal, at);
  for (let i = 0; i < literal.length; i++) if (!unitMatches(literal, i, text, at + i)) return false;
  return true;
}

function indexOf(literal: string, text: string, from: number): number {
  if (!literal.includes(DASH)) return text.indexOf(literal, from);
  for (let at = from; at + literal.length <= text.length; at++) if (standsAt(literal, text, at)) return at;
  return -1;
}

/** A test of a whole text; patterns are given folded unless the test is `cased`. */
export type TextTest = (text: string) => boolean;

/** Text that stands in another: anywhere in it unless it must begin it (no `head` before it) or end it (no `tail`). */
export interface Literal {
  readonly text: string;
  readonly head: boolean;
  readonly tail: boolean;
}

/** A pattern that is one literal, any run of characters around it or not; null for others and where dashes vary. */
export function literalOf(pieces: readonly Piece[]): Literal | null {
  let text: string | undefined;
  for (const piece of pieces) {
    if (piece === ANY) continue;
    if (piece === ONE || text !== undefined) return null;
    text = piece;
  }
  if (text?.includes(DASH)) return null;
  return { text: text ?? '', head: pieces[0] === ANY, tail: pieces.at(-1) === ANY };
}

/** Whether a literal stands where it should in a text. */
export function isAt({ text: literal, head, tail }: Literal, text: string): boolean {
  if (head) return tail ? text.includes(literal) : text.endsWith(literal);
  return tail ? text.startsWith(literal) : text === literal;
}

/** Compiles a pattern into the cheapest test of a text that is already folded (or not, when cased). */
export function compilePattern(pieces: readonly Piece[]): TextTest {
  const literal = literalOf(pieces);
  if (literal !== null) return (text) => isAt(literal, text);
  const only = pieces.filter((piece) => piece !== ANY);
  if (only.length === 1 && only[0] !== ONE) {
    return dashTest(String(only[0]), pieces[0] === ANY, pieces.at(-1) === ANY);
  }
  return (text) => matchesWild(pieces, text);
}

function dashTest(literal: string, head: boolean, tail: boolean): TextTest {
  if (head && tail) return (text) => indexOf(literal, text, 0) >= 0;
  if (head) return (text) => standsAt(literal, text, text.length - literal.length);
  if (tail) return (text) => standsAt(literal, text, 0);
  return (text) => text.length === literal.length && standsAt(literal, text, 0);
}

/** Greedy matching with one level of back-tracking: time is pattern length times text length. */
function matchesWild(pieces: readonly Piece[], text: string): boolean {
  let piece = 0;
  let at = 0;
  let retryPiece = -1;
  let retryAt = 0;
  for (;;) {
    const current = pieces[piece];
    if (current === ANY) {
      retryPiece = ++piece;
      retryAt = at;
      if (piece === pieces.length) return true;
      continue;
    }
    const next = current === undefined ? (at === text.length ? at : -1) : step(current, text, at);
    if (next >= 0) {
      if (current === undefined) return true;
      at = next;
      piece++;
      continue;
    }
    if (retryPiece < 0 || retryAt >= text.length) return false;
    piece = retryPiece;
    at = retryAt = nextStart(pieces[piece], text, retryAt + 1);
    if (at < 0) return false;
  }
}

function step(piece: Piece, text: string, at: number): number {
  if (typeof piece === 'string') return standsAt(piece, text, at) ? at + piece.length : -1;
  if (at >= text.length) return -1;
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** Next place from which the piece after a `*` can match. */
function nextStart(piece: Piece | undefined, text: string, from: number): number {
  return typeof piece === 'string' ? indexOf(piece, text, from) : from;
}

/** Folds the literals of a pattern. */
export function foldPattern(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece) => (typeof piece === 'string' ? fold(piece) : piece));
}
