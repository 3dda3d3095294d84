import type { ByteRange } from '../../events/log-event.ts';
import { decodeUtf16 } from '../../events/utf16.ts';

export const CHUNK_SIZE = 65_536;
export const FIRST_RECORD = 512;
/** Far longer than any name in an event; bounds what names that repeat can come to. */
export const LONGEST_NAME = 256;

/** The bytes of one chunk, which all offsets in it count from, and the names read from it so far. */
export class Chunk {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Byte offset of the chunk in the input. */
  readonly offset: number;
  /** Bytes present: fewer than CHUNK_SIZE where the file is cut off. */
  readonly size: number;
  /** Its place in the input; one object for all its records. */
  readonly range: ByteRange;
  readonly #names = new Map<number, string | undefined>();

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
    this.size = bytes.byteLength;
    this.range = { from: offset, to: offset + this.size };
  }

  /** Whether there is nothing but zeros. */
  isEmpty(): boolean {
    const words = this.size & ~3;
    for (let at = 0; at < words; at += 4) if (this.view.getInt32(at, true) !== 0) return false;
    return this.bytes.subarray(words).every((byte) => byte === 0);
  }

  /** End of the records as announced, or of the bytes present where that cannot be. */
  recordsEnd(): number {
    if (this.size < FIRST_RECORD) return this.size;
    const announced = this.view.getUint32(48, true);
    return announced < FIRST_RECORD ? this.size : Math.min(announced, this.size);
  }

  /** Name of an element or attribute; undefined when there is none at this offset. */
  name(offset: number): string | undefined {
    if (this.#names.has(offset)) return this.#names.get(offset);
    const name = this.#readName(offset);
    this.#names.set(offset, name);
    return name;
  }

  #readName(offset: number): string | undefined {
    if (offset + 8 > this.size) return undefined;
    const length = this.view.getUint16(offset + 6, true);
    if (length > LONGEST_NAME || offset + 8 + length * 2 > this.size) return undefined;
    return decodeUtf16(this.bytes, offset + 8, length * 2);
  }
}

/** Whether a chunk's signature stands at `offset`. */
export function isChunk(bytes: Uint8Array, offset: number): boolean {
  return hasSignature(bytes, offset, 'ElfChnk\u0000');
}

export function hasSignature(bytes: Uint8Array, offset: number, signature: string): boolean {
  for (let i = 0; i < signature.length; i++) if (bytes[offset + i] !== signature.charCodeAt(i)) return false;
  return true;
}
