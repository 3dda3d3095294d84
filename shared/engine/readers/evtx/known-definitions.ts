import type { Chunk } from './chunk.ts';
import type { TokenScanner } from './token-scanner.ts';

const GUID = 4;
const SIZE = 20;
/** Offset of the tokens in a definition. */
const TOKENS = 24;

interface KnownDefinition<Made> {
  readonly bytes: DataView;
  /** As `TokenScanner.names` has them. */
  readonly names: Int32Array;
  readonly made: Made;
}

/**
 * Definitions of templates as they stood in a chunk. In another one they have the same bytes but for
 * their names, which stand somewhere else, so that what was made of them is found without reading their tokens.
 */
export class KnownDefinitions<Made> {
  readonly #known = new Map<number, KnownDefinition<Made>>();
  readonly #scanner: TokenScanner;

  constructor(scanner: TokenScanner) {
    this.#scanner = scanner;
  }

  clear(): void {
    this.#known.clear();
  }

  /** What is known of the definition at this offset; its size must lie within the chunk. */
  find(chunk: Chunk, offset: number): KnownDefinition<Made> | undefined {
    const known = this.#known.get(keyOf(chunk.view, offset));
    return known !== undefined && this.#isSame(known, chunk.view, offset + TOKENS) ? known : undefined;
  }

  /** Keeps the definition that the scanner has just read; returns how many numbers that takes. */
  add(chunk: Chunk, offset: number, made: Made): number {
    const start = offset + TOKENS;
    const bytes = chunk.bytes.slice(start, start + chunk.view.getUint32(offset + SIZE, true));
    const names = this.#scanner.names.slice(0, this.#scanner.nameNumbers);
    this.#known.set(keyOf(chunk.view, offset), { bytes: new DataView(bytes.buffer), names, made });
    return names.length + (bytes.length >> 2);
  }

  #isSame({ bytes, names }: KnownDefinition<Made>, view: DataView, start: number): boolean {
    let at = 0;
    for (let i = 0; i < names.length; i += 3) {
      const place = names[i]!;
      const after = names[i + 2]!;
      if (!isEqual(bytes, at, place, view, start)) return false;
      const name = view.getUint32(start + place, true);
      const isHere = name === start + place + 4;
      if (isHere !== after > place + 4 || this.#scanner.symbolAt(name) !== names[i + 1]) return false;
      at = after;
    }
    return isEqual(bytes, at, bytes.byteLength, view, start);
  }
}

function keyOf(view: DataView, offset: number): number {
  return view.getInt32(offset + GUID, true) ^ Math.imul(view.getInt32(offset + SIZE, true), 0x01000193);
}

/** Whether bytes from `from` to `to` stand in a chunk, too, counted from `start` there. */
function isEqual(bytes: DataView, from: number, to: number, view: DataView, start: number): boolean {
  let at = from;
  for (; at + 4 <= to; at += 4) if (bytes.getInt32(at, true) !== view.getInt32(start + at, true)) return false;
  for (; at < to; at++) if (bytes.getUint8(at) !== view.getUint8(start + at)) return false;
  return true;
}
