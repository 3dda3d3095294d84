const FIRST_SIZE = 128 * 1024;
/** Room behind what is written, for words of which only the first bytes count. */
const SLACK = 4;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const MINUS = 0x2d;
const ZERO = 0x30;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
/** Bytes of a GUID in the order of its text; -1 for a dash. */
const guidPlaces = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15];
/** By character, the letter of its own escape; 0 where it has none. */
const shortEscapes = new Uint8Array(0x80);
for (const [character, letter] of Object.entries({
  '"': '"',
  '\\': '\\',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\f': 'f',
  '\r': 'r',
}))
  shortEscapes[character.charCodeAt(0)] = letter.charCodeAt(0);
/** Characters of ASCII that stand in a string as they are. */
const isPlain = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  unit >= SPACE && unit !== QUOTE && unit !== BACKSLASH ? 1 : 0,
);
/** Bits that are set where one of two units of UTF-16 is beyond ASCII. */
const NOT_ASCII = 0xff80_ff80 | 0;
const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Bytes that are JSON already, as words of four, the last one filled up. */
export interface JsonPiece {
  readonly words: Int32Array;
  readonly length: number;
}

export function jsonPiece(json: string): JsonPiece {
  const bytes = new TextEncoder().encode(json);
  const view = new DataView(new ArrayBuffer((bytes.length + 3) & ~3));
  for (const [i, byte] of bytes.entries()) view.setUint8(i, byte);
  return {
    words: Int32Array.from({ length: view.byteLength / 4 }, (_, i) => view.getInt32(i * 4, true)),
    length: bytes.length,
  };
}

/** Bytes of JSON being written, in a buffer that grows and is used again. */
export class JsonOutput {
  length = 0;
  #bytes = new Uint8Array(FIRST_SIZE);
  #view = new DataView(this.#bytes.buffer);
  readonly #encoder = new TextEncoder();

  /** What has been written; good until more is. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** The last byte written. */
  get last(): number {
    return this.#bytes[this.length - 1] ?? 0;
  }

