import type { Decode } from '../../events/byte-interner.ts';
import type { LogEvent } from '../../events/log-event.ts';
import { ColumnEvent } from '../columns/column-event.ts';
import { type Column, Layout } from '../columns/layout.ts';
import { endpointOf } from '../endpoint/endpoint-profile.ts';
import { flattenEvent } from '../json/flatten-event.ts';
import { WindowsJsonEvent } from '../json/windows-json-event.ts';
import { givenTree } from '../json/json-tree.ts';
import { isObject, type JsonObject } from '../json/json-value.ts';
import { filledRow } from '../log-analytics/dynamic-columns.ts';
import { isTableRow, tableProfile } from '../log-analytics/table-profiles.ts';
import { ObjectEvent } from '../objects/object-event.ts';
import { profileOf } from '../objects/signatures.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { ByteSource, EventTables, Reader, ReadOptions, ReadReport } from '../reader.ts';
import { untoldData } from '../read-records.ts';
import { readLineRecords, type RecordTaker } from '../text/read-line-records.ts';
import type { OffsetOf } from '../text/read-lines.ts';
import { isDataUntold } from '../windows-forms/untold-data.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { eachField, type Header, headerOf, isOpenAfter, isRemark } from './csv-fields.ts';
import { areWindowsEvents, windowsRow } from './windows-rows.ts';

const QUOTE = 0x22;
const HASH = 0x23;
const directive = /^#(?:Software|Version|Log-Type|Date|Fields):/i;
/** A quoted field that is open for longer is taken for damage. */
const longestOpen = 1024 * 1024;
const longestHeader = 256 * 1024;

/** A quote in a quoted field is written twice. */
const decodeQuoted: Decode = (bytes, offset, byteLength) =>
  decodePlain(bytes, offset, byteLength).replaceAll('""', '"');

/**
 * Reads tables (csv): RFC 4180 with commas, semicolons or tabs, as the header has them. Rows of Windows
 * events become such, rows with an audit record in JSON become that, others go by their column names.
 */
export const readCsv: Reader = (source, tables, visit, options) =>
  readTable(
    source,
    (header, problems) => {
      const toEvent = eventMaker(header, tables, problems);
      return (...row) => {
        const event = toEvent(...row);
        if (event !== undefined) visit(event);
        return event !== undefined;
      };
    },
    options,
  );

/** Takes a row of a table by the names of its columns; false where it is none. */
type TakeNamed = (row: JsonObject, offset: number) => boolean;

/** Reads any table in the same way, row by row; what takes them is made by the names of the columns, if they are any. */
export function readRows(
  source: ByteSource,
  takerOf: (names: readonly string[]) => TakeNamed | undefined,
  options: ReadOptions | undefined,
): Promise<ReadReport> {
  return readTable(
    source,
    ({ names, separator }) => {
      const take = takerOf(names);
      if (take === undefined) return undefined;
      return (bytes, start, end, offset) => {
        const texts = textsOf(bytes, start, end, separator, names.length);
        if (texts.length * 2 < names.length) return false;
        return take(Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ''])), offset);
      };
    },
    options,
  );
}

function readTable(source: ByteSource, takerOf: TakerOf, options: ReadOptions | undefined): Promise<ReadReport> {
  return readLineRecords(source, (offsetOf, problems) => new Rows(takerOf, offsetOf, problems), options);
}

/** Takes the row at [start, end); false where it is none. */
type TakeRow = (bytes: Uint8Array, start: number, end: number, offset: number) => boolean;
/** Undefined for what is no header. */
type TakerOf = (header: Header, problems: ProblemLog) => TakeRow | undefined;
/** Makes an event of such a row; undefined where it is none. */
type ToEvent = (...row: Parameters<TakeRow>) => LogEvent | undefined;

/** Puts lines together to rows, the first of them the header. */
class Rows implements RecordTaker {
  records = 0;
  readonly #takerOf: TakerOf;
  readonly #offsetOf: OffsetOf;
  readonly #problems: ProblemLog;
  #separator = 0;
  #takeRow: TakeRow | undefined;
  #start = 0;
  #isOpen = false;
  /** Place of the first line that is no header, before there is one. */
  #headless = -1;

  constructor(takerOf: TakerOf, offsetOf: OffsetOf, problems: ProblemLog) {
    this.#takerOf = takerOf;
    this.#offsetOf = offsetOf;
    this.#problems = problems;
  }

