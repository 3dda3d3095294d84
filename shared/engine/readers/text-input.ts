import type { ByteRange } from '../events/log-event.ts';
import type { ByteSource } from './reader.ts';

const largestBlock = 256 * 1024;

/**
 * A source read forward as UTF-8, through one buffer that holds no more than what its user still
 * needs and a block. UTF-16 is told by its byte order mark and transcoded; marks are left out.
 */
export class TextInput {
  readonly #source: ByteSource;
  readonly #transcoder: Transcoder | undefined;
  /** Bytes read at a time: no more than there are, as most logs are small. */
  readonly #block: number;
  #buffer: Uint8Array = new Uint8Array(0);
  #end = 0;
  /** Offset in the source of what is read next, and where reading ends. */
  #read: number;
  readonly #to: number;
  #counted = 0;
  #countedOffset: number;

  private constructor(source: ByteSource, start: number, to: number, encoding?: Encoding) {
    this.#source = source;
    this.#to = to;
    this.#block = Math.min(largestBlock, to - start);
    this.#transcoder = encoding && new Transcoder(encoding, this.#block);
    this.#read = start;
    this.#countedOffset = start;
  }

  /** @param range where to begin and end, of UTF-8 only; all of the source where none is given. */
  static async open(source: ByteSource, { from, to }: ByteRange = { from: 0, to: source.size }): Promise<TextInput> {
    if (from > 0) return new TextInput(source, from, to);
    const head = new Uint8Array(3);
    await source.read(0, head);
    if (head[0] === 0xff && head[1] === 0xfe) return new TextInput(source, 2, to, 'utf-16le');
    if (head[0] === 0xfe && head[1] === 0xff) return new TextInput(source, 2, to, 'utf-16be');
    const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
    return new TextInput(source, marked ? 3 : 0, to);
  }

  /** What has been read and not yet dropped. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#end);
  }

  /** Offset in the source up to which it is read. */
  get bytesRead(): number {
    return this.#read;
  }

  /** Drops the first `count` bytes and reads on; false at the end of the source. */
  async refill(count: number): Promise<boolean> {
    this.offset(count);
    this.#counted -= count;
    this.#buffer.copyWithin(0, count, this.#end);
    this.#end -= count;
    const room = this.#transcoder === undefined ? this.#block : this.#block * 3;
    if (this.#buffer.length - this.#end < room) this.#grow(room);
    return this.#transcoder === undefined ? this.#readBytes() : this.#readUtf16(this.#transcoder);
  }

  /** Offset in the source of a position in `bytes`. Quick when the last one asked for was near. */
  offset(position: number): number {
    const from = this.#counted;
    if (this.#transcoder === undefined) this.#countedOffset += position - from;
    else if (position >= from) this.#countedOffset += this.#utf16Width(from, position);
    else this.#countedOffset -= this.#utf16Width(position, from);
    this.#counted = position;
    return this.#countedOffset;
  }

  async #readBytes(): Promise<boolean> {
    const wanted = Math.min(this.#block, this.#to - this.#read);
    const count = await this.#source.read(this.#read, this.#buffer.subarray(this.#end, this.#end + wanted));
    this.#read += count;
    this.#end += count;
    return count > 0;
  }

  async #readUtf16(transcoder: Transcoder): Promise<boolean> {
    const count = await this.#source.read(this.#read, transcoder.block);
    this.#read += count;
    this.#end += transcoder.next(count, this.#buffer.subarray(this.#end));
    return count > 0;
  }

  /** Bytes of UTF-16 that a stretch of UTF-8 came from. */
  #utf16Width(from: number, to: number): number {
    let width = 0;
    for (let i = from; i < to; i++) {
      const byte = this.#buffer[i]!;
      if (byte >= 0xf0) width += 4;
      else if ((byte & 0xc0) !== 0x80) width += 2;
    }
    return width;
  }

  #grow(room: number): void {
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#end + room));
    larger.set(this.bytes);
    this.#buffer = larger;
  }
}

type Encoding = 'utf-16le' | 'utf-16be';

class Transcoder {
  readonly block: Uint8Array;
  readonly #decoder: TextDecoder;
  readonly #encoder = new TextEncoder();

  constructor(encoding: Encoding, blockSize: number) {
    this.block = new Uint8Array(blockSize);
    this.#decoder = new TextDecoder(encoding, { ignoreBOM: true });
  }

  /** Turns the first `count` bytes of the block into UTF-8; at the end of input `count` is 0. */
  next(count: number, into: Uint8Array): number {
    const text = this.#decoder.decode(this.block.subarray(0, count), { stream: count > 0 });
    return this.#encoder.encodeInto(text, into).written;
  }
}
