import type { ObjectReader } from '@svc/application/ports/object-store.ts';

const kib = 1024;
/** The head of a log, which is all that most readers want. */
const firstBytes = 64 * kib;
const mostBytes = 8 * kib * kib;

/** Fills `into` with the bytes from `offset`. */
export type FetchRange = (offset: number, into: Uint8Array) => Promise<void>;

/**
 * Reads an object through a window, which doubles while it is read front to back: one request for a
 * head, few for a whole object. One read at a time.
 */
export class S3Reader implements ObjectReader {
  readonly size: number;
  readonly #fetch: FetchRange;
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;
  #nextBytes = firstBytes;

  constructor(size: number, fetch: FetchRange) {
    this.size = size;
    this.#fetch = fetch;
  }

  async read(offset: number, into: Uint8Array): Promise<number> {
    const length = Math.max(0, Math.min(into.length, this.size - offset));
    for (let done = 0; done < length;) {
      const at = offset + done;
      if (!this.#holds(at)) await this.#move(at, length - done);
      const part = this.#window.subarray(at - this.#start, at - this.#start + length - done);
      into.set(part, done);
      done += part.length;
    }
    return length;
  }

  async close(): Promise<void> {
    this.#window = new Uint8Array(0);
  }

  #holds(offset: number): boolean {
    return offset >= this.#start && offset < this.#start + this.#window.length;
  }

  async #move(offset: number, wanted: number): Promise<void> {
    const goesOn = offset === this.#start + this.#window.length;
    this.#nextBytes = goesOn ? Math.min(mostBytes, this.#nextBytes * 2) : firstBytes;
    const window = new Uint8Array(Math.min(this.size - offset, Math.max(wanted, this.#nextBytes)));
    await this.#fetch(offset, window);
    this.#window = window;
    this.#start = offset;
  }
}
