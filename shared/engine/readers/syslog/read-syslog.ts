import { ProblemLog } from '../problem-log.ts';
import type { Reader } from '../reader.ts';
import { readLines } from '../text/read-lines.ts';
import { SyslogEvent } from './syslog-event.ts';
import { SyslogLines } from './syslog-lines.ts';

/** Reads the system log (syslog): RFC 3164, RFC 5424 and ISO-stamped text (detection-engine 3). */
export const readSyslog: Reader = async (source, tables, visit, options) => {
  const problems = new ProblemLog();
  const event = new SyslogEvent(tables, options?.now ?? Date.now());
  let lines!: SyslogLines;
  const isOpen = await readLines(
    source,
    (offsetOf) => {
      lines = new SyslogLines(
        (bytes, header, start, end, offset) => {
          event.take(bytes, header, start, end, offset);
          visit(event);
        },
        problems,
        offsetOf,
      );
      return lines;
    },
    problems,
    options,
  );
  return { records: lines.messages, problems: problems.list(), ...(options?.range && { isOpen }) };
};