  take(bytes: Uint8Array, start: number, end: number): void {
    if (this.#takeRow === undefined) {
      this.#begin(decodePlain(bytes, start, Math.min(end - start, longestHeader)), this.#offsetOf(start));
      return;
    }
    // Exchange's logs have lines about themselves behind the header, too.
    if (
      !this.#isOpen &&
      bytes[start] === HASH &&
      directive.test(decodePlain(bytes, start, Math.min(end - start, 16)))
    ) {
      return;
    }
    if (!this.#isOpen) this.#start = start;
    this.#isOpen = isOpenAfter(bytes, start, end, this.#separator, this.#isOpen);
    if (this.#isOpen && end - this.#start < longestOpen) return;
    if (this.#isOpen) this.#damaged();
    else if (end > this.#start) this.#row(this.#takeRow, bytes, end);
    this.#isOpen = false;
  }

  keep(next: number): number {
    return this.#isOpen ? this.#start : next;
  }

  shift(count: number): void {
    this.#start -= count;
  }

  finish(): void {
    if (this.#takeRow === undefined && this.#headless >= 0) {
      this.#problems.add('no-header', 'No line of the table is its header; nothing was read.', this.#headless);
    }
    if (this.#isOpen) {
      this.#problems.add('record-unfinished', 'The input ends in the middle of a record.', this.#offsetOf(this.#start));
    }
  }

  #begin(line: string, offset: number): void {
    if (line.trim() === '' || isRemark(line)) return;
    const header = headerOf(line);
    const takeRow = header && this.#takerOf(header, this.#problems);
    if (header === undefined || takeRow === undefined) {
      if (this.#headless < 0) this.#headless = offset;
      return;
    }
    this.#separator = header.separator;
    this.#takeRow = takeRow;
  }

  #row(takeRow: TakeRow, bytes: Uint8Array, end: number): void {
    if (takeRow(bytes, this.#start, end, this.#offsetOf(this.#start))) this.records++;
    else this.#damaged();
  }

  #damaged(): void {
    const message = 'A record is not well-formed and was left out.';
    this.#problems.add('record-malformed', message, this.#offsetOf(this.#start));
  }
}

function eventMaker(header: Header, tables: EventTables, problems: ProblemLog): ToEvent {
  if (areWindowsEvents(header.names)) return windowsTaker(header, tables, problems);
  const document = header.names.findIndex((name) => /^(?:AuditData|CloudTrailEvent)$/i.test(name));
  if (document < 0 && isTable(header)) return tableTaker(header, tables);
  return document < 0 ? columnTaker(header, tables) : documentTaker(header, document, tables);
}

function windowsTaker({ names, separator }: Header, tables: EventTables, problems: ProblemLog): ToEvent {
  const event = new WindowsJsonEvent(tables, flattenEvent);
  const toObject = windowsRow(names);
  return (bytes, start, end, offset) => {
    // Event Viewer writes the message behind the last of its columns.
    const texts = textsOf(bytes, start, end, separator, names.length + 1);
    if (texts.length * 2 < names.length) return undefined;
    const object = toObject(texts);
    if (isDataUntold(object)) problems.add('event-data-untold', untoldData, offset);
    event.take(object, offset);
    return event;
  };
}

/** Rows of which one column is the record, as JSON. */
function documentTaker({ names, separator }: Header, column: number, tables: EventTables): ToEvent {
  const event = new ObjectEvent(tables);
  return (bytes, start, end, offset) => {
    const text = textsOf(bytes, start, end, separator, names.length)[column] ?? '';
    const record = parsed(text);
    if (record === undefined) return undefined;
    event.take(record, offset);
    return event;
  };
}

/** Whether the rows are of a table of Log Analytics or advanced hunting, or of an endpoint product: their values tell what they are. */
function isTable({ names }: Header): boolean {
  const tree = givenTree(Object.fromEntries(names.map((name) => [name, ''])));
  if (endpointOf(tree) !== undefined) return true;
  return isTableRow(tree) && (names.includes('Type') || tableProfile(tree) !== undefined);
}

function tableTaker({ names, separator }: Header, tables: EventTables): ToEvent {
  const event = new ObjectEvent(tables);
  return (bytes, start, end, offset) => {
    const texts = textsOf(bytes, start, end, separator, names.length);
    if (texts.length * 2 < names.length) return undefined;
    event.take(filledRow(Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']))), offset);
    return event;
  };
}

function columnTaker({ names, separator }: Header, tables: EventTables): ToEvent {
  const profile = profileOf(givenTree(Object.fromEntries(names.map((name) => [name, '']))));
  const columns = names.map((name): Column => ({ name, escapes: { mark: QUOTE, decode: decodeQuoted } }));
  const layout = new Layout(columns, profile);
  const event = new ColumnEvent(tables, layout);
  return (bytes, start, end, offset) => {
    event.begin(layout, bytes, start, end, offset);
    let field = 0;
    eachField(bytes, start, end, separator, (from, to) => {
      if (field < names.length) event.set(field, from, to);
      field++;
    });
    return field * 2 < names.length ? undefined : event;
  };
}

function textsOf(bytes: Uint8Array, start: number, end: number, separator: number, most: number): string[] {
  const texts: string[] = [];
  eachField(bytes, start, end, separator, (from, to) => {
    if (texts.length < most) texts.push(decodeQuoted(bytes, from, to - from));
  });
  return texts;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonObject;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
