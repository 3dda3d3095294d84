import { ByteInterner } from '../../events/byte-interner.ts';
import { decodeUtf16 } from '../../events/utf16.ts';
import { CHUNK_SIZE, type Chunk, LONGEST_NAME } from './chunk.ts';
import { DEEPEST_ELEMENT, MORE, MOST_VALUES, token } from './tokens.ts';
import { valueType, widths } from './value-types.ts';

const MOST_SYMBOLS = 100_000;
/** A token has at least as many bytes as numbers in the sequence. */
const MOST_NUMBERS = CHUNK_SIZE;
const LONGEST_BLANK = 64;
/** The words that matter here, and their symbols, as they are the first. */
const DATA_WORD = utf16('Data');
const NAME_WORD = utf16('Name');
const DATA = 1;
const NAME = 2;
/** Stands in the sequence for a text that is a value, not part of the structure. */
const VALUE = 0x105;

/**
 * Reads tokens to a sequence of numbers that tells their structure: equal sequences come to equal
 * pieces, in whatever chunk they stand. In records without template, texts are values; in
 * definitions they belong to the structure, as do blanks and the names of Data elements everywhere.
 * Makes no objects but for names and texts that are new.
 */
export class TokenScanner {
  readonly sequence = new Int32Array(MOST_NUMBERS);
  length = 0;
  /** Offset after what was read. */
  at = 0;
  /** How many texts are values, where they lie, and their types. */
  values = 0;
  readonly offsets = new Int32Array(MOST_VALUES);
  readonly sizes = new Int32Array(MOST_VALUES);
  readonly types = new Uint8Array(MOST_VALUES);
  /**
   * Where the names of a definition stand: for each the offset of its reference from the start, its
   * symbol, and the offset behind it, as a name may follow its reference.
   */
  readonly names = new Int32Array(MOST_NUMBERS);
  nameNumbers = 0;
  readonly #symbols = new ByteInterner();
  readonly #text = this.#symbols.kind(decodeUtf16);
  #lastSymbol = 0;
  /** Symbols of the names at these offsets of the chunk, as names are used many times in one. */
  readonly #names = new Int32Array(CHUNK_SIZE);
  readonly #nameOffsets: number[] = [];
  #chunk!: Chunk;
  #start = 0;
  #end = 0;
  #isDefinition = false;
  #isSound = true;
  /** Whether the last element opened is a Data element, and the last attribute its name. */
  #isData = false;
  #isDataName = false;

  constructor() {
    this.forget();
  }

  /** Whether there are so many names that it should forget them; sequences are void then. */
  get isFull(): boolean {
    return this.#lastSymbol > MOST_SYMBOLS;
  }

  forget(): void {
    this.#symbols.clear();
    this.#lastSymbol = 0;
    for (const word of [DATA_WORD, NAME_WORD]) this.#symbol(word, 0, word.length);
  }

  /** To be called before the first scan of each chunk. */
  startChunk(chunk: Chunk): void {
    for (const offset of this.#nameOffsets) this.#names[offset] = 0;
    this.#nameOffsets.length = 0;
    this.#chunk = chunk;
  }

  /** Reads up to the end of the stream or of the bytes; false when there is more to it than a sequence tells. */
  scan(start: number, end: number, isDefinition: boolean, openElements = 0): boolean {
    const { bytes } = this.#chunk;
    this.#start = start;
    this.#end = end;
    this.#isDefinition = isDefinition;
    this.#isSound = true;
    this.at = start;
    this.length = 0;
    this.values = 0;
    this.nameNumbers = 0;
    let depth = openElements;
    while (this.#isSound && this.at < end) {
      const kind = bytes[this.at++]!;
      if (kind === token.end) break;
      if ((kind & ~MORE) === token.openStart) depth++;
      else if (kind === token.closeEmpty || kind === token.endElement) depth--;
      if (depth < openElements || depth > DEEPEST_ELEMENT) return false;
      this.#token(kind);
    }
    return this.#isSound && depth === openElements;
  }

  #token(kind: number): void {
    switch (kind & ~MORE) {
      case token.openStart:
        this.#open(kind);
        return;
      case token.closeStart:
      case token.closeEmpty:
      case token.endElement:
        this.#isDataName = false;
        this.#push(kind);
        return;
      case token.attribute: {
        this.#push(kind & ~MORE);
        this.#isDataName = this.#name() === NAME && this.#isData;
        return;
      }
      case token.fragmentHeader:
        this.#skip(3);
        return;
      default:
        this.#content(kind & ~MORE);
    }
  }

