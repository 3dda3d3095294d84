import { type LiteralTables, normal } from './literal-tables.ts';

const DASH = 0x2d;
const SLASH = 0x2f;
const NOT_ASCII = 0xff;
const MULTIPLIER = 0x9e3779b1;
/** Bits that bytes outside ASCII have, and those that make small letters of capital ones (and other signs of some). */
const HIGH_BITS = 0x80808080;
const FOLD_BITS = 0x20202020;
/** Characters that logs are full of, and those that are common in them still. */
const frequent = ' eaotinsr01';
const common = 'ldcmupfhg23456789=.:-"';
/** Words that logs of all kinds are full of: stretches that stand in them tell little. */
const everyday =
  'failed password for invalid user root from host port ssh session opened closed by service started stopped systemd ' +
  'daemon kernel hostname tty terminal command user_ component prefix preauth rejected location device network connection received accepted success error signature decoding auth audit audit: ' +
  '/usr/lib/systemd /usr/bin/ /usr/sbin/ /var/log/ /etc/ /dev/ /home/ /system /run/ exec libexec display information ' +
  'failed password for invalid user root from 1.2.3.4 port 22 ssh2 connection closed by 1.2.3.4 [preauth] new user: ' +
  'pam_unix(sshd:auth): authentication failure; logname= ruser= rhost= reverse mapping checking getaddrinfo failed ' +
  'hostname=? addr=? terminal=? res=success comm= exe="/usr/ uid="root" gid="root" key=(null) items= name= root:root ' +
  'unconfined_u:unconfined_r:unconfined_t:s0 system_u:system_r:init_t:s0 uid=0 auid= ses= all this with signing key http';
const longestGram = 3;
/** Bytes of a stretch, and from one place looked at to the next; the quickest first. */
const ways = [
  [3, 4],
  [3, 2],
  [2, 2],
  [3, 1],
  [2, 1],
  [1, 1],
] as const;
/** Every byte with its fold bit set, for a place of a stretch that lies outside a short literal. */
const anyByte = Array.from({ length: 0x100 }, (_, byte) => byte).filter((byte) => (byte & FOLD_BITS & 0xff) !== 0);
/** Literals so short that stretches reach beyond them are filed under all that may stand there, so they are few. */
const mostReachingOut = 8;

/** By character, how little it tells. */
const weights = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  return frequent.includes(char) ? 3 : common.includes(char) ? 2 : 1;
});

/** How often each stretch stands in those words. */
const everydayStretches = new Map<number, number>();
const everydayUnits = Uint16Array.from(everyday, (char) => normal(char.charCodeAt(0)));
for (let length = 1; length <= longestGram; length++) {
  for (let at = 0; at + length <= everydayUnits.length; at++) {
    const stretch = packed(everydayUnits, at, length);
    everydayStretches.set(stretch, (everydayStretches.get(stretch) ?? 0) + 1);
  }
}

/** First bytes of characters, in UTF-8, that count as one of ASCII when folded: `ı`, `ſ`, dashes and the Kelvin sign, and that of `windash`. */
const likeAscii = new Set([0xc4, 0xc5, 0xe2, 0xee]);

/** By byte, the folded character that literals are compared with. */
const units = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? normal(String.fromCharCode(byte).toLowerCase().charCodeAt(0)) : NOT_ASCII,
);

/**
 * Finds which of some literals stand in bytes of UTF-8, of which no text need be made, a word of four bytes
 * at a time: a literal is filed under as many stretches of it, one behind the other, as bytes lie between
 * the places looked at. Case and dashes count as for `LiteralIndex`.
 */
export class AsciiSearch {
  readonly #tables: LiteralTables;
  /** By byte, whether it takes the text to tell what stands there. */
  readonly #isUnclear: Uint8Array;
  /** Bytes of a stretch. */
  readonly #gram: number;
  /** From one place looked at to the next: 1, 2 or 4 bytes. */
  readonly #stride: number;
  /** The bits of a word that belong to the stretch at its beginning. */
  readonly #mask: number;
  readonly #shift: number;
  /** By hash, whether anything is filed there; small enough to stay in the nearest cache. */
  readonly #filter: Uint8Array;
  /** By hash, one more than an entry; by entry, the next one of the hash, its stretch, literal, and place in that. */
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #stretches: Int32Array;
  readonly #literals: Int32Array;
  readonly #places: Int32Array;
  /** Turn in which a literal was last found, so that it is told once. */
  readonly #seen: Int32Array;
  #turn = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  /** The bytes, four by four, the lowest first as on all machines that there are. */
  #words: Int32Array = new Int32Array(0);
  #bytesBefore: Uint8Array = this.#bytes;
  #wordsBefore: Int32Array = this.#words;

