import type { FieldId } from '../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { EventNames, SlotName } from '../events/shape.ts';
import type { ValueId } from '../events/value-id.ts';
import type { ValueTable } from '../events/value-table.ts';
import { flattenEvent } from '../readers/json/flatten-event.ts';
import { isObject, type JsonObject } from '../readers/json/json-value.ts';
import { WindowsJsonEvent } from '../readers/json/windows-json-event.ts';
import { ObjectEvent } from '../readers/objects/object-event.ts';
import type { EventTables } from '../readers/reader.ts';
import type { ToldMatch } from './told-match.ts';
import type { ToldRule } from './told-rule.ts';

/** An event that results tell of, with the rule that it is said to match; one object for all of them. */
export class ToldEvent implements LogEvent {
  readonly values: ValueTable;
  told!: ToldRule;
  readonly #windows: WindowsJsonEvent;
  readonly #other: ObjectEvent;
  #event!: WindowsJsonEvent | ObjectEvent;
  #head!: EventHead;

  constructor(tables: EventTables) {
    this.values = tables.values;
    this.#windows = new WindowsJsonEvent(tables, flattenEvent);
    this.#other = new ObjectEvent(tables);
  }

  take({ rule, head, event }: ToldMatch, offset: number): void {
    this.told = rule;
    this.#event = isWindows(event) ? this.#windows : this.#other;
    this.#event.take(event, offset);
    const own = this.#event.head();
    this.#head = {
      recordId: head.recordId ?? own.recordId,
      timestamp: head.timestamp ?? own.timestamp,
      computer: head.computer ?? own.computer,
      channel: head.channel ?? own.channel,
      eventId: head.eventId ?? own.eventId,
    };
  }

  get route(): Route {
    return this.#event.route;
  }

  get offset(): number {
    return this.#event.offset;
  }

  get names(): EventNames | undefined {
    return this.#event.names;
  }

  /** Of other records, no two lists are the same. */
  get slotNames(): readonly SlotName[] | undefined {
    return this.#event === this.#windows ? this.#event.slotNames : undefined;
  }

  at(place: number): ValueId {
    return this.#event.at(place);
  }

  value(field: FieldId): ValueId {
    return this.#event.value(field);
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    return this.#event.keywords(visit);
  }

  time(): number {
    return this.#head.timestamp === null ? Number.NaN : Date.parse(this.#head.timestamp);
  }

  computer(): ValueId {
    const { computer } = this.#head;
    return computer === null ? this.#event.computer() : this.values.intern(computer);
  }

  head(): EventHead {
    return this.#head;
  }

  toRecord(): OutputRecord {
    return this.#event.toRecord();
  }
}

function isWindows(event: JsonObject): boolean {
  return isObject(event.Event) || ('EventID' in event && ('Channel' in event || 'Provider_Name' in event));
}
