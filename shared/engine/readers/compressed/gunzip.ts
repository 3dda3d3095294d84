import { Gunzip } from 'fflate';
import { detectionBytes } from '../detection-bytes.ts';
import type { ByteSource } from '../reader.ts';
import { ForwardSource, type NextPieces } from './forward-source.ts';
import { type ReadingLimits, usualLimits } from './reading-limits.ts';

/** What one step takes in, so that what comes out of it, a thousand times as much at most, stays small. */
const stepBytes = 16 * 1024;
/** What of it is unpacked at once: all of that is lost where damage is in it. */
export const pushBytes = 2048;
/** Logs are seldom a hundredth of their size; what is beyond the limit, after so much output, is made to do harm. */
const freeBytes = 256 * 1024 * 1024;

/** Whether the bytes are a gzip member, whose content is to be tested instead. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08;
}

/** The first bytes of what a gzip file holds, as far as its own first bytes tell. */
export function gunzippedHead(head: Uint8Array): Uint8Array {
  const content = new Uint8Array(detectionBytes);
  let length = 0;
  const gunzip = new Gunzip((piece) => {
    const part = piece.subarray(0, content.length - length);
    content.set(part, length);
    length += part.length;
  });
  try {
    for (let at = 0; at < head.length && length < content.length; at += pushBytes) {
      gunzip.push(head.subarray(at, at + pushBytes));
    }
  } catch {
    // What came before the damage is looked at.
  }
  return content.subarray(0, length);
}

/** Why the content of a compressed file ends early. */
export type GzipDamage = 'gzip-damaged' | 'gzip-ratio' | 'unpacked-limit';

/** The content of a gzip file, of all its members one after another. Damage ends it and is told, not thrown. */
export class GunzipSource extends ForwardSource {
  readonly #progress: Progress;

  constructor(source: ByteSource, limits = usualLimits) {
    const progress: Progress = { bytesRead: 0, damage: undefined };
    super(() => gunzipPieces(source, progress, limits));
    this.#progress = progress;
  }

  /** Bytes of the compressed file taken in so far. */
  get bytesRead(): number {
    return this.#progress.bytesRead;
  }

  get damage(): GzipDamage | undefined {
    return this.#progress.damage;
  }
}

interface Progress {
  bytesRead: number;
  damage: GzipDamage | undefined;
}

function gunzipPieces(source: ByteSource, progress: Progress, limits: ReadingLimits): NextPieces {
  let pieces: Uint8Array[] = [];
  let made = 0;
  let madeOfMember = 0;
  let isOver = false;
  progress.bytesRead = 0;
  const gunzip = new Gunzip((piece) => {
    pieces.push(piece);
    made += piece.length;
    madeOfMember += piece.length;
  });
  gunzip.onmember = () => (madeOfMember = 0);
  const stop = (damage: GzipDamage): void => {
    progress.damage = damage;
    isOver = true;
  };
  return async () => {
    if (isOver) return undefined;
    pieces = [];
    const step = new Uint8Array(stepBytes);
    const count = await source.read(progress.bytesRead, step);
    progress.bytesRead += count;
    if (count === 0) {
      isOver = true;
      if (!(await endsWith(source, madeOfMember))) progress.damage = 'gzip-damaged';
      return undefined;
    }
    try {
      for (let at = 0; at < count; at += pushBytes) gunzip.push(step.subarray(at, Math.min(at + pushBytes, count)));
    } catch {
      stop('gzip-damaged');
    }
    if (made > freeBytes && made > progress.bytesRead * limits.ratio) stop('gzip-ratio');
    if (made > limits.unpackedBytes) stop('unpacked-limit');
    return pieces;
  };
}

/** Whether the file ends with the length of its last member, as a whole one does. */
async function endsWith(source: ByteSource, length: number): Promise<boolean> {
  const last = new Uint8Array(4);
  const count = await source.read(Math.max(0, source.size - 4), last);
  return count === 4 && new DataView(last.buffer).getUint32(0, true) === length % 2 ** 32;
}
