import type { ProblemLog } from '../problem-log.ts';
import type { RecordTaker } from '../text/read-line-records.ts';
import type { OffsetOf } from '../text/read-lines.ts';
import { SyslogHeader } from './syslog-header.ts';
import { isDigit } from './syslog-time.ts';

const BLANK = 0x20;
const LESS = 0x3c;
/** Longest message that is kept with all its lines. */
const longestMessage = 1024 * 1024;

/** Takes one message, whose lines lie at [start, end). */
export type TakeMessage = (bytes: Uint8Array, header: SyslogHeader, start: number, end: number, offset: number) => void;

/**
 * Puts messages of the system log together: lines that do not begin like one belong to the message
 * before; where messages say how long they are (RFC 6587), that counts.
 */
export class SyslogLines implements RecordTaker {
  records = 0;
  readonly #take: TakeMessage;
  readonly #problems: ProblemLog;
  readonly #offsetOf: OffsetOf;
  readonly #isHeadless: (first: number) => boolean;
  #header = new SyslogHeader();
  #spare = new SyslogHeader();
  #isOpen = false;
  #start = 0;
  #end = 0;
  /** Where a message ends that says how long it is; no further than what has been read else. */
  #frameEnd = 0;

  /** @param isHeadless tells by its first byte whether a line is a message though it has no head. */
  constructor(
    take: TakeMessage,
    problems: ProblemLog,
    offsetOf: OffsetOf,
    isHeadless: (first: number) => boolean = () => false,
  ) {
    this.#take = take;
    this.#isHeadless = isHeadless;
    this.#problems = problems;
    this.#offsetOf = offsetOf;
  }

  take(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    if (this.#isOpen && this.#frameEnd > at) {
      this.#end = Math.min(this.#frameEnd, end);
      if (this.#frameEnd >= end) return;
      at = this.#frameEnd;
    }
    while (at < end) at = this.#takeFrame(bytes, at, end);
  }

  keep(next: number): number {
    return this.#isOpen ? this.#start : next;
  }

  shift(count: number): void {
    this.#start -= count;
    this.#end -= count;
    this.#frameEnd -= count;
    this.#header.shift(count);
  }

  /** A message that does not say how long it is ends before the head of the next. */
  isSettled(next: number): boolean {
    return !this.#isOpen || this.#frameEnd < next;
  }

  finish(bytes: Uint8Array): void {
    this.#close(bytes);
  }

  /** Takes a line, or the message at its beginning that ends within; gives where to go on. */
  #takeFrame(bytes: Uint8Array, start: number, end: number): number {
    const frame = this.#frame(bytes, start, end);
    if (frame === undefined) {
      this.#takeLine(bytes, start, end);
      return end;
    }
    const stop = Math.min(frame.end, end);
    this.#takeLine(bytes, frame.start, stop);
    this.#frameEnd = frame.end;
    return stop;
  }

  /** The message that `LENGTH MESSAGE` speaks of; undefined where nothing bears it out. */
  #frame(bytes: Uint8Array, start: number, end: number): { start: number; end: number } | undefined {
    let at = start;
    let length = 0;
    for (; at < start + 7 && isDigit(bytes[at]); at++) length = length * 10 + bytes[at]! - 0x30;
    if (at === start || bytes[at] !== BLANK || bytes[at + 1] !== LESS || at + 1 >= end) return undefined;
    const stop = at + 1 + length;
    const isBorneOut = stop >= end || isDigit(bytes[stop]);
    return length > 0 && length <= longestMessage && isBorneOut ? { start: at + 1, end: stop } : undefined;
  }

  #takeLine(bytes: Uint8Array, start: number, end: number): void {
    if (this.#spare.parse(bytes, start, end)) {
      this.#close(bytes);
      [this.#header, this.#spare] = [this.#spare, this.#header];
      this.#isOpen = true;
      this.#start = start;
      this.#end = end;
      this.#frameEnd = 0;
    } else if (this.#isOpen && end - this.#start <= longestMessage && !this.#isHeadless(bytes[start]!)) {
      this.#end = end;
    } else {
      this.#close(bytes);
      if (!this.#isHeadless(bytes[start]!)) {
        const message = 'A line has no head of the system log; it was searched as text.';
        this.#problems.add('no-head', message, this.#offsetOf(start));
      }
      this.#spare.none(start);
      this.#give(bytes, this.#spare, start, end);
    }
  }

  #close(bytes: Uint8Array): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#give(bytes, this.#header, this.#start, this.#end);
  }

  #give(bytes: Uint8Array, header: SyslogHeader, start: number, end: number): void {
    this.records++;
    this.#take(bytes, header, start, end, this.#offsetOf(start));
  }
}
