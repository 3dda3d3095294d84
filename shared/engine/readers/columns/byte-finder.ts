/**
 * Tells whether a byte stands in the records of a buffer, asked for in rising order: the buffer is searched
 * from one such byte to the next, and records between are answered without a look at them.
 */
export class ByteFinder {
  readonly #byte: number;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Places before `next` and not before `from` do not hold the byte. */
  #from = 0;
  #next = 0;

  constructor(byte: number) {
    this.#byte = byte;
  }

  /** Whether it stands at [start, end). */
  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes !== this.#bytes || start < this.#from || start > this.#next) {
      this.#bytes = bytes;
      const found = bytes.indexOf(this.#byte, start);
      this.#next = found < 0 ? bytes.length : found;
    }
    this.#from = start;
    return this.#next < end;
  }
}
