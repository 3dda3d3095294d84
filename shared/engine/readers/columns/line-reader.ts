import type { LogEvent } from '../../events/log-event.ts';
import { ProblemLog } from '../problem-log.ts';
import type { ByteSource, EventTables, Reader } from '../reader.ts';
import { readLineRecords } from '../text/read-line-records.ts';
import { type LineTaker, readLines } from '../text/read-lines.ts';
import { ColumnEvent } from './column-event.ts';
import type { Layout } from './layout.ts';

/** What a line is: the event that it was asked for, another one, no record but a header, or damage. */
export type LineOutcome = 'record' | 'skip' | 'malformed' | LogEvent;

/** Finds the columns of the line at [start, end), none of whose ends is a blank, and calls `begin` on the event. */
export interface LineParser {
  /** `skip` is for lines that are no records, such as headers, and may say what those behind them are. */
  parse(event: ColumnEvent, bytes: Uint8Array, start: number, end: number, offset: number): LineOutcome;
}

const HASH = 0x23;
/** What stands before the records, and says what they are, is no longer in logs that are read in ranges. */
const longestHead = 64 * 1024;

/** A reader of logs with one record per line. */
export function lineReader(
  makeParser: (tables: EventTables, problems: ProblemLog) => LineParser,
  initial: Layout,
): Reader {
  return async (source, tables, visit, options) => {
    const event = new ColumnEvent(tables, initial);
    const told = new ProblemLog();
    const parser = makeParser(tables, told);
    let records = 0;
    const range = options?.range;
    // Lines that are no records may stand at the head of the log only, which the readers of other ranges know.
    let isHead = range?.from === 0;
    let isPlain = true;
    if (range !== undefined && !isHead) await readHead(source, (...line) => parser.parse(event, ...line, 0));
    const report = await readLineRecords(
      source,
      (offsetOf, problems) => ({
        get records() {
          return records;
        },
        take(bytes, start, end) {
          const last = withoutBlanks(bytes, start, end);
          if (last === start) return;
          const outcome = parser.parse(event, bytes, start, last, offsetOf(start));
          if (outcome === 'malformed') {
            problems.add('record-malformed', 'A record is not well-formed and was left out.', offsetOf(start));
          } else if (outcome !== 'skip') {
            records++;
            visit(outcome === 'record' ? event : outcome);
          } else {
            isPlain &&= isHead && offsetOf(end) < longestHead;
            return;
          }
          isHead = false;
        },
        isSettled: () => isPlain,
        keep: (next) => next,
        shift: () => {},
        finish: () => {},
      }),
      options,
    );
    return { ...report, problems: [...report.problems, ...told.list()] };
  };
}

/** Gives out the directives that a log begins with. */
async function readHead(
  source: ByteSource,
  take: (bytes: Uint8Array, start: number, end: number) => void,
): Promise<void> {
  let isOver = false;
  const lines: LineTaker = {
    take(bytes, start, end) {
      const last = withoutBlanks(bytes, start, end);
      isOver ||= last > start && bytes[start] !== HASH;
      if (!isOver && last > start) take(bytes, start, last);
    },
    keep: (next) => next,
    shift: () => {},
    finish: () => {},
  };
  const range = { from: 0, to: Math.min(longestHead, source.size) };
  await readLines(source, () => lines, new ProblemLog(), { range });
}

/** End of a line without blanks at its end. */
function withoutBlanks(bytes: Uint8Array, start: number, end: number): number {
  let last = end;
  while (last > start && bytes[last - 1]! <= 0x20) last--;
  return last;
}
