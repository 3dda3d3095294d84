import type { LogEvent } from '../../events/log-event.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { EventTables, Reader } from '../reader.ts';
import { SyslogEvent } from '../syslog/syslog-event.ts';
import { SyslogHeader } from '../syslog/syslog-header.ts';
import { readLineRecords, type RecordTaker } from '../text/read-line-records.ts';
import type { OffsetOf } from '../text/read-lines.ts';
import { AuditActivity } from './audit-activity.ts';
import { AuditEvent } from './audit-event.ts';
import { AuditHeader } from './audit-header.ts';
import { AuditValues } from './audit-values.ts';
import { type AuditGroup, type AuditPlace, AuditWindow } from './audit-window.ts';

/**
 * Reads the log of the Linux audit daemon (auditd): every record is an event, which also sees its
 * siblings' values; what the records of one event say together follows them (detection-engine 1.2.4
 * A1). The report counts the records of the log.
 */
export const readAuditd: Reader = (source, tables, visit, options) => {
  const now = options?.now ?? Date.now();
  return readLineRecords(
    source,
    (offsetOf, problems) => new AuditLines(tables, visit, problems, offsetOf, now),
    options,
  );
};

class AuditLines implements RecordTaker {
  records = 0;
  readonly #tables: EventTables;
  readonly #visit: (event: LogEvent) => void;
  readonly #problems: ProblemLog;
  readonly #offsetOf: OffsetOf;
  readonly #header = new AuditHeader();
  readonly #window = new AuditWindow();
  readonly #values: AuditValues;
  readonly #event: AuditEvent;
  readonly #activity: AuditActivity;
  readonly #messageHeader = new SyslogHeader();
  readonly #message: SyslogEvent;
  /** Place of the first byte at hand, from the beginning of the text. */
  #base = 0;

  constructor(
    tables: EventTables,
    visit: (event: LogEvent) => void,
    problems: ProblemLog,
    offsetOf: OffsetOf,
    now: number,
  ) {
    this.#tables = tables;
    this.#visit = visit;
    this.#problems = problems;
    this.#offsetOf = offsetOf;
    this.#values = new AuditValues(tables);
    this.#event = new AuditEvent(tables, this.#values);
    this.#activity = new AuditActivity(tables, this.#values);
    this.#message = new SyslogEvent(tables, now);
  }

  take(bytes: Uint8Array, start: number, end: number): void {
    if (end === start) return;
    const header = this.#header;
    if (!header.parse(bytes, start, end)) {
      this.#takeOther(bytes, start, end);
      return;
    }
    const base = this.#base;
    const { type, body } = header;
    const offset = this.#offsetOf(start);
    const place = { type, offset, start: base + start, body: base + body, end: base + end, from: 0, to: 0 };
    this.#window.add(header, place);
    let group = this.#window.takeComplete(base + end);
    for (; group !== undefined; group = this.#window.takeComplete(base + end)) this.#emit(bytes, group);
  }

  keep(next: number): number {
    const { oldest } = this.#window;
    return oldest === undefined ? next : oldest - this.#base;
  }

  shift(count: number): void {
    this.#base += count;
  }

  finish(bytes: Uint8Array): void {
    for (let group = this.#window.takeAny(); group !== undefined; group = this.#window.takeAny()) {
      this.#emit(bytes, group);
    }
  }

  /** In the logs of some systems audit records stand among other messages. */
  #takeOther(bytes: Uint8Array, start: number, end: number): void {
    const offset = this.#offsetOf(start);
    if (!this.#messageHeader.parse(bytes, start, end)) {
      this.#problems.add('not-an-audit-record', 'A line is no audit record and was left out.', offset);
      return;
    }
    this.records++;
    this.#message.take(bytes, this.#messageHeader, start, end, offset);
    this.#visit(this.#message);
  }

  #emit(bytes: Uint8Array, group: AuditGroup): void {
    const values = this.#values;
    this.#tables.values.nextRecord();
    const places = group.records;
    for (const place of places) this.#toBytesAtHand(place);
    values.begin(bytes, places);
    for (const place of places) {
      this.records++;
      this.#event.take(bytes, group, place);
      this.#visit(this.#event);
    }
    if (!values.areApart) this.#activity.visitAll(group, places, this.#visit);
    if (values.isFull) {
      this.#problems.add(
        'record-too-wide',
        'An event has more values than are kept; the first ones were.',
        places[0]!.offset,
      );
    }
  }

  #toBytesAtHand(place: AuditPlace): void {
    place.start -= this.#base;
    place.body -= this.#base;
    place.end -= this.#base;
  }
}
