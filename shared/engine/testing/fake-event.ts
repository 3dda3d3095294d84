import type { FieldId } from '../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord } from '../events/log-event.ts';
import type { Route, SourceFacts } from '../events/route.ts';
import { type EventNames, Shape, type SlotName } from '../events/shape.ts';
import type { ValueTable } from '../events/value-table.ts';
import { EMPTY, NULL, ABSENT, type ValueId } from '../events/value-id.ts';
import { joinsUnnamedData, resolveWindowsField } from '../events/windows-fields.ts';
import type { EventTables } from '../readers/reader.ts';

type FakeScalar = string | number | boolean | null;

/** What a fake record holds; a list is a name that repeats. */
export interface FakeRecord {
  readonly channel?: string;
  readonly provider?: string;
  readonly eventId?: number;
  readonly computer?: string;
  readonly recordId?: number;
  /** UTC, ISO 8601. */
  readonly time?: string;
  readonly message?: string;
  /** Log source of a record that is not of Windows. */
  readonly facts?: SourceFacts;
  readonly data?: Readonly<Record<string, FakeScalar | readonly FakeScalar[]>>;
}

/** An event made from names and values, for tests of what comes after the readers. */
export function fakeEvent(tables: EventTables, record: FakeRecord): LogEvent {
  return new FakeEvent(tables, record);
}

class FakeEvent implements LogEvent {
  readonly values: ValueTable;
  readonly route: Route;
  readonly offset = 0;
  readonly #shape: Shape;
  readonly #record: FakeRecord;
  readonly #texts: FakeScalar[] = [];

  constructor(tables: EventTables, record: FakeRecord) {
    const slots: SlotName[] = [];
    const add = (section: SlotName['section'], name: string, value: FakeScalar | undefined): void => {
      if (value === undefined) return;
      slots.push({ name, section });
      this.#texts.push(value);
    };
    add('system', 'Provider_Name', record.provider);
    add('system', 'EventID', record.eventId);
    add('system', 'Channel', record.channel);
    add('system', 'Computer', record.computer);
    add('system', 'TimeCreated_SystemTime', record.time);
    for (const [name, value] of Object.entries(record.data ?? {})) {
      for (const one of Array.isArray(value) ? (value as FakeScalar[]) : [value as FakeScalar]) add('data', name, one);
    }
    add('rendering', 'Message', record.message);
    this.values = tables.values;
    this.#record = record;
    this.#shape = new Shape(slots, tables.fields, resolveWindowsField);
    this.route = record.facts
      ? tables.routes.source(record.facts)
      : tables.routes.windows(
          record.channel ?? '',
          record.provider ?? '',
          String(record.eventId ?? ''),
          this.#shape.shadowsRoute,
        );
  }

  value(field: FieldId): ValueId {
    const slot = this.#shape.slot(field);
    if (slot < 0) return ABSENT;
    const several = this.#shape.several(field);
    if (several === undefined) return this.#value(slot);
    if (this.#shape.slots[slot]!.name === 'Data' && joinsUnnamedData(this.route.channel)) {
      return this.values.intern(several.map((one) => String(this.#texts[one] ?? '')).join('\n'));
    }
    return this.values.list(several.map((one) => this.#value(one)));
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    return this.#shape.slots.some(({ section }, slot) => {
      const isText = section !== 'system' && typeof this.#texts[slot] === 'string' && this.#texts[slot] !== '';
      return isText && visit(this.#value(slot));
    });
  }

  get names(): EventNames {
    return this.#shape;
  }

  time(): number {
    return Date.parse(this.#record.time ?? '');
  }

  computer(): ValueId {
    return this.#record.computer === undefined ? ABSENT : this.values.intern(this.#record.computer);
  }

  head(): EventHead {
    const { recordId, time, computer, channel, eventId } = this.#record;
    return {
      recordId: recordId === undefined ? null : String(recordId),
      timestamp: time ?? null,
      computer: computer ?? null,
      channel: channel ?? null,
      eventId: eventId === undefined ? null : String(eventId),
    };
  }

  toRecord(): OutputRecord {
    const pairs = this.#shape.slots.map(({ name }, slot) => [name, this.#texts[slot]] as const);
    return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== ''));
  }

  #value(slot: number): ValueId {
    const value = this.#texts[slot]!;
    if (value === null) return NULL;
    return value === '' ? EMPTY : this.values.intern(String(value));
  }
}
