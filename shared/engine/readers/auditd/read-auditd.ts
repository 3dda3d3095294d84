import type { LogEvent } from '../../events/log-event.ts';
import { ProblemLog } from '../problem-log.ts';
import type { EventTables, Reader } from '../reader.ts';
import { SyslogEvent } from '../syslog/syslog-event.ts';
import { SyslogHeader } from '../syslog/syslog-header.ts';
import { NamedSlots } from '../text/named-slots.ts';
import { type LineTaker, type OffsetOf, readLines } from '../text/read-lines.ts';
import { AuditActivity } from './audit-activity.ts';
import { AuditEvent, type AuditPlace } from './audit-event.ts';
import { AuditHeader } from './audit-header.ts';
import { AuditSiblings } from './audit-siblings.ts';
import { auditTag, AuditTokens } from './audit-tokens.ts';
import { type AuditGroup, AuditWindow } from './audit-window.ts';

/**
 * Reads the log of the Linux audit daemon (auditd): every record is an event, which also sees its
 * siblings' values; what the records of one event say together follows them (detection-engine 1.2.4
 * A1). The report counts the records of the log.
 */
export const readAuditd: Reader = async (source, tables, visit, options) => {
  const problems = new ProblemLog();
  const now = options?.now ?? Date.now();
  let lines!: AuditLines;
  await readLines(
    source,
    (offsetOf) => (lines = new AuditLines(tables, visit, problems, offsetOf, now)),
    problems,
    options,
  );
  return { records: lines.records, problems: problems.list() };
};

class AuditLines implements LineTaker {
  records = 0;
  readonly #tables: EventTables;
  readonly #visit: (event: LogEvent) => void;
  readonly #problems: ProblemLog;
  readonly #offsetOf: OffsetOf;
  readonly #header = new AuditHeader();
  readonly #window = new AuditWindow();
  readonly #slots: NamedSlots;
  readonly #tokens: AuditTokens;
  readonly #siblings: AuditSiblings;
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
    this.#slots = new NamedSlots(tables, auditTag);
    this.#tokens = new AuditTokens(this.#slots, tables);
    this.#siblings = new AuditSiblings(this.#slots);
    this.#event = new AuditEvent(tables, this.#slots, this.#siblings);
    this.#activity = new AuditActivity(tables, this.#slots, this.#siblings);
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
    this.#window.add(header, { type, start: base + start, end: base + end, body: base + body });
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
    this.#tables.values.nextRecord();
    this.#slots.begin(bytes);
    this.#siblings.begin();
    const places = this.#locate(bytes, group);
    for (const place of places) {
      this.records++;
      this.#event.take(bytes, group, place);
      this.#visit(this.#event);
    }
    this.#activity.visitAll(group, places, this.#visit);
    if (this.#slots.isFull) {
      this.#problems.add(
        'record-too-wide',
        'An event has more values than are kept; the first ones were.',
        places[0]!.offset,
      );
    }
  }

  #locate(bytes: Uint8Array, { records }: AuditGroup): AuditPlace[] {
    const slots = this.#slots;
    // Where the arguments do not fit in one record, more follow; the first one then has them all.
    let execve: AuditPlace | undefined;
    const places: AuditPlace[] = [];
    for (const [i, record] of records.entries()) {
      const { type } = record;
      const start = record.start - this.#base;
      const end = record.end - this.#base;
      const from = slots.count;
      this.#tokens.take(type, bytes, record.body - this.#base, end);
      const isExecve = type === 'EXECVE';
      if (isExecve && records[i + 1]?.type !== type) this.#tokens.joinArguments();
      const place = { type, offset: this.#offsetOf(start), start, end, from, to: slots.count };
      if (isExecve) {
        execve ??= place;
        execve.to = slots.count;
      }
      places.push(place);
    }
    for (const { type, from, to } of places) this.#siblings.add(type, from, to);
    return places;
  }
}
