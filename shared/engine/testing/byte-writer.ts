/** Little-endian bytes written one after another, growing as needed. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  /** Offset of the next byte. */
  get offset(): number {
    return this.#end;
  }

  /** The bytes from `start` to the end so far; valid until the next write. */
  bytes(start = 0, end = this.#end): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  u8(value: number): void {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#grow(2);
    this.#view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: bigint): void {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, BigInt.asUintN(64, value), true);
  }

  raw(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  zeros(count: number): void {
    this.#grow(count);
  }

  /** Overwrites earlier bytes, for sizes known only once their content is written. */
  patchU16(offset: number, value: number): void {
    this.#view.setUint16(offset, value, true);
  }

  patchU32(offset: number, value: number): void {
    this.#view.setUint32(offset, value, true);
  }

  #grow(count: number): number {
    const start = this.#end;
    this.#end += count;
    if (this.#end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}

/** The text as UTF-16LE, unpaired surrogates kept. */
export function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[i * 2] = unit & 0xff;
    bytes[i * 2 + 1] = unit >>> 8;
  }
  return bytes;
}
