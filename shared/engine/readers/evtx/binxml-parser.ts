import { decodeUtf16 } from '../../events/utf16.ts';
import type { Chunk } from './chunk.ts';
import { DEEPEST_ELEMENT, MORE, token } from './tokens.ts';
import type { Attribute, ElementPiece, Piece, Typed } from './nodes.ts';
import { decoders, typedText } from './value-text.ts';
import { valueType, widths } from './value-types.ts';

const textTokens: ReadonlySet<number> = new Set([
  token.value,
  token.cdata,
  token.charRef,
  token.entityRef,
  token.substitution,
  token.optionalSubstitution,
]);

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Reads the template instances that a record's tokens contain. */
export interface Instances {
  /** How many there are; the next one opened gets this number. */
  readonly instances: number;
  /** How many elements are open around the next token. */
  openElements: number;
  /** Reads the instance whose token stands at `at`; returns the offset after it, -1 when damaged. */
  open(at: number, end: number): number;
}

/** What the tokens belong to. */
export type TokenSource =
  /** A template definition: values are substituted in it. */
  | { readonly kind: 'definition' }
  /** A record whose texts are values, at these offsets. */
  | { readonly kind: 'plain'; readonly values: number; readonly offsets: Int32Array }
  /** A record whose texts are its own. */
  | { readonly kind: 'record'; readonly instances: Instances };

/**
 * Turns binary XML tokens into pieces (detection-engine 2.4). Never throws: `damaged` says that it
 * stopped early, and what was read until then is returned.
 */
export class BinXmlParser {
  damaged = false;
  readonly #chunk: Chunk;
  readonly #end: number;
  readonly #source: TokenSource;
  #at: number;
  #depth = 0;
  #values = 0;

  constructor(chunk: Chunk, start: number, end: number, source: TokenSource) {
    this.#chunk = chunk;
    this.#at = start;
    this.#end = end;
    this.#source = source;
    if (source.kind === 'record') this.#depth = source.instances.openElements;
  }

  parse(): readonly Piece[] {
    const pieces: Piece[] = [];
    this.#content(pieces);
    return pieces;
  }