  raw({ words, length }: JsonPiece): void {
    this.#reserve(length);
    const view = this.#view;
    const at = this.length;
    for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i]!, true);
    this.length = at + length;
  }

  /** Characters of JSON, all of ASCII. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.length + i] = text.charCodeAt(i);
    this.length += text.length;
  }

  /** Characters of JSON. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    this.length += this.#encoder.encodeInto(text, this.#bytes.subarray(this.length)).written;
  }

  /** A string of characters of ASCII that need no escape. */
  quoted(text: string): void {
    this.byte(QUOTE);
    this.ascii(text);
    this.byte(QUOTE);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = byte;
  }

  /** An integer from 0 to 2^53. */
  integer(value: number): void {
    this.#reserve(16);
    const bytes = this.#bytes;
    let end = this.length + digitsOf(value);
    this.length = end;
    let rest = value;
    // The remainder of numbers of more than 31 bits is slow.
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 10)) bytes[--end] = ZERO + (rest % 10);
    let small = rest | 0;
    do {
      const next = (small / 10) | 0;
      bytes[--end] = ZERO + small - next * 10;
      small = next;
    } while (small > 0);
  }

  /** A string of a number of two halves of 32 bits, as `0x` and its digits. */
  hexadecimal(low: number, high: number): void {
    this.#reserve(20);
    const bytes = this.#bytes;
    let at = this.length;
    bytes[at++] = QUOTE;
    bytes[at++] = ZERO;
    bytes[at++] = LOWER_X;
    let digit = high === 0 ? 7 : 15;
    const digitAt = (place: number): number => (place > 7 ? high >>> (4 * (place - 8)) : low >>> (4 * place)) & 0xf;
    while (digit > 0 && digitAt(digit) === 0) digit--;
    for (; digit >= 0; digit--) bytes[at++] = hexDigits[digitAt(digit)]!;
    bytes[at++] = QUOTE;
    this.length = at;
  }

  /** A string of the 16 bytes of a GUID, in braces. */
  guid(source: Uint8Array, offset: number): void {
    this.#reserve(40);
    const bytes = this.#bytes;
    let at = this.length;
    bytes[at++] = QUOTE;
    bytes[at++] = BRACE_OPEN;
    for (const place of guidPlaces) {
      if (place < 0) {
        bytes[at++] = MINUS;
        continue;
      }
      const byte = source[offset + place]!;
      bytes[at++] = hexDigits[byte >> 4]!;
      bytes[at++] = hexDigits[byte & 0xf]!;
    }
    bytes[at++] = BRACE_CLOSE;
    bytes[at++] = QUOTE;
    this.length = at;
  }

  /** A security identifier of as many parts as it says. */
  sid(source: DataView, offset: number): void {
    const parts = source.getUint8(offset + 1);
    this.ascii('"S-');
    this.integer(source.getUint8(offset));
    this.byte(MINUS);
    this.integer(source.getUint16(offset + 2) * 0x1_0000_0000 + source.getUint32(offset + 4));
    for (let i = 0; i < parts; i++) {
      this.byte(MINUS);
      this.integer(source.getUint32(offset + 8 + i * 4, true));
    }
    this.byte(QUOTE);
  }

  /** UTF-16LE up to its first NUL, as a string; unpaired surrogates are escaped. */
  utf16(source: DataView, offset: number, byteLength: number): void {
    this.#reserve(byteLength * 3 + 2);
    const bytes = this.#bytes;
    const end = offset + (byteLength & ~1);
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let from = offset; from < end; from += 2) {
      // Nearly all there is are two characters of ASCII after two others.
      for (; from + 4 <= end; from += 4) {
        const two = source.getInt32(from, true);
        if ((two & NOT_ASCII) !== 0 || isPlain[two & 0x7f]! + isPlain[two >> 16]! !== 2) break;
        bytes[at++] = two;
        bytes[at++] = two >> 16;
      }
      if (from >= end) break;
      const unit = source.getUint16(from, true);
      if (unit === 0) break;
      if (unit < 0x80) at = isPlain[unit] === 1 ? this.#ascii(unit, at) : this.#escape(unit, at);
      else if ((unit & 0xf800) === 0xd800) {
        const next = from + 4 <= end ? source.getUint16(from + 2, true) : 0;
        const isPair = unit < 0xdc00 && (next & 0xfc00) === 0xdc00;
        at = isPair ? this.#pair(unit, next, at) : this.#escape(unit, at);
        if (isPair) from += 2;
      } else at = this.#character(unit, at);
    }
    bytes[at++] = QUOTE;
    this.length = at;
  }

  #ascii(unit: number, at: number): number {
    this.#bytes[at] = unit;
    return at + 1;
  }

  #escape(unit: number, from: number): number {
    const bytes = this.#bytes;
    let at = from;
    const short = unit < 0x80 ? shortEscapes[unit]! : 0;
    bytes[at++] = BACKSLASH;
    if (short !== 0) {
      bytes[at++] = short;
      return at;
    }
    bytes[at++] = LOWER_U;
    for (let shift = 12; shift >= 0; shift -= 4) bytes[at++] = hexDigits[(unit >> shift) & 0xf]!;
    return at;
  }

  #character(unit: number, from: number): number {
    const bytes = this.#bytes;
    let at = from;
    if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6);
    } else {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (unit & 0x3f);
    return at;
  }

  #pair(high: number, low: number, from: number): number {
    const bytes = this.#bytes;
    const point = 0x1_0000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
    bytes[from] = 0xf0 | (point >> 18);
    bytes[from + 1] = 0x80 | ((point >> 12) & 0x3f);
    bytes[from + 2] = 0x80 | ((point >> 6) & 0x3f);
    bytes[from + 3] = 0x80 | (point & 0x3f);
    return from + 4;
  }

  #reserve(count: number): void {
    const needed = this.length + count + SLACK;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, needed));
    larger.set(this.bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; value >= power; power *= 10) digits++;
  return digits;
}