  #open(kind: number): void {
    this.#push(kind);
    this.#skip(this.#isDefinition ? 6 : 4);
    this.#isData = this.#name() === DATA;
    this.#isDataName = false;
    if ((kind & MORE) !== 0) this.#skip(4);
  }

  #content(kind: number): void {
    switch (kind) {
      case token.value:
        this.#value();
        return;
      case token.cdata:
        this.#string();
        return;
      case token.entityRef:
      case token.instructionTarget:
        this.#push(kind);
        this.#name();
        return;
      case token.instructionData:
        this.#push(kind);
        this.#counted();
        return;
      case token.charRef:
        this.#push(kind);
        this.#push(this.#u16());
        return;
      case token.substitution:
      case token.optionalSubstitution:
        this.#push(kind);
        this.#push(this.#u16());
        this.#skip(1);
        if (!this.#isDefinition) this.#isSound = false;
        return;
      default:
        this.#isSound = false;
    }
  }

  #value(): void {
    const type = this.#byte();
    if (type === valueType.string) {
      this.#string();
      return;
    }
    const width = widths[type]!;
    const at = this.at;
    this.#skip(width);
    if (width === 0) this.#isSound = false;
    if (!this.#isSound) return;
    if (this.#isDefinition) {
      this.#push(token.value | (type << 8));
      this.#push(this.#symbol(this.#chunk.bytes, at, width));
    } else {
      this.#place(type, at, width);
    }
  }

  #string(): void {
    const size = this.#u16() * 2;
    const at = this.at;
    this.#skip(size);
    if (!this.#isSound) return;
    if (this.#isDefinition || this.#isDataName || this.#isBlank(at, size)) {
      this.#push(token.value);
      this.#push(this.#symbol(this.#chunk.bytes, at, size));
    } else {
      this.#place(valueType.string, at, size);
    }
  }

  #place(type: number, at: number, size: number): void {
    if (this.values === this.types.length) {
      this.#isSound = false;
      return;
    }
    this.#push(VALUE);
    this.offsets[this.values] = at;
    this.sizes[this.values] = size;
    this.types[this.values++] = type;
  }

  /** A text that always belongs to the structure. */
  #counted(): void {
    const size = this.#u16() * 2;
    const at = this.at;
    this.#skip(size);
    if (this.#isSound) this.#push(this.#symbol(this.#chunk.bytes, at, size));
  }

  /** Symbol of the name at this offset of the chunk; 0 when there is none. */
  symbolAt(offset: number): number {
    const { view, size, bytes } = this.#chunk;
    if (offset + 8 > size) return 0;
    const known = this.#names[offset]!;
    if (known !== 0) return known;
    const length = view.getUint16(offset + 6, true);
    if (length > LONGEST_NAME || offset + 8 + length * 2 > size) return 0;
    const symbol = this.#symbol(bytes, offset + 8, length * 2);
    this.#names[offset] = symbol;
    this.#nameOffsets.push(offset);
    return symbol;
  }

  /** Adds a name to the sequence and returns its symbol. */
  #name(): number {
    const place = this.at - this.#start;
    const offset = this.#u32();
    const symbol = this.#isSound ? this.symbolAt(offset) : 0;
    if (symbol === 0) this.#isSound = false;
    else if (offset === this.at) this.#skip(10 + this.#chunk.view.getUint16(offset + 6, true) * 2);
    if (!this.#isSound) return 0;
    this.#push(symbol);
    if (this.#isDefinition) this.#noteName(place, symbol);
    return symbol;
  }

  #noteName(place: number, symbol: number): void {
    this.names[this.nameNumbers] = place;
    this.names[this.nameNumbers + 1] = symbol;
    this.names[this.nameNumbers + 2] = this.at - this.#start;
    this.nameNumbers += 3;
  }

  #symbol(bytes: Uint8Array, at: number, size: number): number {
    const known = this.#symbols.find(this.#text, bytes, at, size);
    if (known !== 0) return known;
    this.#symbols.add(++this.#lastSymbol, this.#text, at, size);
    return this.#lastSymbol;
  }

  /** White space, as stands between elements. */
  #isBlank(at: number, size: number): boolean {
    if (size === 0 || size > LONGEST_BLANK) return false;
    const { view } = this.#chunk;
    for (let i = at; i < at + size; i += 2) {
      const unit = view.getUint16(i, true);
      if (unit !== 0x20 && (unit < 0x09 || unit > 0x0d)) return false;
    }
    return true;
  }

  #push(number: number): void {
    this.sequence[this.length++] = number;
  }

  #byte(): number {
    const { at } = this;
    this.#skip(1);
    return this.#isSound ? this.#chunk.bytes[at]! : 0;
  }

  #u16(): number {
    const { at } = this;
    this.#skip(2);
    return this.#isSound ? this.#chunk.view.getUint16(at, true) : 0;
  }

  #u32(): number {
    const { at } = this;
    this.#skip(4);
    return this.#isSound ? this.#chunk.view.getUint32(at, true) : 0;
  }

  #skip(length: number): void {
    if (this.at + length > this.#end) this.#isSound = false;
    else this.at += length;
  }
}

function utf16(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length * 2 }, (_, i) => (i % 2 === 0 ? text.charCodeAt(i / 2) : 0));
}