  /** @param others whether other characters than those of ASCII are looked for elsewhere, so that it takes the text for all of them. */
  constructor(tables: LiteralTables, others: boolean) {
    this.#tables = tables;
    const { starts } = tables;
    const possible = [...tables.next.keys()].filter((number) => isAscii(tables, number));
    const areUnclear = others || possible.length < tables.next.length;
    const isUnclear = (byte: number): boolean => byte > 0x7f && (areUnclear || likeAscii.has(byte));
    this.#isUnclear = Uint8Array.from({ length: 256 }, (_, byte) => (isUnclear(byte) ? 1 : 0));
    const lengths = possible.map((number) => starts[number + 1]! - starts[number]!);
    [this.#gram, this.#stride] = ways.find(([gram, stride]) => isPossible(lengths, gram, stride))!;
    this.#mask = 0xffffff >>> (8 * (longestGram - this.#gram));
    const entries = possible.flatMap((literal) => this.#entriesOf(literal));
    this.#shift = Math.clz32(Math.max(64, entries.length * 32));
    this.#filter = new Uint8Array(2 ** (32 - this.#shift));
    this.#heads = new Int32Array(this.#filter.length);
    this.#next = new Int32Array(entries.length);
    this.#stretches = new Int32Array(entries.length);
    this.#literals = new Int32Array(entries.length);
    this.#places = new Int32Array(entries.length);
    for (const [entry, { word, literal, place }] of entries.entries()) {
      const hash = this.#hash(word);
      this.#next[entry] = this.#heads[hash]!;
      this.#heads[hash] = entry + 1;
      this.#filter[hash] = 1;
      this.#stretches[entry] = (word | FOLD_BITS) & this.#mask;
      this.#literals[entry] = literal;
      this.#places[entry] = place;
    }
    this.#seen = new Int32Array(tables.next.length);
  }

  /**
   * Adds the numbers of the literals that stand at [from, to), each once. False where it takes the text to
   * tell, since a character may be one of a literal though none of ASCII: what was added means nothing then.
   */
  search(bytes: Uint8Array, from: number, to: number, found: number[]): boolean {
    if ((bytes.byteOffset & 3) !== 0) return this.search(bytes.slice(from, to), 0, to - from, found);
    if (bytes !== this.#bytes) this.#turnTo(bytes);
    this.#turn++;
    const words = this.#words;
    const filter = this.#filter;
    const mask = this.#mask;
    const shift = this.#shift;
    const stride = this.#stride;
    const last = to >> 2;
    let index = from >> 2;
    let word = this.#wordAt(index, from, to);
    while (index < last) {
      if ((word & HIGH_BITS) !== 0 && this.#hasUnclear(word)) return false;
      const low = word | FOLD_BITS;
      if (filter[Math.imul(low & mask, MULTIPLIER) >>> shift] !== 0) this.#compare(low, index * 4, from, to, found);
      if (stride < 4) {
        word = index + 1 < last ? words[index + 1]! : this.#wordAt(last, from, to);
        const high = (low >>> 16) | (word << 16) | FOLD_BITS;
        if (filter[Math.imul(high & mask, MULTIPLIER) >>> shift] !== 0)
          this.#compare(high, index * 4 + 2, from, to, found);
        if (stride === 1) {
          if (filter[Math.imul((low >>> 8) & mask, MULTIPLIER) >>> shift] !== 0)
            this.#compare(low >>> 8, index * 4 + 1, from, to, found);
          if (filter[Math.imul((high >>> 8) & mask, MULTIPLIER) >>> shift] !== 0)
            this.#compare(high >>> 8, index * 4 + 3, from, to, found);
        }
        index++;
      } else {
        index = this.#nextHit(index + 1, last);
        word = index < last ? words[index]! : this.#wordAt(last, from, to);
      }
    }
    if ((word & HIGH_BITS) !== 0 && this.#hasUnclear(word)) return false;
    const end = word | FOLD_BITS;
    for (let i = 0; index * 4 + i < to; i += stride) {
      const rest = (end >>> (8 * i)) | FOLD_BITS;
      if (filter[this.#hash(rest)] !== 0) this.#compare(rest, index * 4 + i, from, to, found);
    }
    return true;
  }

  /** Takes up other bytes, often those before the last: a log's and what is decoded of it are searched in turn. */
  #turnTo(bytes: Uint8Array): void {
    const [bytesBefore, wordsBefore] = [this.#bytes, this.#words];
    const isKnown = bytes === this.#bytesBefore;
    this.#words = isKnown ? this.#wordsBefore : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    this.#bytes = bytes;
    this.#bytesBefore = bytesBefore;
    this.#wordsBefore = wordsBefore;
  }

  /** From a word on, the first one where something may stand that is filed, or a byte that is none of ASCII. */
  #nextHit(from: number, last: number): number {
    const words = this.#words;
    const filter = this.#filter;
    const mask = this.#mask;
    const shift = this.#shift;
    let index = from;
    // Two at a time, of which one does not wait for the other.
    for (; index + 1 < last; index += 2) {
      const one = words[index]!;
      const two = words[index + 1]!;
      if (((one | two) & HIGH_BITS) !== 0) return index;
      const first = filter[Math.imul((one | FOLD_BITS) & mask, MULTIPLIER) >>> shift]!;
      if ((first | filter[Math.imul((two | FOLD_BITS) & mask, MULTIPLIER) >>> shift]!) !== 0) return index + 1 - first;
    }
    return index;
  }

  #hasUnclear(word: number): boolean {
    const isUnclear = this.#isUnclear;
    return (
      (isUnclear[word & 0xff]! |
        isUnclear[(word >>> 8) & 0xff]! |
        isUnclear[(word >>> 16) & 0xff]! |
        isUnclear[word >>> 24]!) !==
      0
    );
  }

  /** A word of which the bytes outside [from, to) are 0. */
  #wordAt(index: number, from: number, to: number): number {
    let word = 0;
    if (index < this.#words.length) {
      word = this.#words[index]!;
      if (index * 4 < from) word &= -1 << (8 * (from & 3));
      return index * 4 + 4 > to ? word & ((1 << (8 * (to & 3))) - 1) : word;
    }
    for (let i = 0, at = index * 4; i < 4; i++, at++) {
      if (at >= from && at < to) word |= this.#bytes[at]! << (8 * i);
    }
    return word;
  }

  /** Compares what is filed under the stretch that a word, folded, begins with. */
  #compare(word: number, at: number, from: number, to: number, found: number[]): void {
    const stretch = word & this.#mask;
    for (let entry = this.#heads[this.#hash(word)]!; entry !== 0; entry = this.#next[entry - 1]!) {
      if (this.#stretches[entry - 1] !== stretch) continue;
      const literal = this.#literals[entry - 1]!;
      const start = at - this.#places[entry - 1]!;
      if (this.#seen[literal] === this.#turn || !this.#standsAt(literal, start, from, to)) continue;
      this.#seen[literal] = this.#turn;
      found.push(literal);
    }
  }

  #standsAt(literal: number, at: number, from: number, to: number): boolean {
    const { units: characters, starts } = this.#tables;
    const start = starts[literal]!;
    const length = starts[literal + 1]! - start;
    if (at < from || at + length > to) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (characters[start + i] !== units[bytes[at + i]!]) return false;
    return true;
  }

  #hash(word: number): number {
    return Math.imul((word | FOLD_BITS) & this.#mask, MULTIPLIER) >>> this.#shift;
  }

  /** The stretches that a literal is filed under; one with a dash stands for one with a slash, too. */
  #entriesOf(literal: number): { word: number; literal: number; place: number }[] {
    const { units: characters, starts } = this.#tables;
    const own = characters.subarray(starts[literal], starts[literal + 1]);
    const first = own.length < this.#gram + this.#stride - 1 ? -1 : this.#rarest(own);
    return Array.from({ length: this.#stride }, (_, i) => {
      const place = first + i;
      let words = [0];
      for (let at = 0; at < this.#gram; at++) {
        const unit = own[place + at];
        const bits = 8 * at;
        if (unit !== undefined && unit !== DASH) words = words.map((word) => word | (unit << bits));
        else {
          const spellings = unit === undefined ? anyByte : [DASH, SLASH];
          words = words.flatMap((word) => spellings.map((one) => word | (one << bits)));
        }
      }
      return words.map((word) => ({ word, literal, place }));
    }).flat();
  }

  /** Where in a literal the stretches begin that are the least likely to be met by chance. */
  #rarest(literal: Uint16Array): number {
    const length = this.#gram + this.#stride - 1;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let from = 0; from + length <= literal.length; from++) {
      let weight = 0;
      for (let at = from; at < from + length; at++) weight += weights[literal[at]!]!;
      for (let i = 0; i < this.#stride; i++) {
        weight += 2 * (everydayStretches.get(packed(literal, from + i, this.#gram)) ?? 0);
      }
      if (weight < least) [best, least] = [from, weight];
    }
    return best;
  }
}

/** Characters of ASCII as one number, other than those of another length. */
function packed(characters: Uint16Array, from: number, length: number): number {
  let number = length;
  for (let at = from; at < from + length; at++) number = (number << 8) | characters[at]!;
  return number;
}

function isAscii({ units: characters, starts }: LiteralTables, literal: number): boolean {
  return characters.subarray(starts[literal], starts[literal + 1]).every((unit) => unit < 0x80);
}

/** Whether literals of these lengths have stretches enough, those of a few short ones reaching out by one byte. */
function isPossible(lengths: readonly number[], gram: number, stride: number): boolean {
  const short = lengths.filter((length) => length < gram + stride - 1);
  if (stride === 1) return short.length === 0;
  return short.length <= mostReachingOut && short.every((length) => length >= gram + stride - 3);
}
