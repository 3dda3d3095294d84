import { foldedText, isWhole, WordTrie } from '../word-trie.ts';

/** What stands in for what; the last is any text that would be taken for a stand-in. */
const kinds = ['HOST', 'USER', 'DOMAIN', 'ADDR', 'SID', 'ACCOUNT', 'SECRET', 'BLOB', 'TEXT'] as const;
export type StandInKind = (typeof kinds)[number];

/** Begins every stand-in; where a text has it, that is replaced as well, so that each stand-in is one. */
export const standInStart = 'ANON-';
/** Of fixed length, so that one ends wherever it stands: `ANON-HOST-001A`, the last letter tells the spelling. */
export const standIn = new RegExp(`${standInStart}(?:${kinds.join('|')})-[0-9A-Z]{3}[A-Z]`, 'gi');

interface Name {
  readonly kind: StandInKind;
  /** What spellings of one thing have in common. */
  readonly key: string;
}

/** Names that must not leave, found in whatever capitals. */
export class NameTable {
  readonly #names = new WordTrie<Name>();
  readonly #tokens = new Map<string, string>();
  readonly #things = new Map<string, { readonly number: number; spellings: number }>();
  readonly #counts = new Map<StandInKind, number>();

  /** The first kind of a name stays. */
  add(kind: StandInKind, value: string, key = value): void {
    this.#names.add(value, { kind, key: foldedText(key) });
  }

  /** Whether the text names any of them that has at least so many signs. */
  isIn(text: string, shortest = 1): boolean {
    for (let at = 0; at < text.length; at++) {
      const found = this.#at(text, at);
      if (found !== null && found.end - at >= shortest) return true;
    }
    return false;
  }

  /** The text with stand-ins for all names; the leftmost, and of those that begin together the longest. */
  replaceIn(text: string): string {
    const pieces: string[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const found = this.#at(text, at);
      if (found === null) continue;
      pieces.push(text.slice(from, at), this.#token(found.value, text.slice(at, found.end)));
      from = found.end;
      at = from - 1;
    }
    pieces.push(text.slice(from));
    return pieces.join('');
  }

  /** Each stand-in that was given, with what it stands for. */
  get given(): { readonly token: string; readonly value: string }[] {
    return [...this.#tokens].map(([value, token]) => ({ token, value }));
  }

  #at(text: string, start: number): { readonly value: Name; readonly end: number } | null {
    return this.#names.longestAt(text, start, ({ kind }, end) => stands(text, start, end, kind));
  }

  #token({ kind, key }: Name, value: string): string {
    const known = this.#tokens.get(value);
    if (known !== undefined) return known;
    let thing = this.#things.get(`${kind} ${key}`);
    if (thing === undefined || thing.spellings === 26) {
      const number = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, number);
      this.#things.set(`${kind} ${key}`, (thing = { number, spellings: 0 }));
    }
    const letter = String.fromCodePoint(65 + thing.spellings++);
    const token = `${standInStart}${kind}-${thing.number.toString(36).toUpperCase().padStart(3, '0')}${letter}`;
    this.#tokens.set(value, token);
    return token;
  }
}

/** Whether what was found is the name, and no part of another word. Long names betray themselves within words, too. */
function stands(text: string, start: number, end: number, kind: StandInKind): boolean {
  if (kind === 'ADDR') {
    const isLonger = /\d\.$/.test(text.slice(Math.max(0, start - 2), start)) || /^\.\d/.test(text.slice(end, end + 2));
    return !isLonger && isWhole(text, start, end);
  }
  const length = end - start;
  const isLong = length >= 8 || (length >= 6 && /\d/.test(text.slice(start, end)));
  return kind === 'TEXT' || isLong || isWhole(text, start, end);
}
