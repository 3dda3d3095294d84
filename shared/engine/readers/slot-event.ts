import type { FieldId } from '../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord, OutputValue } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { ValueTable } from '../events/value-table.ts';
import { ABSENT, EMPTY, type ValueId } from '../events/value-id.ts';
import type { EventNames, SlotName } from '../events/shape.ts';
import { joinsUnnamedData } from '../events/windows-fields.ts';
import { QuickTimes } from './quick-times.ts';
import { RouteCache } from './route-cache.ts';
import type { EventTables } from './reader.ts';
import type { EventShape, SystemSlot } from './shape-tree.ts';
import { utcTime } from './utc-time.ts';

/** A value as its format has it; null when it stands there empty. */
export type Scalar = string | number | boolean | null;

type Filled = Exclude<Scalar, null>;

const UNKNOWN = -1;

/**
 * A Windows event read from text: a list of names with values, in document order. What is common to
 * JSON and XML; they say how a slot's value is made into a handle or an output value.
 */
export abstract class SlotEvent implements LogEvent {
  readonly values: ValueTable;
  offset = 0;
  readonly #routes: RouteCache;
  readonly #times = new QuickTimes(utcTime);
  #shape!: EventShape;
  #ids = new Int32Array(64);

  constructor(tables: EventTables) {
    this.values = tables.values;
    this.#routes = new RouteCache(tables);
  }

  get route(): Route {
    const { shadowsRoute } = this.#shape.shape;
    return this.#routes.route(this.#system('channel'), this.#system('provider'), this.#system('eventId'), shadowsRoute);
  }

  value(field: FieldId): ValueId {
    const { shape } = this.#shape;
    const slot = shape.slot(field);
    if (slot < 0) return ABSENT;
    const several = shape.several(field);
    const id = several === undefined ? this.#slot(slot) : this.#together(several);
    return shape.slots[slot]!.name === 'Data' ? this.#joined(id) : id;
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    for (const slot of this.#shape.searched) {
      const id = this.#slot(slot);
      const items = this.values.items(id);
      if (items === undefined ? id > EMPTY && visit(id) : items.some((item) => item > EMPTY && visit(item)))
        return true;
    }
    return false;
  }

  get names(): EventNames {
    return this.#shape.shape;
  }

  /** No handle is made of it: hardly any time is ever the same again. */
  time(): number {
    const slot = this.#shape.system.time;
    const [value] = slot < 0 ? [] : this.outputSlot(slot);
    return value === undefined || value === null ? Number.NaN : this.#times.ofText(String(value));
  }

  computer(): ValueId {
    return this.#system('computer');
  }

  get slotNames(): readonly SlotName[] {
    return this.#shape.shape.slots;
  }

  at(place: number): ValueId {
    return this.#slot(place);
  }

  head(): EventHead {
    return {
      recordId: this.#text('recordId'),
      timestamp: utcTime(this.#text('time') ?? ''),
      computer: this.#text('computer'),
      channel: this.#text('channel'),
      eventId: this.#text('eventId'),
    };
  }

  toRecord(): OutputRecord {
    const record = new Map<string, Filled[]>();
    for (const [slot, { name }] of this.#shape.shape.slots.entries()) {
      const values = this.outputSlot(slot).filter(isFilled);
      if (values.length > 0) record.set(name, [...(record.get(name) ?? []), ...values]);
    }
    const entries = [...record].map(([name, values]): [string, OutputValue] => [
      name,
      values.length === 1 ? values[0]! : values,
    ]);
    // fromEntries defines names such as __proto__ as any other.
    return Object.fromEntries([...entries, ['_offset', this.offset]]);
  }

  /** Handle of a slot's value; asked for at most once per event. */
  protected abstract internSlot(slot: number): ValueId;
  /** The slot's values for output; null for an empty one. */
  protected abstract outputSlot(slot: number): readonly Scalar[];

  /** Takes up an event; `show` follows, before anything is asked of it. */
  protected start(offset: number): void {
    this.values.nextRecord();
    this.offset = offset;
  }

  /** Says what names the event has. */
  protected show(shape: EventShape): void {
    const slots = shape.shape.slots.length;
    this.#shape = shape;
    if (slots > this.#ids.length) this.#ids = new Int32Array(slots * 2);
    this.#ids.fill(UNKNOWN, 0, slots);
  }

  #slot(slot: number): ValueId {
    const known = this.#ids[slot]!;
    return known === UNKNOWN ? (this.#ids[slot] = this.internSlot(slot)) : known;
  }

  #together(slots: readonly number[]): ValueId {
    const ids = slots.flatMap((slot) => {
      const id = this.#slot(slot);
      return this.values.items(id) ?? id;
    });
    return this.values.list(ids);
  }

  /** Classic PowerShell's unnamed values are one text, for rules; see `joinsUnnamedData`. */
  #joined(id: ValueId): ValueId {
    const items = this.values.items(id);
    if (items === undefined || !joinsUnnamedData(this.#text('channel') ?? '')) return id;
    return this.values.intern(items.map((item) => this.values.text(item)).join('\n'));
  }

  #system(name: SystemSlot): ValueId {
    const slot = this.#shape.system[name];
    return slot < 0 ? ABSENT : this.#slot(slot);
  }

  #text(name: SystemSlot): string | null {
    const id = this.#system(name);
    return this.values.text(this.values.items(id)?.[0] ?? id) || null;
  }
}

function isFilled(value: Scalar): value is Filled {
  return value !== null && value !== '';
}
