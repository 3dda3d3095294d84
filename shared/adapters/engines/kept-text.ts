/** Text that comes in pieces, of which the beginning and the end are kept within a number of bytes. */
export class KeptText {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  #left = 0;

  constructor(maxBytes: number) {
    // Room for the line that says how much is missing.
    this.#half = Math.max(0, Math.floor((maxBytes - 60) / 2));
  }

  add(piece: Buffer): void {
    const first = piece.subarray(0, this.#half - this.#headBytes);
    if (first.length > 0) {
      // What is kept of a piece does not keep the rest of it.
      this.#head.push(Buffer.from(first));
      this.#headBytes += first.length;
    }
    const rest = piece.subarray(first.length);
    if (rest.length === 0) return;
    const tail = Buffer.concat([this.#tail, rest.subarray(Math.max(0, rest.length - this.#half))]);
    const kept = Buffer.from(tail.subarray(Math.max(0, tail.length - this.#half)));
    this.#left += this.#tail.length + rest.length - kept.length;
    this.#tail = kept;
  }

  text(): string {
    const [head, tail] = [Buffer.concat(this.#head).toString(), this.#tail.toString()];
    return this.#left === 0 ? head + tail : `${head}\n… ${this.#left} bytes left out …\n${tail}`;
  }
}
