import type { EventHead, LogEvent, OutputRecord } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { SlotName } from '../events/shape.ts';
import type { ValueId } from '../events/value-id.ts';
import type { ValueTable } from '../events/value-table.ts';

/** Lists of names that are kept; of more than these a log made to do harm has no use. */
const mostLists = 16 * 1024;

/** A record that keeps no list of its names, taken from its output with one; the object is used again and again. */
export class NamedRecord implements LogEvent {
  slotNames: readonly SlotName[] = [];
  #event!: LogEvent;
  #ids: ValueId[] = [];
  readonly #lists = new Map<string, readonly SlotName[]>();

  take(event: LogEvent): this {
    const { values } = event;
    const { computer } = event.head();
    const record = event.toRecord();
    const keys = Object.keys(record);
    const list = `${computer === null ? '' : 'c'}\u0000${keys.join('\u0000')}`;
    this.#event = event;
    this.#ids = keys.map((key) => {
      const value = record[key]!;
      return Array.isArray(value)
        ? values.list(value.map((one) => values.intern(String(one))))
        : values.intern(String(value));
    });
    if (computer !== null) this.#ids.push(values.intern(computer));
    this.slotNames = this.#lists.get(list) ?? this.#keep(list, keys, computer !== null);
    return this;
  }

  get values(): ValueTable {
    return this.#event.values;
  }

  get route(): Route {
    return this.#event.route;
  }

  get offset(): number {
    return this.#event.offset;
  }

  at(place: number): ValueId {
    return this.#ids[place]!;
  }

  time(): number {
    return this.#event.time();
  }

  computer(): ValueId {
    return this.#event.computer();
  }

  value(): ValueId {
    throw new Error('A record taken from its output is asked by place only');
  }

  keywords(): boolean {
    return false;
  }

  head(): EventHead {
    return this.#event.head();
  }

  toRecord(): OutputRecord {
    return this.#event.toRecord();
  }

  #keep(list: string, keys: readonly string[], hasComputer: boolean): readonly SlotName[] {
    if (this.#lists.size >= mostLists) this.#lists.clear();
    const names = keys.map((name): SlotName => ({ name, section: 'data' }));
    if (hasComputer) names.push({ name: 'Computer', section: 'system' });
    this.#lists.set(list, names);
    return names;
  }
}
