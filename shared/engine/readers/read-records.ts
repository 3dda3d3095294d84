import { ProblemLog } from './problem-log.ts';
import type { ByteSource, ReadOptions, ReadReport } from './reader.ts';
import { TextInput } from './text-input.ts';

/** Longest record that is kept; a longer one is cut, which leaves nothing well-formed of it. */
const longestRecord = 16 * 1024 * 1024;

/** Of an event whose form has left its data out, or has it in a message that is not read (decision 138). */
export const untoldData =
  'What an event says is missing, or only in a message that is not read: rules that ask for it find nothing, and those that leave something out by it may match more.';

const messages = {
  'event-data-untold': untoldData,
  'record-malformed': 'A record is not well-formed and was left out.',
  'record-too-long': 'A record is longer than 16 MiB and was left out.',
  'record-too-wide': 'A record has more values than are kept; the first ones were.',
  'record-unfinished': 'The input ends in the middle of a record.',
  'text-between-records': 'Text that belongs to no record was passed over.',
} as const;

/** Damage that any text format may have. */
export type TextProblem = keyof typeof messages;

/** Tells of damage at a position in the bytes being looked at. */
export type Report = (problem: TextProblem, position: number) => void;

/**
 * Finds where records begin and end in bytes that arrive piece by piece. Positions count from the
 * first byte of what `next` is given; bytes before `keep` are not needed any more.
 */
export interface Framer {
  readonly keep: number;
  /** Place of the record that `next` found. */
  readonly start: number;
  readonly end: number;
  /** Looks on from where it stopped; true when it has come to the end of a record. */
  next(bytes: Uint8Array): boolean;
  /** The input is over: whether what is left is a record, too, which `start` and `end` then tell. */
  finish?(bytes: Uint8Array): boolean;
  /** The first `count` bytes are gone. */
  shift(count: number): void;
  /** Whether it is where it began, as between the lines of a log that has nothing else; not if it never tells. */
  readonly isSettled?: boolean;
  /** Gives up the record begun, if any, and looks for the next one; false when none was begun. */
  abandon(): boolean;
}

/** Takes one record, whose bytes lie at [start, end); undefined when all is well with it, and a number where it held that many. */
export type TakeRecord = (
  bytes: Uint8Array,
  start: number,
  end: number,
  offset: number,
) => 'event-data-untold' | 'record-malformed' | 'record-too-wide' | number | undefined;

/** Reads a text log record by record, in a buffer not much longer than the longest record kept. */
export async function readRecords(
  source: ByteSource,
  makeFramer: (report: Report) => Framer,
  take: TakeRecord,
  options: ReadOptions = {},
): Promise<ReadReport> {
  const input = await TextInput.open(source, options.range);
  const problems = new ProblemLog();
  const report: Report = (problem, at) => problems.add(problem, messages[problem], input.offset(at));
  const framer = makeFramer(report);
  let records = 0;
  let isOpen = false;
  for (let more = true; more;) {
    options.signal?.throwIfAborted();
    const done = framer.keep;
    more = await input.refill(done);
    framer.shift(done);
    const isLast = !more;
    const { bytes } = input;
    while (framer.next(bytes) || (isLast && framer.finish?.(bytes) === true)) {
      const problem = take(bytes, framer.start, framer.end, input.offset(framer.start));
      if (problem !== 'record-malformed') records += typeof problem === 'number' ? problem : 1;
      if (typeof problem === 'string') report(problem, framer.start);
    }
    const begun = framer.keep;
    if (isLast) isOpen = begun < bytes.length || framer.isSettled !== true;
    const isOver = isLast || bytes.length - begun > longestRecord;
    if (isOver && framer.abandon()) report(isLast ? 'record-unfinished' : 'record-too-long', begun);
    options.onProgress?.(input.bytesRead);
  }
  return { records, problems: problems.list(), ...(options.range && { isOpen }) };
}
