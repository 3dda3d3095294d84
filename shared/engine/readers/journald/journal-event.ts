import type { FieldId } from '../../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { Route } from '../../events/route.ts';
import type { ValueTable } from '../../events/value-table.ts';
import type { SlotName } from '../../events/shape.ts';
import { ABSENT, EMPTY, type ValueId } from '../../events/value-id.ts';
import { messageFacts } from '../../sigma/linux-sources.ts';
import { type JsonLeaf, JsonValues, ScannedLeaf } from '../json/json-leaf.ts';
import { JsonPlans } from '../json/json-plans.ts';
import type { JsonScan } from '../json/json-scan.ts';
import { isLeaf, isList, type JsonNode, plainValue } from '../json/json-tree.ts';
import type { JsonScalar } from '../json/json-value.ts';
import type { EventTables } from '../reader.ts';
import { traceText } from '../syslog/message-text.ts';
import { longestPayload, payloads } from '../syslog/syslog-payload.ts';
import { indexOfByte } from '../text/index-of-byte.ts';
import { NamedSlots } from '../text/named-slots.ts';
import { type JournalField, readField } from './journal-framer.ts';

const LINE_FEED = 0x0a;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What rules call the journal's fields, in lower case (resolved-platform 2.3). */
const aliases: Readonly<Record<string, readonly string[]>> = {
  host: ['_HOSTNAME'],
  program: ['SYSLOG_IDENTIFIER', '_COMM'],
  pid: ['_PID', 'SYSLOG_PID'],
  image: ['_EXE'],
  exe: ['_EXE'],
  commandline: ['_CMDLINE'],
  proctitle: ['_CMDLINE'],
  comm: ['_COMM'],
  uid: ['_UID'],
};
const native = [
  'MESSAGE',
  'MESSAGE_ID',
  'SYSLOG_IDENTIFIER',
  'SYSLOG_FACILITY',
  '_COMM',
  '_HOSTNAME',
  '__REALTIME_TIMESTAMP',
  '__SEQNUM',
] as const;

const realtime = /^\d{7,18}$/;
/** The latest time that a Date can hold. */
const latest = 8.64e15;

type Native = (typeof native)[number];

/** An entry of the systemd journal as rules see it; one object for all entries. */
export class JournalEvent implements LogEvent {
  readonly values: ValueTable;
  offset = 0;
  readonly #tables: EventTables;
  readonly #slots: NamedSlots;
  readonly #fields: Readonly<Record<Native, FieldId>>;
  /** By field: the fields it may stand for. */
  readonly #aliases: (readonly FieldId[] | undefined)[] = [];
  readonly #field: JournalField = { nameEnd: 0, start: 0, end: 0 };
  readonly #members = new JsonPlans((tree) => Object.entries(tree) as [string, JsonNode][]);
  readonly #json: JsonValues;
  #isExpanded = false;
  #own = 0;

  constructor(tables: EventTables) {
    this.values = tables.values;
    this.#tables = tables;
    this.#slots = new NamedSlots(tables);
    this.#json = new JsonValues(tables.values);
    const ids = native.map((name) => [name, tables.fields.id(name)]);
    this.#fields = Object.fromEntries(ids) as Record<Native, FieldId>;
  }

