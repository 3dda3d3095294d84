/** Characters as ranges of code points, both ends included. */
export interface CharacterSet {
  readonly ranges: readonly (readonly [number, number])[];
  readonly negated: boolean;
}

/** The parts of a regular expression, as far as whether it matches goes: no captures, no laziness. */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly of: RegexNode; readonly least: number; readonly most: number }
  | { readonly kind: 'assert'; readonly what: 'lineStart' | 'lineEnd' | 'textStart' | 'textEnd' | 'word' | 'noWord' }
  | { readonly kind: 'look'; readonly of: RegexNode; readonly behind: boolean; readonly negated: boolean };

/** Characters beyond ASCII that count as small letters of it where case does not: the Kelvin sign and the long s. */
export const likeLetters = [
  [0x212a, 0x6b],
  [0x17f, 0x73],
] as const;

const mostRepeats = 1000;
const deepest = 64;
const all = 0x10ffff;
const digits: CharacterSet['ranges'] = [[0x30, 0x39]];
const words: CharacterSet['ranges'] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const blanks: CharacterSet['ranges'] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const classEscapes = new Map<string, CharacterSet['ranges']>([
  ['d', digits],
  ['w', words],
  ['s', blanks],
  [
    'h',
    [
      [0x09, 0x09],
      [0x20, 0x20],
    ],
  ],
]);
const posix = new Map<string, string>([
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['alnum', '0-9A-Za-z'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['punct', '!-/:-@[-`{-~'],
  ['space', '\t-\r - '],
  ['blank', '\t-\t - '],
  ['xdigit', '0-9A-Fa-f'],
  ['word', '0-9A-Z_-_a-z'],
]);
const controls = new Map(Object.entries({ n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, a: 0x07, e: 0x1b, 0: 0 }));

/**
 * What becomes of groups in which case does not count, `(?i:…)`: refused, taken for any group by who ignores case
 * anyway, or with both cases of the letters of ASCII in their sets.
 */
export type CaselessGroups = 'refused' | 'as-others' | 'spelled';

/** Parses the syntax of detection-engine 1.4.1 with look-around; throws a plain Error on anything else. */
export function parseRegex(source: string, dotAll: boolean, caseless: CaselessGroups = 'refused'): RegexNode {
  return new Parser(source, dotAll, caseless).whole();
}

class Parser {
  readonly #source: string;
  readonly #dotAll: boolean;
  readonly #caseless: CaselessGroups;
  #at = 0;
  #depth = 0;
  #spellsBoth = false;

  constructor(source: string, dotAll: boolean, caseless: CaselessGroups) {
    this.#source = source;
    this.#dotAll = dotAll;
    this.#caseless = caseless;
  }

  whole(): RegexNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Error('has a closing parenthesis too many');
    return node;
  }

  #choice(): RegexNode {
    if (++this.#depth > deepest) throw new Error(`is nested deeper than ${deepest}`);
    const of = [this.#sequence()];
    while (this.#take('|')) of.push(this.#sequence());
    this.#depth--;
    return of.length === 1 ? of[0]! : { kind: 'choice', of };
  }

  #sequence(): RegexNode {
    const of: RegexNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) of.push(this.#repeated());
    return of.length === 1 ? of[0]! : { kind: 'sequence', of };
  }

  #repeated(): RegexNode {
    const of = this.#element();
    const found = this.#match(/(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (found === null) return of;
    const [text, least, comma, most] = found;
    if (this.#match(/[*+?]/y) !== null) throw new Error('repeats a repetition');
    if (least === undefined) {
      return { kind: 'repeat', of, least: text[0] === '+' ? 1 : 0, most: text[0] === '?' ? 1 : Infinity };
    }
    const end = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most);
    if (Number(least) > mostRepeats || (end > mostRepeats && end !== Infinity) || end < Number(least)) {
      throw new Error(`has the repetition ${text}`);
    }
    return { kind: 'repeat', of, least: Number(least), most: end };
  }

  #element(): RegexNode {
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return { kind: 'set', set: this.#spelled(this.#class()) };
    if (this.#take('.')) return set(this.#dotAll ? [] : [[0x0a, 0x0a]], true);
    if (this.#take('^')) return { kind: 'assert', what: 'lineStart' };
    if (this.#take('$')) return { kind: 'assert', what: 'lineEnd' };
    const assertion = this.#match(/\\([bBAzZ])/y)?.[1];
    if (assertion === 'Z') return endOrLastBreak;
    if (assertion !== undefined) return { kind: 'assert', what: assertions.get(assertion)! };
    if (/[*+?]/.test(this.#source[this.#at]!)) throw new Error('has nothing to repeat');
    const one = this.#character();
    return {
      kind: 'set',
      set: this.#spelled(typeof one === 'number' ? { ranges: [[one, one]], negated: false } : one),
    };
  }

  #group(): RegexNode {
    const isCaseless = this.#caseless !== 'refused' && this.#match(/\?i:/y) !== null;
    const kind = isCaseless ? '' : (this.#match(/\?(?:[:=!]|<[=!]|P?<\w+>)/y)?.[0] ?? '');
    if (kind === '' && this.#source[this.#at] === '?') throw new Error('has a group of an unknown kind');
    const before = this.#spellsBoth;
    if (isCaseless) this.#spellsBoth = this.#caseless === 'spelled';
    const of = this.#choice();
    this.#spellsBoth = before;
    if (!this.#take(')')) throw new Error('has a parenthesis that is not closed');
    if (!/^\?<?[=!]$/.test(kind)) return of;
    return { kind: 'look', of, behind: kind.includes('<'), negated: kind.endsWith('!') };
  }

  #spelled(one: CharacterSet): CharacterSet {
    return this.#spellsBoth ? { ...one, ranges: one.ranges.flatMap(ofBothCases) } : one;
  }

  #class(): CharacterSet {
    const negated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || !this.#take(']'); first = false) {
      if (this.#at >= this.#source.length) throw new Error('has a class that is not closed');
      const named = this.#match(/\[:(\w+):\]/y)?.[1];
      if (named !== undefined) {
        ranges.push(...posixRanges(named));
        continue;
      }
      const from = this.#character();
      if (typeof from !== 'number') {
        ranges.push(...(from.negated ? complement(from.ranges) : from.ranges));
        continue;
      }
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
      if (isRange) this.#at++;
      const to = isRange ? this.#character() : from;
      if (typeof to !== 'number' || to < from) throw new Error('has a range without order');
      ranges.push([from, to]);
    }
    return { ranges, negated };
  }

  /** One code point, or the class that an escape stands for. */
  #character(): number | CharacterSet {
    const hex = this.#match(/\\(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4}))/y);
    if (hex !== null) return Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
    const escaped = this.#match(/\\([^])/uy)?.[1];
    if (escaped === undefined) {
      const point = this.#source.codePointAt(this.#at);
      if (point === undefined) throw new Error('ends too early');
      this.#at += point > 0xffff ? 2 : 1;
      return point;
    }
    const ranges = classEscapes.get(escaped.toLowerCase());
    if (ranges !== undefined) return { ranges, negated: escaped !== escaped.toLowerCase() };
    const control = controls.get(escaped);
    if (control !== undefined) return control;
    if (/[A-Za-z0-9]/.test(escaped)) throw new Error(`has the escape \\${escaped}`);
    return escaped.codePointAt(0)!;
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}

const assertions = new Map([
  ['b', 'word'],
  ['B', 'noWord'],
  ['A', 'textStart'],
  ['z', 'textEnd'],
] as const) as ReadonlyMap<string, 'word' | 'noWord' | 'textStart' | 'textEnd'>;

const endOrLastBreak: RegexNode = {
  kind: 'sequence',
  of: [
    { kind: 'repeat', of: set([[0x0a, 0x0a]]), least: 0, most: 1 },
    { kind: 'assert', what: 'textEnd' },
  ],
};

/** A range with the other case of the letters of ASCII in it. */
function ofBothCases(range: readonly [number, number]): (readonly [number, number])[] {
  const [low, high] = range;
  const within = (first: number, distance: number): (readonly [number, number])[] => {
    const [from, to] = [Math.max(low, first), Math.min(high, first + 25)];
    return from > to ? [] : [[from + distance, to + distance]];
  };
  const like = likeLetters.filter(([point]) => low <= point && point <= high);
  const letters = like.flatMap(([, letter]) => [[letter, letter] as const, [letter - 0x20, letter - 0x20] as const]);
  return [range, ...within(0x41, 0x20), ...within(0x61, -0x20), ...letters];
}

function set(ranges: CharacterSet['ranges'], negated = false): RegexNode {
  return { kind: 'set', set: { ranges, negated } };
}

function posixRanges(name: string): CharacterSet['ranges'] {
  const text = posix.get(name);
  if (text === undefined) throw new Error(`has the unknown class [:${name}:]`);
  return Array.from({ length: text.length / 3 }, (_, i) => [text.charCodeAt(i * 3), text.charCodeAt(i * 3 + 2)]);
}

function complement(ranges: CharacterSet['ranges']): CharacterSet['ranges'] {
  const gaps: (readonly [number, number])[] = [];
  let from = 0;
  for (const [low, high] of ranges) {
    if (low > from) gaps.push([from, low - 1]);
    from = high + 1;
  }
  return [...gaps, [from, all]];
}