  /** Reads until the end of the stream or of the element around, telling which. */
  #content(into: Piece[]): number {
    while (!this.damaged && this.#at < this.#end) {
      const kind = this.#byte();
      if (kind === token.end || kind === token.endElement) return kind;
      this.#piece(kind, into);
    }
    return token.end;
  }

  #piece(kind: number, into: Piece[]): void {
    switch (kind & ~MORE) {
      case token.openStart:
        this.#element(kind, into);
        return;
      case token.instructionTarget:
        this.#instruction(into);
        return;
      case token.instance:
        this.#instance(into);
        return;
      case token.fragmentHeader:
        this.#skip(3);
        return;
      default:
        this.#text(kind, into);
    }
  }

  /** The tokens that may also stand in an attribute. */
  #text(kind: number, into: Piece[]): void {
    switch (kind & ~MORE) {
      case token.value:
        this.#value(into);
        return;
      case token.cdata:
        this.#string(into);
        return;
      case token.charRef:
        addText(into, String.fromCharCode(this.#u16()));
        return;
      case token.entityRef: {
        const name = this.#name();
        addText(into, entities.get(name) ?? `&${name};`);
        return;
      }
      case token.substitution:
      case token.optionalSubstitution:
        this.#substitution(kind === token.optionalSubstitution, into);
        return;
      default:
        this.damaged = true;
    }
  }

  #substitution(optional: boolean, into: Piece[]): void {
    const index = this.#u16();
    this.#skip(1);
    if (this.#source.kind === 'definition') into.push({ kind: 'value', index, optional });
    else this.damaged = true;
  }

  #element(kind: number, into: Piece[]): void {
    this.#skip(this.#source.kind === 'definition' ? 6 : 4);
    const name = this.#name();
    const attributes: Attribute[] = [];
    const content: Piece[] = [];
    if (this.damaged || ++this.#depth > DEEPEST_ELEMENT) {
      this.damaged = true;
      return;
    }
    into.push({ kind: 'element', name, attributes, content } satisfies ElementPiece);
    if ((kind & MORE) !== 0) this.#attributes(attributes);
    const close = this.#byte();
    if (close === token.closeStart) {
      if (this.#content(content) !== token.endElement) this.damaged = true;
    } else if (close !== token.closeEmpty) {
      this.damaged = true;
    }
    this.#depth--;
  }

  #attributes(into: Attribute[]): void {
    this.#skip(4);
    while (!this.damaged && (this.#peek() & ~MORE) === token.attribute) {
      this.#skip(1);
      const name = this.#name();
      const content: Piece[] = [];
      while (!this.damaged && textTokens.has(this.#peek() & ~MORE)) this.#text(this.#byte(), content);
      into.push({ name, content });
    }
  }

  #instruction(into: Piece[]): void {
    const target = this.#name();
    if (this.#peek() !== token.instructionData) return;
    this.#skip(1);
    into.push({ kind: 'instruction', target, data: this.#counted() });
  }

  #instance(into: Piece[]): void {
    if (this.#source.kind !== 'record') {
      this.damaged = true;
      return;
    }
    const { instances } = this.#source;
    const instance = instances.instances;
    instances.openElements = this.#depth;
    const next = instances.open(this.#at - 1, this.#end);
    if (next < 0) {
      this.damaged = true;
      return;
    }
    this.#at = next;
    into.push({ kind: 'instance', instance });
  }

  #value(into: Piece[]): void {
    const type = this.#byte();
    if (type === valueType.string) {
      this.#string(into);
      return;
    }
    const width = widths[type]!;
    const at = this.#at;
    this.#skip(width);
    const decode = decoders[type];
    if (width === 0 || decode === undefined) this.damaged = true;
    if (this.damaged || this.#isValue(at, into)) return;
    const text = decode!(this.#chunk.bytes, at, width);
    addText(into, text, typedText(type, text));
  }

  #string(into: Piece[]): void {
    const at = this.#at + 2;
    const text = this.#counted();
    if (!this.damaged && !this.#isValue(at, into)) addText(into, text);
  }

  /** Adds the text at `at` as a value, where it is one. */
  #isValue(at: number, into: Piece[]): boolean {
    const source = this.#source;
    if (source.kind !== 'plain' || this.#values === source.values || source.offsets[this.#values] !== at) return false;
    into.push({ kind: 'value', index: this.#values++, optional: false });
    return true;
  }

  #name(): string {
    const offset = this.#u32();
    if (this.damaged) return '';
    const name = this.#chunk.name(offset);
    if (name === undefined) {
      this.damaged = true;
      return '';
    }
    if (offset === this.#at) this.#skip(10 + this.#chunk.view.getUint16(offset + 6, true) * 2);
    return name;
  }

  /** A text after its 16-bit length in units. */
  #counted(): string {
    const length = this.#u16() * 2;
    const at = this.#at;
    this.#skip(length);
    return this.damaged ? '' : decodeUtf16(this.#chunk.bytes, at, length);
  }

  /** The next token; the end of the stream where no byte is left. */
  #peek(): number {
    return this.#at < this.#end ? this.#chunk.bytes[this.#at]! : token.end;
  }

  #byte(): number {
    const at = this.#at;
    this.#skip(1);
    return this.damaged ? 0 : this.#chunk.bytes[at]!;
  }

  #u16(): number {
    const at = this.#at;
    this.#skip(2);
    return this.damaged ? 0 : this.#chunk.view.getUint16(at, true);
  }

  #u32(): number {
    const at = this.#at;
    this.#skip(4);
    return this.damaged ? 0 : this.#chunk.view.getUint32(at, true);
  }

  #skip(length: number): void {
    if (this.#at + length > this.#end) this.damaged = true;
    else this.#at += length;
  }
}

/** Adds text, joined with text that it follows. */
function addText(into: Piece[], text: string, typed: Typed = text): void {
  const last = into.at(-1);
  if (last?.kind !== 'text') {
    into.push({ kind: 'text', text, typed });
    return;
  }
  const joined = last.text + text;
  into[into.length - 1] = { kind: 'text', text: joined, typed: joined };
}