  /** Takes up the entry of an export at [start, end); false when it is none. */
  takeExport(bytes: Uint8Array, start: number, end: number, offset: number): boolean {
    this.#begin(bytes, offset);
    for (let at = start; at < end; at = this.#field.end + 1) {
      const found = indexOfByte(bytes, LINE_FEED, at);
      const lineEnd = found < 0 || found > end ? end : found;
      const isWhole = readField(bytes, at, lineEnd, bytes.length, this.#field);
      const { nameEnd, start: valueStart, end: valueEnd } = this.#field;
      const isField = isWhole && nameEnd > at && valueEnd <= end && (nameEnd < lineEnd || valueStart > lineEnd);
      if (isField) this.#slots.add(at, nameEnd, valueStart, valueEnd);
    }
    return this.#finish();
  }

  /** Takes up the entry in JSON just scanned; false when it is none. */
  takeScanned(scan: JsonScan, offset: number): boolean {
    this.#begin(scan.bytes, offset);
    for (const [name, node] of this.#members.of(scan)) {
      // Several values stand in an array, as do the bytes of one that is no text.
      if (isList(node) && !isBytes(node)) for (const one of node) this.#addNode(name, one);
      else this.#addNode(name, node);
    }
    return this.#finish();
  }

  get route(): Route {
    const message = this.#text('MESSAGE') ?? '';
    const facility = Number.parseInt(this.#text('SYSLOG_FACILITY') ?? '', 10);
    const trace = message.includes('\n') ? traceText(message) : null;
    return this.#tables.routes.source(
      ...messageFacts(this.#program() ?? '', Number.isNaN(facility) ? null : facility, trace),
    );
  }

  value(field: FieldId): ValueId {
    const own = this.#slots.value(field, 0, this.#own);
    if (own !== ABSENT) return own;
    for (const alias of (this.#aliases[field] ??= this.#aliasesOf(field))) {
      const id = this.#slots.exact(alias, 0, this.#own);
      if (id !== ABSENT) return id;
    }
    this.#expand();
    return this.#slots.value(field, this.#own);
  }

  /** All texts but those by which the journal addresses the entry. */
  keywords(visit: (value: ValueId) => boolean): boolean {
    for (let slot = 0; slot < this.#own; slot++) {
      if (this.#slots.name(slot).startsWith('__')) continue;
      const id = this.#slots.id(slot);
      if (id > EMPTY && visit(id)) return true;
    }
    return false;
  }

  time(): number {
    const microseconds = this.#text('__REALTIME_TIMESTAMP') ?? '';
    const ms = realtime.test(microseconds) ? Number(microseconds.slice(0, -3)) : Number.NaN;
    return ms > latest ? Number.NaN : ms;
  }

  computer(): ValueId {
    return this.#first('_HOSTNAME');
  }

  get slotNames(): readonly SlotName[] {
    this.#expand();
    return this.#slots.names();
  }

  at(place: number): ValueId {
    if (place < this.#slots.count) return this.#slots.id(place);
    const computer = this.#text('_HOSTNAME');
    return computer === null ? ABSENT : this.values.intern(computer);
  }

  head(): EventHead {
    const microseconds = this.#text('__REALTIME_TIMESTAMP') ?? '';
    return {
      recordId: this.#text('__SEQNUM'),
      timestamp: realtime.test(microseconds) ? timeOf(microseconds) : null,
      computer: this.#text('_HOSTNAME'),
      channel: this.#program(),
      eventId: this.#text('MESSAGE_ID'),
    };
  }

  toRecord(): OutputRecord {
    this.#expand();
    const record = new Map<string, OutputValue>();
    for (const [name, texts] of this.#slots.texts()) record.set(name, texts.length === 1 ? texts[0]! : texts);
    return Object.fromEntries([...record, ['_offset', this.offset]]);
  }

  #begin(bytes: Uint8Array, offset: number): void {
    this.values.nextRecord();
    this.#slots.begin(bytes);
    this.offset = offset;
  }

  /** A value in JSON; null stands for one that was too long for the journal to say. */
  #addNode(name: string, node: JsonNode): void {
    if (isList(node)) {
      this.#slots.addText(name, isBytes(node) ? textOfBytes(node) : JSON.stringify(plainValue(node)));
    } else if (node instanceof ScannedLeaf && !node.isNull) {
      const { start, end, writing } = node.place();
      this.#slots.addNamed(name, start, end, this.#json.kinds[writing]!);
    }
  }

  #finish(): boolean {
    this.#own = this.#slots.count;
    this.#isExpanded = false;
    return this.#text('MESSAGE') !== null || this.#text('__REALTIME_TIMESTAMP') !== null;
  }

  #program(): string | null {
    return this.#text('SYSLOG_IDENTIFIER') ?? this.#text('_COMM');
  }

  /** Text of a field, the first when there are several. */
  #text(name: Native): string | null {
    return this.values.text(this.#first(name)) || null;
  }

  #first(name: Native): ValueId {
    const id = this.#slots.exact(this.#fields[name], 0, this.#own);
    return this.values.items(id)?.[0] ?? id;
  }

  #aliasesOf(field: FieldId): readonly FieldId[] {
    const name = this.#tables.fields.name(field).toLowerCase();
    return Object.hasOwn(aliases, name) ? aliases[name]!.map((alias) => this.#tables.fields.id(alias)) : [];
  }

  /** Finds what the message of some programs holds, at the first question for it. */
  #expand(): void {
    if (this.#isExpanded) return;
    this.#isExpanded = true;
    const payload = payloads.get(this.#program() ?? '');
    payload?.((this.#text('MESSAGE') ?? '').slice(0, longestPayload), (name, text) => this.#slots.addText(name, text));
  }
}

function timeOf(microseconds: string): string | null {
  const ms = Number(microseconds.slice(0, -3));
  return ms > latest ? null : new Date(ms).toISOString().replace('Z', `${microseconds.slice(-3)}Z`);
}

function isBytes(nodes: readonly JsonNode[]): nodes is readonly JsonLeaf[] {
  return nodes.length > 0 && nodes.every((node) => isLeaf(node) && isByte(node.value()));
}

function isByte(value: JsonScalar): boolean {
  return typeof value === 'number' && value >= -128 && value <= 255;
}

function textOfBytes(bytes: readonly JsonLeaf[]): string {
  return decoder.decode(Uint8Array.from(bytes, (byte) => Number(byte.value())));
}
