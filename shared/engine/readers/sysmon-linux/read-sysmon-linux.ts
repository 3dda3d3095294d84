import type { LogEvent } from '../../events/log-event.ts';
import { type JsonObject, parseObject } from '../json/json-value.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { EventTables, Reader } from '../reader.ts';
import { SyslogEvent } from '../syslog/syslog-event.ts';
import { SyslogHeader } from '../syslog/syslog-header.ts';
import { SyslogLines } from '../syslog/syslog-lines.ts';
import { readLineRecords } from '../text/read-line-records.ts';
import { EventXmlEvent } from '../xml/event-xml-event.ts';
import { decodePlain } from '../xml/xml-text.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const BRACE_OPEN = 0x7b;
const opening = new TextEncoder().encode('<Event');
const closing = new TextEncoder().encode('</Event>');

/**
 * Reads Sysmon for Linux (sysmon_linux): the system log whose messages are `Event` elements, or the
 * JSON of Sentinel with them in `SyslogMessage`. Other messages are those of the system log.
 */
export const readSysmonLinux: Reader = (source, tables, visit, options) =>
  readLineRecords(
    source,
    (offsetOf, problems) => {
      const messages = new Messages(tables, visit, problems, options?.now ?? Date.now());
      return new SyslogLines((...message) => messages.take(...message), problems, offsetOf, isRow);
    },
    options,
  );

/** Whether a line that begins with this byte is a row of Sentinel's. */
function isRow(first: number): boolean {
  return first === BRACE_OPEN;
}

class Messages {
  readonly #visit: (event: LogEvent) => void;
  readonly #problems: ProblemLog;
  readonly #xml: EventXmlEvent;
  readonly #syslog: SyslogEvent;
  readonly #header = new SyslogHeader();

  constructor(tables: EventTables, visit: (event: LogEvent) => void, problems: ProblemLog, now: number) {
    this.#visit = visit;
    this.#problems = problems;
    this.#xml = new EventXmlEvent(tables);
    this.#syslog = new SyslogEvent(tables, now);
  }

  take(bytes: Uint8Array, header: SyslogHeader, start: number, end: number, offset: number): void {
    const row = bytes[start] === BRACE_OPEN ? parseObject(bytes, start, end) : undefined;
    if (row !== undefined && typeof row.SyslogMessage === 'string') this.#takeRow(row, row.SyslogMessage, offset);
    else if (!this.#takeXml(bytes, header.message, end, offset)) this.#takeMessage(bytes, header, start, end, offset);
  }

  /** A row of Sentinel's table of messages. */
  #takeRow(row: JsonObject, message: string, offset: number): void {
    const encoded = new TextEncoder().encode(message);
    if (this.#takeXml(encoded, 0, encoded.length, offset)) return;
    const column = (name: string): string => (typeof row[name] === 'string' ? row[name] : '-');
    const line = `${column('EventTime')} ${column('HostName')} ${column('ProcessName')}: ${message}`;
    const bytes = new TextEncoder().encode(line);
    if (!this.#header.parse(bytes, 0, bytes.length)) this.#header.none(0);
    this.#takeMessage(bytes, this.#header, 0, bytes.length, offset);
  }

  /** The event in a message; false when it holds none that is well-formed. */
  #takeXml(bytes: Uint8Array, from: number, to: number, offset: number): boolean {
    const start = find(bytes, opening, from, to);
    if (start < 0) return false;
    const last = findLast(bytes, closing, start, to);
    const problem =
      last < 0 ? this.#takeCut(bytes, start, to, offset) : this.#xml.take(bytes, start, last + closing.length, offset);
    if (problem === 'record-malformed') {
      this.#problems.add(problem, 'An event is not well-formed and was read as a message.', offset);
      return false;
    }
    if (problem !== undefined) {
      this.#problems.add(problem, 'An event has more values than are kept; the first ones were.', offset);
    }
    this.#visit(this.#xml);
    return true;
  }

  /** An event too long for the system log, which has kept its beginning. */
  #takeCut(bytes: Uint8Array, start: number, to: number, offset: number): ReturnType<EventXmlEvent['take']> {
    const tag = bytes.lastIndexOf(LESS, to - 1);
    const inValue = bytes[tag + 1] === 0x44 && bytes.subarray(tag, to).includes(GREATER);
    const text = decodePlain(bytes, start, (inValue ? to : tag) - start);
    const mended = new TextEncoder().encode(`${text}${inValue ? '</Data>' : ''}</EventData></Event>`);
    const problem = this.#xml.take(mended, 0, mended.length, offset);
    if (problem === undefined) this.#problems.add('record-cut', 'An event was cut; its beginning was read.', offset);
    return problem;
  }

  #takeMessage(bytes: Uint8Array, header: SyslogHeader, start: number, end: number, offset: number): void {
    this.#syslog.take(bytes, header, start, end, offset);
    this.#visit(this.#syslog);
  }
}

function find(bytes: Uint8Array, what: Uint8Array, from: number, to: number): number {
  for (let at = bytes.indexOf(what[0]!, from); at >= 0 && at < to; at = bytes.indexOf(what[0]!, at + 1)) {
    if (at + what.length <= to && what.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

function findLast(bytes: Uint8Array, what: Uint8Array, from: number, to: number): number {
  for (let at = to - what.length; at >= from; at--) if (what.every((byte, i) => bytes[at + i] === byte)) return at;
  return -1;
}
