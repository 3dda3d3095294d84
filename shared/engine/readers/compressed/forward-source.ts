import type { ByteSource } from '../reader.ts';

/** Bytes that come piece by piece; undefined when there are no more. Rejects with the source's own errors only. */
export type NextPieces = () => Promise<readonly Uint8Array[] | undefined>;

/** Readers of text look back at most at the first bytes, those of EVTX at part of a chunk. */
const headBytes = 64 * 1024;
const keptBehind = 256 * 1024;

/**
 * Bytes that can only be made from the front, as a source. Reads that go forward cost nothing extra;
 * one that goes back further than what is kept begins anew.
 */
export class ForwardSource implements ByteSource {
  /** Length where it is known, else infinite. */
  readonly size: number;
  readonly #begin: () => NextPieces;
  #next: NextPieces;
  readonly #head = new Uint8Array(headBytes);
  #headEnd = 0;
  /** Pieces in a row, the first of which begins at `#start`. */
  #pieces: Uint8Array[] = [];
  #start = 0;
  #end = 0;

  constructor(begin: () => NextPieces, size = Number.POSITIVE_INFINITY) {
    this.size = size;
    this.#begin = begin;
    this.#next = begin();
  }

  async read(offset: number, into: Uint8Array): Promise<number> {
    if (offset < this.#start && offset < this.#headEnd) return this.#fromHead(offset, into);
    if (offset < this.#start) this.#restart();
    while (this.#end <= offset) {
      const pieces = await this.#next();
      if (pieces === undefined) return 0;
      for (const piece of pieces) this.#add(piece);
      this.#drop(offset);
    }
    return this.#fromPieces(offset, into);
  }

  #add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#end < headBytes && this.#headEnd === this.#end) {
      const part = piece.subarray(0, headBytes - this.#end);
      this.#head.set(part, this.#end);
      this.#headEnd += part.length;
    }
    this.#pieces.push(piece);
    this.#end += piece.length;
  }

  #drop(offset: number): void {
    while (this.#pieces.length > 1 && this.#start + this.#pieces[0]!.length + keptBehind < offset) {
      this.#start += this.#pieces.shift()!.length;
    }
  }

  #restart(): void {
    this.#next = this.#begin();
    this.#pieces = [];
    this.#start = this.#end = 0;
  }

  #fromHead(offset: number, into: Uint8Array): number {
    const part = this.#head.subarray(offset, Math.min(this.#headEnd, offset + into.length));
    into.set(part);
    return part.length;
  }

  #fromPieces(offset: number, into: Uint8Array): number {
    let at = this.#start;
    let filled = 0;
    for (const piece of this.#pieces) {
      const from = offset + filled - at;
      if (from < piece.length) {
        const part = piece.subarray(from, from + into.length - filled);
        into.set(part, filled);
        filled += part.length;
      }
      if (filled === into.length) break;
      at += piece.length;
    }
    return filled;
  }
}
