import type { EntityCondition } from './conditions.ts';
import { entitySearchLimits } from './keys.ts';
import {
  entitySearchMode,
  scanEntitySearch,
  type EntitySearchMode,
  type EntityTermText,
  type EntityToken,
} from './scan.ts';
import { readEntityTerm } from './values.ts';

/** One term of a query; `start` and `end` bound it in the text, in UTF-16 units. */
export interface EntitySearchTerm {
  readonly start: number;
  readonly end: number;
  /** As typed. */
  readonly text: string;
  readonly negated: boolean;
  readonly key: EntityTermText['key'];
  /** Null when the term cannot be used: it then matches nothing, negated or not. */
  readonly condition: EntityCondition | null;
}

/** What an entity must meet. */
export type EntitySearchNode =
  | { readonly kind: 'term'; readonly term: EntitySearchTerm }
  | { readonly kind: 'all' | 'any'; readonly of: readonly EntitySearchNode[] }
  | { readonly kind: 'not'; readonly of: EntitySearchNode };

/** What cannot be used of a query, and why. */
export interface EntitySearchProblem {
  readonly start: number;
  readonly end: number;
  /** As typed. */
  readonly term: string;
  readonly reason: string;
}

export interface EntitySearch {
  readonly mode: EntitySearchMode;
  /** Null where the query asks for nothing, so that every entity fits. */
  readonly root: EntitySearchNode | null;
  /** In order. */
  readonly terms: readonly EntitySearchTerm[];
  readonly problems: readonly EntitySearchProblem[];
  /** Whether nothing can match: a regular expression stands under an OR (resolved-intel 4.3). */
  readonly isRefused: boolean;
}

/** Reads a query of the entity search (resolved-intel 4.3); never throws. */
export function parseEntitySearch(query: string): EntitySearch {
  // Halves of characters are in no value, and no database takes them.
  const text = query.replace(/[\p{Surrogate}\0]/gu, '\uFFFD');
  const mode = entitySearchMode(text);
  const reader = new Reader(text);
  if (mode === 'phrase') return reader.phrase();
  return reader.read(mode, scanEntitySearch(text, mode === 'boolean'));
}

class Reader {
  readonly #text: string;
  readonly #terms: EntitySearchTerm[] = [];
  readonly #problems: EntitySearchProblem[] = [];
  #tokens: readonly EntityToken[] = [];
  #at = 0;
  #patterns = 0;
  #isFull = false;

  constructor(text: string) {
    this.#text = text;
  }

  phrase(): EntitySearch {
    const body = this.#text.trim();
    if (body === '') return this.#result('phrase', null);
    const bodyStart = this.#text.indexOf(body);
    const span = { start: bodyStart, end: bodyStart + body.length };
    const root = this.#term({ ...span, negated: false, key: null, body, bodyStart, isOpen: false });
    return this.#result('phrase', root);
  }

  read(mode: EntitySearchMode, tokens: readonly EntityToken[]): EntitySearch {
    this.#tokens = tokens;
    const root = this.#either(0);
    const stray = tokens[this.#at];
    if (stray !== undefined)
      this.#problem(
        stray.start,
        this.#text.length,
        'there is no group that this parenthesis closes; the rest is not read',
      );
    return this.#result(mode, root);
  }

  #result(mode: EntitySearchMode, root: EntitySearchNode | null): EntitySearch {
    const isRefused = root !== null && hasPatternUnderOr(root, false);
    if (isRefused) {
      const pattern = this.#terms.find(({ key }) => key === 're')!;
      this.#problem(
        pattern.start,
        pattern.end,
        'a regular expression cannot stand on one side of OR; use the | within it',
      );
    }
    return { mode, root, terms: this.#terms, problems: this.#problems, isRefused };
  }

  /** Alternatives, up to the end or a parenthesis that closes. */
  #either(depth: number): EntitySearchNode | null {
    const alternatives: EntitySearchNode[] = [];
    for (;;) {
      const all = this.#together(depth);
      if (all !== null) alternatives.push(all);
      const token = this.#tokens[this.#at];
      if (token?.kind !== 'or') break;
      const isBetween = all !== null && startsOperand(this.#tokens[this.#at + 1]);
      if (!isBetween)
        this.#problem(token.start, token.end, 'OR stands between two terms; to look for the word, write "or"');
      this.#at += 1;
    }
    return joined('any', alternatives);
  }

  /** What stands side by side, with AND or without. */
  #together(depth: number): EntitySearchNode | null {
    const parts: EntitySearchNode[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[this.#at]) {
      if (token.kind === 'or' || token.kind === 'close') break;
      this.#at += 1;
      if (token.kind === 'and') {
        const isBetween = parts.length > 0 && startsOperand(this.#tokens[this.#at]);
        if (!isBetween)
          this.#problem(token.start, token.end, 'AND stands between two terms; to look for the word, write "and"');
        continue;
      }
      const node = token.kind === 'open' ? this.#group(token, depth + 1) : this.#term(token);
      if (node !== null) parts.push(node);
    }
    return joined('all', parts);
  }

  #group({ start, end, negated }: EntityToken & { kind: 'open' }, depth: number): EntitySearchNode | null {
    if (depth > entitySearchLimits.depth) {
      const close = this.#skipGroup();
      this.#problem(start, close, `ignored: groups stand ${entitySearchLimits.depth} deep at most`);
      return null;
    }
    const inner = this.#either(depth);
    if (this.#tokens[this.#at]?.kind === 'close') this.#at += 1;
    else this.#problem(start, end, 'this parenthesis is not closed');
    return inner !== null && negated ? { kind: 'not', of: inner } : inner;
  }

  #skipGroup(): number {
    for (let open = 1; this.#at < this.#tokens.length;) {
      const { kind, end } = this.#tokens[this.#at]!;
      this.#at += 1;
      open += kind === 'open' ? 1 : kind === 'close' ? -1 : 0;
      if (open === 0) return end;
    }
    return this.#text.length;
  }

  #term(token: EntityTermText & { readonly start: number; readonly end: number }): EntitySearchNode | null {
    const { start, end, negated, key } = token;
    if (this.#terms.length === entitySearchLimits.terms) {
      if (!this.#isFull)
        this.#problem(start, this.#text.length, `ignored: a search has at most ${entitySearchLimits.terms} terms`);
      this.#isFull = true;
      return null;
    }
    const isTooMany = key === 're' && ++this.#patterns > entitySearchLimits.patterns;
    const { condition, reasons } = isTooMany
      ? { condition: null, reasons: [`a search has at most ${entitySearchLimits.patterns} regular expressions`] }
      : readEntityTerm(token);
    for (const reason of reasons) this.#problem(start, end, reason);
    const term = { start, end, text: this.#text.slice(start, end), negated, key, condition };
    this.#terms.push(term);
    return { kind: 'term', term };
  }

  #problem(start: number, end: number, reason: string): void {
    this.#problems.push({ start, end, term: this.#text.slice(start, end), reason });
  }
}

function startsOperand(token: EntityToken | undefined): boolean {
  return token?.kind === 'term' || token?.kind === 'open';
}

function joined(kind: 'all' | 'any', nodes: readonly EntitySearchNode[]): EntitySearchNode | null {
  return nodes.length > 1 ? { kind, of: nodes } : (nodes[0] ?? null);
}

function hasPatternUnderOr(node: EntitySearchNode, isUnder: boolean): boolean {
  if (node.kind === 'term') return isUnder && node.term.key === 're';
  if (node.kind === 'not') return hasPatternUnderOr(node.of, isUnder);
  return node.of.some((one) => hasPatternUnderOr(one, isUnder || node.kind === 'any'));
}
