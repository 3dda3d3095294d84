import type { Reader } from '../reader.ts';
import { readLineRecords } from '../text/read-line-records.ts';
import { mayBeWindows, WindowsLines } from '../windows-forms/windows-lines.ts';
import { SyslogEvent } from './syslog-event.ts';
import type { SyslogHeader } from './syslog-header.ts';
import { SyslogLines, type TakeMessage } from './syslog-lines.ts';

/** Reads the system log (syslog): RFC 3164, RFC 5424 and ISO-stamped text (detection-engine 3). */
export const readSyslog: Reader = (source, tables, visit, options) => {
  const event = new SyslogEvent(tables, options?.now ?? Date.now());
  return readLineRecords(
    source,
    (offsetOf, problems) => {
      const windows = new WindowsLines(tables, problems);
      const take: TakeMessage = (bytes, header, start, end, offset) => {
        const at = windowsAt(bytes, header, end);
        const found = at < 0 ? undefined : windows.take(bytes, at, end, offset);
        if (found === undefined) event.take(bytes, header, start, end, offset);
        visit(found ?? event);
      };
      return new SyslogLines(take, problems, offsetOf);
    },
    options,
  );
};

/** Where a message begins that may be a Windows event in one of the forms of lines; -1 for almost all others. */
function windowsAt(bytes: Uint8Array, { program, message }: SyslogHeader, end: number): number {
  // What CEF and LEEF begin with looks like the name of a program.
  const isTagged = program.end > program.start;
  const at = isTagged ? program.start : message;
  return mayBeWindows(bytes, at, end) ? at : -1;
}
