/** Raised whenever what an older engine has written can no longer be used. */
const version = 7;
const magic = 0x52435653;
const headerNumbers = 8;

/** From where to where something stands among its like: numbers, characters, or bytes of text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Puts texts, JSON and typed arrays into one buffer, where they can be read one by one. */
export class PackedWriter {
  readonly #numbers: Int32Array[] = [];
  readonly #characters: Uint16Array[] = [];
  readonly #texts: Uint8Array[] = [];
  readonly #used = { numbers: 0, characters: 0, texts: 0 };
  readonly #encoder = new TextEncoder();

  numbers(numbers: Int32Array): Place {
    this.#numbers.push(numbers);
    return this.#place('numbers', numbers.length);
  }

  characters(characters: Uint16Array): Place {
    this.#characters.push(characters);
    return this.#place('characters', characters.length);
  }

  text(text: string): Place {
    const bytes = this.#encoder.encode(text);
    this.#texts.push(bytes);
    return this.#place('texts', bytes.length);
  }

  json(value: unknown): Place {
    return this.text(JSON.stringify(value));
  }

  /** Everything, with a value by which the rest is found. */
  finish(root: unknown): Uint8Array<ArrayBuffer> {
    const { from, to } = this.json(root);
    const { numbers, characters, texts } = this.#used;
    const header = Int32Array.of(magic, version, numbers, characters, texts, from, to, 0);
    const parts = [header, ...this.#numbers, ...this.#characters, ...this.#texts];
    const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of parts) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += byteLength;
    }
    return bytes;
  }

  #place(kind: 'numbers' | 'characters' | 'texts', length: number): Place {
    const from = this.#used[kind];
    this.#used[kind] += length;
    return { from, to: from + length };
  }
}

/** Reads what a `PackedWriter` has put together; typed arrays are views of the bytes. */
export class PackedReader {
  readonly root: unknown;
  readonly #numbers: Int32Array;
  readonly #characters: Uint16Array;
  readonly #texts: Uint8Array;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** Throws a `RangeError` when the bytes are not of this version. */
  constructor(given: Uint8Array) {
    // Typed arrays can only be views of what is aligned as they are.
    const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
    const { buffer, byteOffset, byteLength } = bytes;
    if (byteLength < headerNumbers * 4) throw new RangeError('These are no compiled rules');
    const [is, isVersion, ...header] = new Int32Array(buffer, byteOffset, headerNumbers);
    if (is !== magic) throw new RangeError('These are no compiled rules');
    if (isVersion !== version) throw new RangeError('The rules were compiled by another version');
    const [numbers = 0, characters = 0, texts = 0, from = 0, to = 0] = header;
    const charactersAt = (headerNumbers + numbers) * 4;
    const textsAt = charactersAt + characters * 2;
    if (byteLength !== textsAt + texts) throw new RangeError('The compiled rules are cut off');
    this.#numbers = new Int32Array(buffer, byteOffset + headerNumbers * 4, numbers);
    this.#characters = new Uint16Array(buffer, byteOffset + charactersAt, characters);
    this.#texts = bytes.subarray(textsAt);
    this.root = this.json({ from, to });
  }

  numbers({ from, to }: Place): Int32Array {
    return this.#numbers.subarray(from, to);
  }

  characters({ from, to }: Place): Uint16Array {
    return this.#characters.subarray(from, to);
  }

  text({ from, to }: Place): string {
    // A copy, because bytes that threads share cannot be decoded everywhere.
    return this.#decoder.decode(this.#texts.slice(from, to));
  }

  json(place: Place): unknown {
    return JSON.parse(this.text(place));
  }
}
