import { findByte } from '../columns/find-byte.ts';
import type { ColumnEvent } from '../columns/column-event.ts';
import type { LineParser } from '../columns/line-reader.ts';
import { type Column, Layout } from '../columns/layout.ts';
import { zeekProfile } from '../named/network-profiles.ts';
import { decodePlain } from '../xml/xml-text.ts';
import type { Decode } from '../../events/byte-interner.ts';

const HASH = 0x23;
const BACKSLASH = 0x5c;
const longestHeader = 65_536;
const several = /^(?:set|vector|table)\[/;

/** Zeek writes bytes that its own syntax uses as `\x09`. */
const decodeEscapes: Decode = (bytes, offset, byteLength) =>
  decodePlain(bytes, offset, byteLength).replace(/\\x([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Parses Zeek's TSV logs by their header; one file may hold several logs, one after another. */
export class ZeekLine implements LineParser {
  #layout: Layout | undefined;
  #separator = 0x09;
  #setSeparator = 0x2c;
  #empty = bytesOf('(empty)');
  #unset = bytesOf('-');
  #path = '';
  #names: readonly string[] = [];
  #types: readonly string[] = [];

  parse(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record' | 'skip' | 'malformed' {
    if (bytes[start] === HASH) {
      this.#header(decodePlain(bytes, start, Math.min(end - start, longestHeader)));
      return 'skip';
    }
    if (this.#names.length === 0) return 'malformed';
    const layout = (this.#layout ??= this.#makeLayout());
    event.begin(layout, bytes, start, end, offset);
    let column = 0;
    for (let at = start; at <= end && column < layout.columns.length; column++) {
      const found = findByte(bytes, this.#separator, at, end);
      const stop = found < 0 ? end : found;
      if (this.#isEmpty(bytes, at, stop)) event.set(column, at, at);
      else if (!equals(bytes, at, stop, this.#unset)) event.set(column, at, stop);
      at = stop + 1;
    }
    return column * 2 < layout.columns.length ? 'malformed' : 'record';
  }

  #isEmpty(bytes: Uint8Array, start: number, end: number): boolean {
    return start === end || equals(bytes, start, end, this.#empty);
  }

  #header(line: string): void {
    const separator = String.fromCharCode(this.#separator);
    const [name = '', ...parts] = line.split(line.startsWith('#separator') ? ' ' : separator);
    this.#layout = undefined;
    if (name === '#separator') this.#separator = byteOf(parts[0], 0x09);
    else if (name === '#set_separator') this.#setSeparator = byteOf(parts[0], 0x2c);
    else if (name === '#empty_field') this.#empty = bytesOf(parts[0] ?? '');
    else if (name === '#unset_field') this.#unset = bytesOf(parts[0] ?? '');
    else if (name === '#path') this.#path = parts[0] ?? '';
    else if (name === '#fields') this.#names = parts;
    else if (name === '#types') this.#types = parts;
  }

  #makeLayout(): Layout {
    const columns = this.#names.map((name, i): Column => {
      const isList = several.test(this.#types[i] ?? '');
      return {
        name,
        escapes: { mark: BACKSLASH, decode: decodeEscapes },
        ...(isList && { separator: this.#setSeparator }),
      };
    });
    return new Layout(columns, zeekProfile(this.#path), new Map([['_path', this.#path]]));
  }
}

/** First byte of a header's value, which may be written `\x09`. */
function byteOf(text: string | undefined, otherwise: number): number {
  const hex = /^\\x([\da-f]{2})$/i.exec(text ?? '')?.[1];
  return hex === undefined ? (bytesOf(text ?? '')[0] ?? otherwise) : Number.parseInt(hex, 16);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function equals(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  return end - start === other.length && other.every((byte, i) => bytes[start + i] === byte);
}
