import type { ProblemLog } from '../problem-log.ts';
import type { ByteSource, ReadOptions } from '../reader.ts';
import { TextInput } from '../text-input.ts';
import { indexOfByte } from './index-of-byte.ts';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const longestLine = 16 * 1024 * 1024;

/** Takes the lines of a log one by one. Positions count from the first byte of what it is given. */
export interface LineTaker {
  /** Takes the line at [start, end), which is without its line break. */
  take(bytes: Uint8Array, start: number, end: number): void;
  /** First byte that is still needed, of all before `next`, where the next line begins. */
  keep(next: number): number;
  /** The first `count` bytes are gone. */
  shift(count: number): void;
  /** Whether it is where it began but for the line before `next`, which is done; not if it never tells. */
  isSettled?(next: number): boolean;
  /** The input is over. */
  finish(bytes: Uint8Array): void;
}

/** Offset in the source of a position in the bytes being looked at. */
export type OffsetOf = (position: number) => number;

/**
 * Reads a source line by line, in a buffer not much longer than what the taker keeps and one line.
 * A line of more than 16 MiB is cut there, and counted. Tells whether what was read ends within something
 * that may go on behind it.
 */
export async function readLines(
  source: ByteSource,
  makeTaker: (offsetOf: OffsetOf) => LineTaker,
  problems: ProblemLog,
  options: ReadOptions = {},
): Promise<boolean> {
  const input = await TextInput.open(source, options.range);
  const taker = makeTaker((position) => input.offset(position));
  let next = 0;
  let searched = 0;
  let isCut = false;
  let isOpen = false;
  for (let more = true; more;) {
    options.signal?.throwIfAborted();
    const done = taker.keep(next);
    more = await input.refill(done);
    taker.shift(done);
    next -= done;
    searched -= done;
    const { bytes } = input;
    for (let end = indexOfByte(bytes, LINE_FEED, searched); end >= 0; end = indexOfByte(bytes, LINE_FEED, next)) {
      if (!isCut) taker.take(bytes, next, end > next && bytes[end - 1] === RETURN ? end - 1 : end);
      isCut = false;
      next = searched = end + 1;
    }
    searched = bytes.length;
    if (!more) isOpen = isCut || next < bytes.length || taker.isSettled?.(next) !== true;
    if (!more && next < bytes.length && !isCut) taker.take(bytes, next, bytes.length);
    if (more && (isCut || bytes.length - next > longestLine)) {
      if (!isCut) {
        problems.add('line-too-long', 'A line is longer than 16 MiB and was cut.', input.offset(next));
        taker.take(bytes, next, next + longestLine);
      }
      isCut = true;
      next = bytes.length;
    }
    if (!more) taker.finish(bytes);
    options.onProgress?.(input.bytesRead);
  }
  return isOpen;
}
