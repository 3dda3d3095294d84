import type { Section } from '../../events/shape.ts';
import { EMPTY, NULL, type ValueId } from '../../events/value-table.ts';
import type { EventTables } from '../reader.ts';
import { SlotEvent } from '../slot-event.ts';
import type { JsonObject, JsonScalar } from './json-value.ts';

/** Where the values of a record go, in document order. */
export interface Sink {
  add(section: Section, name: string, value: JsonScalar | readonly JsonScalar[], path?: string): void;
}

/** Gives the values of a record to a sink under the names of detection-engine 2.6. */
export type Flatten = (record: JsonObject, sink: Sink) => void;

/** The JSON record just read, as rules see it; one object for all records. */
export class WindowsJsonEvent extends SlotEvent implements Sink {
  readonly #flatten: Flatten;
  #raw: (JsonScalar | readonly JsonScalar[])[] = [];
  #isWhole = true;

  constructor(tables: EventTables, flatten: Flatten) {
    super(tables);
    this.#flatten = flatten;
  }

  /** Takes up a record; false when it has more values than are kept. */
  take(record: JsonObject, offset: number): boolean {
    this.start(offset);
    this.#raw.length = 0;
    this.#isWhole = true;
    this.#flatten(record, this);
    this.finish();
    return this.#isWhole;
  }

  add(section: Section, name: string, value: JsonScalar | readonly JsonScalar[], path?: string): void {
    if (this.addSlot(section, name, path)) this.#raw.push(value);
    else this.#isWhole = false;
  }

  protected internSlot(slot: number): ValueId {
    const raw = this.#raw[slot]!;
    return isList(raw) ? this.#list(raw) : this.#scalar(raw);
  }

  protected outputSlot(slot: number): readonly JsonScalar[] {
    const raw = this.#raw[slot]!;
    return isList(raw) ? raw : [raw];
  }

  #list(items: readonly JsonScalar[]): ValueId {
    if (items.length === 0) return NULL;
    return items.length === 1 ? this.#scalar(items[0]!) : this.values.list(items.map((item) => this.#scalar(item)));
  }

  #scalar(value: JsonScalar): ValueId {
    if (value === null) return NULL;
    return value === '' ? EMPTY : this.values.intern(String(value));
  }
}

function isList(raw: JsonScalar | readonly JsonScalar[]): raw is readonly JsonScalar[] {
  return Array.isArray(raw);
}
