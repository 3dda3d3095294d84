import type { Framer, Report } from '../read-records.ts';
import { findNear } from './xml-tokens.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const QUESTION = 0x3f;

/** No name or tag of an event is longer; what is longer is passed over. */
const longestName = 256;
const longestTag = 64 * 1024;
/** A processing instruction of a log is short. */
const longestInstruction = 512;

const skips = [
  { opening: ascii('!--'), closing: ascii('-->') },
  { opening: ascii('![CDATA['), closing: ascii(']]>') },
  { opening: ascii('!'), closing: ascii('>') },
];
const eventName = ascii('Event');
const systemTag = ascii('<System');

/** A step of the scan: go on, wait for more bytes, or a record has ended. */
type Step = 'on' | 'wait' | 'record';

/**
 * Finds the `Event` elements in XML, whatever stands around them. An event that does not end before
 * the next one begins (an `Event` that opens with a `System`) is given up.
 */
export class EventFramer implements Framer {
  start = 0;
  end = 0;
  readonly #report: Report;
  #at = 0;
  /** Open Event elements: 0 between events, more than 1 in one that holds elements of that name. */
  #depth = 0;
  /** End of the comment or CDATA section being passed over. */
  #closing: Uint8Array | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  get keep(): number {
    return this.#depth > 0 ? this.start : this.#at;
  }

  get isSettled(): boolean {
    return this.#depth === 0 && this.#closing === undefined;
  }

  next(bytes: Uint8Array): boolean {
    for (;;) {
      const step = this.#closing === undefined ? this.#toTag(bytes) : this.#skip(bytes, this.#closing);
      if (step !== 'on') return step === 'record';
    }
  }

  shift(count: number): void {
    this.start -= count;
    this.#at -= count;
  }

  abandon(): boolean {
    const wasOpen = this.#depth > 0;
    this.#depth = 0;
    this.#closing = undefined;
    return wasOpen;
  }

  #toTag(bytes: Uint8Array): Step {
    const less = findNear(bytes, LESS, this.#at);
    this.#at = less < 0 ? bytes.length : less;
    if (less < 0 || less + 9 > bytes.length) return this.#nearEnd(bytes);
    const next = bytes[less + 1]!;
    if (next === 0x21 || next === 0x3f) return this.#beginSkip(bytes);
    return next === SLASH ? this.#closingTag(bytes) : this.#openingTag(bytes);
  }

  /** What begins with the last few bytes of the input can only be a closing tag. */
  #nearEnd(bytes: Uint8Array): Step {
    if (this.#at === bytes.length || bytes[this.#at + 1] !== SLASH) return 'wait';
    return this.#closingTag(bytes);
  }

  #beginSkip(bytes: Uint8Array): Step {
    if (bytes[this.#at + 1] === QUESTION) return this.#instruction(bytes);
    for (const { opening, closing } of skips) {
      if (!startsWith(bytes, this.#at + 1, opening)) continue;
      this.#at += 1 + opening.length;
      this.#closing = closing;
      break;
    }
    return 'on';
  }

  /** What nothing closes soon is a damaged tag, and no reason to pass over the events that follow. */
  #instruction(bytes: Uint8Array): Step {
    const last = this.#at + longestInstruction;
    for (let at = this.#at + 2; at + 1 < bytes.length && at < last; at++) {
      if (bytes[at] === QUESTION && bytes[at + 1] === GREATER) return this.#pass(at + 2);
    }
    return last < bytes.length ? this.#pass(this.#at + 2) : 'wait';
  }

  #skip(bytes: Uint8Array, closing: Uint8Array): Step {
    for (;;) {
      const last = bytes.indexOf(GREATER, this.#at + closing.length - 1);
      if (last < 0) {
        this.#at = Math.max(this.#at, bytes.length - closing.length + 1);
        return 'wait';
      }
      this.#at = last - closing.length + 1;
      if (startsWith(bytes, this.#at, closing)) break;
      this.#at++;
    }
    this.#at += closing.length;
    this.#closing = undefined;
    return 'on';
  }

  #closingTag(bytes: Uint8Array): Step {
    const name = nameEnd(bytes, this.#at + 2);
    if (name < 0) return 'wait';
    const isEvent = this.#depth > 0 && isEventName(bytes, this.#at + 2, name);
    const greater = isEvent ? bytes.indexOf(GREATER, name) : name;
    if (greater < 0) return 'wait';
    this.#at = greater + (isEvent ? 1 : 0);
    if (!isEvent || --this.#depth > 0) return 'on';
    this.end = this.#at;
    return 'record';
  }

  #openingTag(bytes: Uint8Array): Step {
    const less = this.#at;
    const name = nameEnd(bytes, less + 1);
    if (name < 0) return 'wait';
    if (!isEventName(bytes, less + 1, name)) return this.#pass(name);
    const greater = tagEnd(bytes, name);
    if (greater === bytes.length && greater - less < longestTag) return 'wait';
    if (bytes[greater] !== GREATER) return this.#pass(name);
    if (bytes[greater - 1] === SLASH) return this.#pass(greater);
    if (this.#depth > 0) {
      const content = afterBlanks(bytes, greater + 1);
      if (content + systemTag.length > bytes.length) return 'wait';
      if (!startsWith(bytes, content, systemTag)) {
        this.#depth++;
        return this.#pass(greater);
      }
      this.#report('record-malformed', this.start);
    }
    this.start = less;
    this.#depth = 1;
    return this.#pass(greater);
  }

  #pass(to: number): Step {
    this.#at = to;
    return 'on';
  }
}

/** End of a name that begins at `from`; -1 when more bytes are needed to tell. */
function nameEnd(bytes: Uint8Array, from: number): number {
  const most = Math.min(bytes.length, from + longestName);
  for (let at = from; at < most; at++) {
    const byte = bytes[at]!;
    if (byte <= 0x20 || byte === GREATER || byte === SLASH || byte === LESS) return at;
  }
  return most === bytes.length ? -1 : most;
}

/** Place of the `>` that ends a tag, of a `<` that cannot be in one, or the end of the bytes. */
function tagEnd(bytes: Uint8Array, from: number): number {
  let quote = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === LESS || (byte === GREATER && quote === 0)) return at;
    if (byte === quote) quote = 0;
    else if (quote === 0 && (byte === 0x22 || byte === 0x27)) quote = byte;
  }
  return bytes.length;
}

function isEventName(bytes: Uint8Array, from: number, end: number): boolean {
  const start = end - eventName.length;
  return start >= from && (start === from || bytes[start - 1] === COLON) && startsWith(bytes, start, eventName);
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
