import type { FieldId } from '../../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { Route } from '../../events/route.ts';
import type { ValueTable } from '../../events/value-table.ts';
import type { SlotName } from '../../events/shape.ts';
import { ABSENT, type ValueId } from '../../events/value-id.ts';
import { messageFacts } from '../../sigma/linux-sources.ts';
import { panOsValues } from '../network/pan-os.ts';
import { QuickTimes } from '../quick-times.ts';
import type { EventTables } from '../reader.ts';
import { NamedSlots } from '../text/named-slots.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { messageText } from './message-text.ts';
import type { Stretch, SyslogHeader } from './syslog-header.ts';
import { type AddValue, longestPayload, payloads, structuredValues } from './syslog-payload.ts';
import { latestOf, syslogTime } from './syslog-time.ts';

const facilities = (
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp audit alert clock ' +
  'local0 local1 local2 local3 local4 local5 local6 local7'
).split(' ');
const severities = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];
const names = ['facility', 'severity', 'host', 'program', 'pid', 'msgid', 'message'] as const;
const vsftpd = 'vsftpd';

type Name = (typeof names)[number];

/** A message of the system log as rules see it; one object for all messages. */
export class SyslogEvent implements LogEvent {
  readonly values: ValueTable;
  offset = 0;
  readonly #tables: EventTables;
  readonly #now: number;
  readonly #slots: NamedSlots;
  /** By field: its name here, or null. */
  readonly #names: (Name | null | undefined)[] = [];
  readonly #routes = new Map<number, Route>();
  readonly #times: QuickTimes;
  /** The host met last, and the generation of its handle. */
  #host: ValueId = ABSENT;
  #hostGeneration = -1;
  #generation: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #header!: SyslogHeader;
  #start = 0;
  #end = 0;
  #isExpanded = false;

  /** @param now when the log was taken, in milliseconds since 1970: messages without a year are not from later. */
  constructor(tables: EventTables, now: number) {
    this.values = tables.values;
    this.#tables = tables;
    this.#now = now;
    this.#times = new QuickTimes((text) => syslogTime(text, now), latestOf(now));
    this.#slots = new NamedSlots(tables, undefined, names);
    this.#generation = tables.values.generation;
  }

  /** Takes up the message at [start, end). */
  take(bytes: Uint8Array, header: SyslogHeader, start: number, end: number, offset: number): void {
    this.values.nextRecord();
    this.#bytes = bytes;
    this.#header = header;
    this.#start = start;
    this.#end = end;
    this.offset = offset;
    this.#isExpanded = false;
  }

  get route(): Route {
    const { values, routes } = this.#tables;
    if (values.generation !== this.#generation) {
      this.#generation = values.generation;
      this.#routes.clear();
    }
    const { program, message, priority } = this.#header;
    const isTagged = program.end > program.start;
    const text = messageText(this.#bytes, message, this.#end, program.start, isTagged);
    const name = this.#named('program');
    const facility = priority < 0 ? null : priority >> 3;
    const key = name * 32 + (facility ?? 31);
    const known = text === null ? this.#routes.get(key) : undefined;
    if (known !== undefined) return known;
    const route = routes.source(...messageFacts(values.text(name), facility, text));
    if (text === null && !values.isTransient(name) && (facility ?? 0) < 31) this.#routes.set(key, route);
    return route;
  }

  value(field: FieldId): ValueId {
    let name = this.#names[field];
    if (name === undefined) name = this.#names[field] = this.#nameOf(field);
    if (name !== null) return this.#named(name);
    this.#expand();
    return this.#slots.value(field);
  }

  /** The whole message as it stands. */
  keywords(visit: (value: ValueId) => boolean): boolean {
    return (
      this.#end > this.#start &&
      visit(this.values.once(this.#slots.plain, this.#bytes, this.#start, this.#end - this.#start))
    );
  }

  time(): number {
    const { start, end } = this.#header.time;
    return end > start ? this.#times.ofBytes(this.#bytes, start, end) : Number.NaN;
  }

  /** Most messages are of the host of the one before. */
  computer(): ValueId {
    const { start, end } = this.#header.host;
    if (end === start) return ABSENT;
    const { values } = this;
    if (this.#hostGeneration !== values.generation) {
      this.#hostGeneration = values.generation;
      this.#host = ABSENT;
    }
    const id = values.internBytes(this.#slots.plain, this.#bytes, start, end - start, this.#host);
    if (!values.isTransient(id)) this.#host = id;
    return id;
  }

  get slotNames(): readonly SlotName[] {
    this.#expand();
    return this.#slots.names();
  }

  at(place: number): ValueId {
    const own = names[place];
    if (own !== undefined) return this.#named(own);
    const slot = place - names.length;
    return slot < this.#slots.count ? this.#slots.id(slot) : this.#named('host');
  }

  head(): EventHead {
    const { time } = this.#header;
    return {
      recordId: null,
      timestamp: syslogTime(decodePlain(this.#bytes, time.start, time.end - time.start), this.#now),
      computer: this.#text('host'),
      channel: this.#text('program'),
      eventId: this.#text('msgid'),
    };
  }

  toRecord(): OutputRecord {
    this.#expand();
    const record = new Map<string, OutputValue>();
    for (const name of names) {
      const text = this.#text(name);
      if (text !== null) record.set(name, text);
    }
    for (const [name, texts] of this.#slots.texts()) {
      if (!record.has(name)) record.set(name, texts.length === 1 ? texts[0]! : texts);
    }
    return Object.fromEntries([...record, ['_offset', this.offset]]);
  }

  #nameOf(field: FieldId): Name | null {
    const lower = this.#tables.fields.name(field).toLowerCase();
    return names.find((name) => name === lower) ?? null;
  }

  #named(name: Name): ValueId {
    const header = this.#header;
    switch (name) {
      case 'facility':
      case 'severity':
        return this.#fromPriority(name);
      case 'message':
        return this.#stretch(header.message, this.#end);
      case 'program':
        return header.isVsftpd ? this.values.intern(vsftpd) : this.#part(header.program);
      default:
        return this.#part(header[name]);
    }
  }

  #fromPriority(name: 'facility' | 'severity'): ValueId {
    const { priority } = this.#header;
    if (priority < 0) return ABSENT;
    const word = name === 'severity' ? severities[priority & 7] : facilities[priority >> 3];
    return this.values.intern(word ?? String(priority >> 3));
  }

  #part({ start, end }: Stretch): ValueId {
    return this.#stretch(start, end);
  }

  #stretch(start: number, end: number): ValueId {
    return end > start ? this.values.internBytes(this.#slots.plain, this.#bytes, start, end - start) : ABSENT;
  }

  #text(name: Name): string | null {
    return this.values.text(this.#named(name)) || null;
  }

  /** Finds what else the message holds, at the first question for it. */
  #expand(): void {
    if (this.#isExpanded) return;
    this.#isExpanded = true;
    const slots = this.#slots;
    slots.begin(this.#bytes);
    const { structured } = this.#header;
    const add: AddValue = (name, text) => slots.addText(name, text);
    const length = Math.min(structured.end - structured.start, longestPayload);
    if (length > 0) structuredValues(decodePlain(this.#bytes, structured.start, length), add);
    const payload = payloads.get(this.#text('program') ?? '');
    const message = (this.#text('message') ?? '').slice(0, longestPayload);
    if (payload === undefined && message[1] === ',') panOsValues(message, add);
    else payload?.(message, add);
  }
}
