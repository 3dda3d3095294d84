const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const AMPERSAND = 0x26;
const COLON = 0x3a;
/** So many bytes are looked through sooner than `indexOf` is called. */
const nearby = 64;

export type XmlToken = 'open' | 'close' | 'text' | 'cdata' | 'end' | 'malformed';

/** A stretch of the bytes. */
export interface Span {
  start: number;
  end: number;
}

export interface XmlAttribute {
  /** Name as written, and where in it the part without prefix begins. */
  readonly name: Span;
  local: number;
  readonly value: Span;
}

/**
 * Goes through one XML element token by token, keeping places instead of text. Comments and
 * processing instructions are passed over; names are given without prefix.
 */
export class XmlTokens {
  bytes: Uint8Array = new Uint8Array(0);
  /** Local name of the element opened or closed. */
  readonly name: Span = { start: 0, end: 0 };
  /** Characters of a text or CDATA section. */
  readonly text: Span = { start: 0, end: 0 };
  readonly attributes: XmlAttribute[] = [];
  /** Attributes of the element opened; the array may be longer. */
  attributeCount = 0;
  isSelfClosing = false;
  #at = 0;
  #end = 0;

  reset(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  next(): XmlToken {
    while (this.#at < this.#end) {
      if (this.bytes[this.#at] !== LESS) return this.#text();
      const next = this.bytes[this.#at + 1];
      if (next === SLASH) return this.#close();
      if (next === 0x3f) {
        if (!this.#passTo('?>')) return 'malformed';
      } else if (next !== 0x21) return this.#open();
      else if (this.#startsWith('<!--')) {
        if (!this.#passTo('-->')) return 'malformed';
      } else return this.#startsWith('<![CDATA[') ? this.#cdata() : 'malformed';
    }
    return 'end';
  }

  #text(): XmlToken {
    const less = findNear(this.bytes, LESS, this.#at);
    this.text.start = this.#at;
    this.text.end = this.#at = less < 0 ? this.#end : Math.min(less, this.#end);
    return 'text';
  }

  #cdata(): XmlToken {
    this.text.start = this.#at + 9;
    if (!this.#passTo(']]>')) return 'malformed';
    this.text.end = this.#at - 3;
    return 'cdata';
  }

  #close(): XmlToken {
    this.#at += 2;
    this.name.start = this.#passName();
    this.name.end = this.#at;
    this.#blanks();
    return this.bytes[this.#at++] === GREATER ? 'close' : 'malformed';
  }

  #open(): XmlToken {
    this.#at++;
    this.name.start = this.#passName();
    this.name.end = this.#at;
    if (this.name.start === this.name.end) return 'malformed';
    this.attributeCount = 0;
    for (;;) {
      this.#blanks();
      const byte = this.#at < this.#end ? this.bytes[this.#at] : undefined;
      this.isSelfClosing = byte === SLASH;
      if (byte === SLASH) this.#at++;
      if (byte === SLASH || byte === GREATER) return this.bytes[this.#at++] === GREATER ? 'open' : 'malformed';
      if (!this.#attribute()) return 'malformed';
    }
  }

  #attribute(): boolean {
    const attribute = (this.attributes[this.attributeCount++] ??= {
      name: { start: 0, end: 0 },
      local: 0,
      value: { start: 0, end: 0 },
    });
    attribute.name.start = this.#at;
    attribute.local = this.#passName();
    attribute.name.end = this.#at;
    if (attribute.local === attribute.name.end) return false;
    this.#blanks();
    if (this.bytes[this.#at++] !== EQUALS) return false;
    this.#blanks();
    const quote = this.bytes[this.#at++]!;
    if (quote !== 0x22 && quote !== 0x27) return false;
    const closing = findNear(this.bytes, quote, this.#at);
    if (closing < 0 || closing >= this.#end) return false;
    attribute.value.start = this.#at;
    attribute.value.end = closing;
    this.#at = closing + 1;
    return true;
  }

  /** Goes behind a name; returns where its part without prefix begins. */
  #passName(): number {
    let local = this.#at;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.bytes[this.#at]!;
      if (byte <= 0x20 || byte === GREATER || byte === SLASH || byte === EQUALS || byte === LESS) break;
      if (byte === COLON) local = this.#at + 1;
    }
    return local;
  }

  #blanks(): void {
    while (this.#at < this.#end && this.bytes[this.#at]! <= 0x20) this.#at++;
  }

  /** Goes behind the next occurrence of a text; false when there is none. */
  #passTo(text: string): boolean {
    const last = text.charCodeAt(text.length - 1);
    for (let at = this.#at; ;) {
      const found = this.bytes.indexOf(last, at);
      if (found < 0 || found >= this.#end) return false;
      this.#at = found - text.length + 1;
      at = found + 1;
      if (!this.#startsWith(text)) continue;
      this.#at = at;
      return true;
    }
  }

  #startsWith(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[this.#at + i] !== text.charCodeAt(i)) return false;
    return true;
  }
}

/** Place of the next such byte; -1 where there is none. Made for ones that are not far, as in mark-up. */
export function findNear(bytes: Uint8Array, byte: number, from: number): number {
  const near = Math.min(bytes.length, from + nearby);
  for (let at = from; at < near; at++) if (bytes[at] === byte) return at;
  return bytes.indexOf(byte, near);
}

/** Whether there are references in a stretch of text. */
export function hasReference(bytes: Uint8Array, { start, end }: Span): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === AMPERSAND) return true;
  return false;
}
