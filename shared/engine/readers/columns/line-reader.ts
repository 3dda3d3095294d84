import { ProblemLog } from '../problem-log.ts';
import type { Reader } from '../reader.ts';
import { readLines } from '../text/read-lines.ts';
import { ColumnEvent } from './column-event.ts';
import type { Layout } from './layout.ts';

/** Finds the columns of the line at [start, end), none of whose ends is a blank, and calls `begin` on the event. */
export interface LineParser {
  /** `skip` is for lines that are no records, such as headers, and may say what those behind them are. */
  parse(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record' | 'skip' | 'malformed';
}

/** A reader of logs with one record per line. */
export function lineReader(makeParser: () => LineParser, initial: Layout): Reader {
  return async (source, tables, visit, options) => {
    const problems = new ProblemLog();
    const event = new ColumnEvent(tables, initial);
    const parser = makeParser();
    let records = 0;
    let isPlain = true;
    const isOpen = await readLines(
      source,
      (offsetOf) => ({
        take(bytes, start, end) {
          let last = end;
          while (last > start && bytes[last - 1]! <= 0x20) last--;
          if (last === start) return;
          const outcome = parser.parse(event, bytes, start, last, offsetOf(start));
          if (outcome === 'malformed') {
            problems.add('record-malformed', 'A record is not well-formed and was left out.', offsetOf(start));
          } else if (outcome === 'record') {
            records++;
            visit(event);
          } else {
            isPlain = false;
          }
        },
        isSettled: () => isPlain,
        keep: (next) => next,
        shift: () => {},
        finish: () => {},
      }),
      problems,
      options,
    );
    return { records, problems: problems.list(), ...(options?.range && { isOpen }) };
  };
}
