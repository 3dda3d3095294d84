import type { Reader } from '../reader.ts';
import { readLineRecords } from '../text/read-line-records.ts';
import { SyslogEvent } from './syslog-event.ts';
import { SyslogLines, type TakeMessage } from './syslog-lines.ts';

/** Reads the system log (syslog): RFC 3164, RFC 5424 and ISO-stamped text (detection-engine 3). */
export const readSyslog: Reader = (source, tables, visit, options) => {
  const event = new SyslogEvent(tables, options?.now ?? Date.now());
  const take: TakeMessage = (bytes, header, start, end, offset) => {
    event.take(bytes, header, start, end, offset);
    visit(event);
  };
  return readLineRecords(source, (offsetOf, problems) => new SyslogLines(take, problems, offsetOf), options);
};
