import { ValueTable } from '../../events/value-table.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { recordTypes } from './record-types.ts';

const BLANK = 0x20;
const COLON = 0x3a;
const CLOSE = 0x29;
const typeKey = ascii('type=');
const nodeKey = ascii('node=');
const stampKey = ascii('msg=audit(');
const typesBudget = 256 * 1024;

/** Where the kernel writes audit records into other logs, or a dispatcher passes them on. */
const embedded = /(?:\bnode=(\S{1,64}) )?\btype=(\S{1,64}) (?:msg=)?audit\(([^)]{0,64})\): ?/;
const longestPrefix = 1024;

/** What the head of an audit record says: `node=N type=T msg=audit(SECONDS.MILLISECONDS:SERIAL):`. */
export class AuditHeader {
  /** Name of the record type; empty where the line is not understood. */
  type = '';
  node: string | null = null;
  /** Milliseconds since 1970; NaN where the record does not say. */
  time = Number.NaN;
  /** NaN where the record does not say. */
  serial = Number.NaN;
  /** First byte of the record's own values. */
  body = 0;
  /** Type names, each made once. */
  readonly #types = new ValueTable(typesBudget);
  readonly #plain = this.#types.kind(decodePlain);
  #generation = 0;
  #typeNames: string[] = [];

  /** Reads the head of the line at [start, end); false when it is no audit record. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    this.node = null;
    let at = start;
    if (startsWith(bytes, at, nodeKey)) {
      const nodeEnd = indexOf(bytes, BLANK, at, end);
      this.node = decodePlain(bytes, at + nodeKey.length, nodeEnd - at - nodeKey.length);
      at = nodeEnd + 1;
    }
    if (!startsWith(bytes, at, typeKey)) return this.#parseEmbedded(bytes, start, end);
    const typeStart = at + typeKey.length;
    const typeEnd = indexOf(bytes, BLANK, typeStart, end);
    if (typeEnd === typeStart || typeEnd === end) return false;
    if (!startsWith(bytes, typeEnd + 1, stampKey)) {
      if (bytes[typeEnd + 1] === 0x61) return this.#parseEmbedded(bytes, start, end);
      this.#unstamped();
      this.type = this.#typeName(bytes, typeStart, typeEnd);
      this.body = typeEnd + 1;
      return true;
    }
    this.type = this.#typeName(bytes, typeStart, typeEnd);
    this.#parseStamp(bytes, typeEnd + 1 + stampKey.length, end);
    return true;
  }

  /** `1364481363.243:24287):`, of which any part may be missing. */
  #parseStamp(bytes: Uint8Array, start: number, end: number): void {
    this.#unstamped();
    const close = indexOf(bytes, CLOSE, start, end);
    let at = start;
    let seconds = 0;
    for (; at < close && isDigit(bytes[at]!); at++) seconds = seconds * 10 + bytes[at]! - 0x30;
    const hasSeconds = at > start && at - start <= 11;
    let millis = 0;
    if (bytes[at] === 0x2e) {
      const point = at++;
      for (; at < close && isDigit(bytes[at]!); at++) if (at - point <= 3) millis = millis * 10 + bytes[at]! - 0x30;
      for (let digits = at - point - 1; digits < 3; digits++) millis *= 10;
      if (hasSeconds) this.time = seconds * 1000 + millis;
    }
    if (bytes[at] === COLON && at < close) {
      let serial = 0;
      const first = ++at;
      for (; at < close && isDigit(bytes[at]!); at++) serial = serial * 10 + bytes[at]! - 0x30;
      if (at > first && at === close) this.serial = serial;
    }
    this.body = Math.min(end, close + (bytes[close + 1] === COLON ? 2 : 1));
  }

  #parseEmbedded(bytes: Uint8Array, start: number, end: number): boolean {
    const line = latin1(bytes, start, Math.min(end, start + longestPrefix));
    const found = embedded.exec(line);
    if (found === null) return false;
    const [whole, node, type, stamp] = found;
    this.node = node ?? null;
    const typeStart = start + found.index + whole.indexOf('type=') + typeKey.length;
    this.type = this.#typeName(bytes, typeStart, typeStart + type!.length);
    const close = start + found.index + whole.lastIndexOf(')');
    this.#parseStamp(bytes, close - stamp!.length, end);
    return true;
  }

  #unstamped(): void {
    this.time = Number.NaN;
    this.serial = Number.NaN;
  }

  /** The kernel log has numbers for types. */
  #typeName(bytes: Uint8Array, start: number, end: number): string {
    this.#types.nextRecord();
    if (this.#types.generation !== this.#generation) {
      this.#generation = this.#types.generation;
      this.#typeNames = [];
    }
    const id = this.#types.internBytes(this.#plain, bytes, start, end - start);
    const known = this.#typeNames[id];
    if (known !== undefined) return known;
    const written = this.#types.text(id);
    const name = recordTypes.get(written) ?? written;
    // Handles of longer ones are good for one record only.
    if (!this.#types.isTransient(id)) this.#typeNames[id] = name;
    return name;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function indexOf(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
