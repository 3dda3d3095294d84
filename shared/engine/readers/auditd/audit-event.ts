import type { FieldId } from '../../events/field-table.ts';
import type { EventHead, EventTexts, LogEvent, OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { Route } from '../../events/route.ts';
import type { ValueTable } from '../../events/value-table.ts';
import type { SlotName } from '../../events/shape.ts';
import { ABSENT, type ValueId } from '../../events/value-id.ts';
import type { EventTables } from '../reader.ts';
import type { NamedSlots } from '../text/named-slots.ts';
import type { AuditSiblings } from './audit-siblings.ts';
import { type AuditValues, ownNames } from './audit-values.ts';
import type { AuditGroup, AuditPlace } from './audit-window.ts';

const facts = [{ product: 'linux' }, { product: 'linux', service: 'auditd' }];
/** Far more types than there are; in a log made to do harm, the rest share a route. */
const mostTypes = 512;

/** An audit record as rules see it, with what its siblings lend it; one object for all records. */
export class AuditEvent implements LogEvent {
  readonly values: ValueTable;
  readonly #tables: EventTables;
  readonly #cut: AuditValues;
  readonly #slots: NamedSlots;
  readonly #siblings: AuditSiblings;
  readonly #routes = new Map<string, Route>();
  readonly #type: FieldId;
  readonly #node: FieldId;
  readonly #nametype: FieldId;
  readonly #objtype: FieldId;
  #bytes: Uint8Array = new Uint8Array(0);
  #group!: AuditGroup;
  #place!: AuditPlace;

  constructor(tables: EventTables, cut: AuditValues) {
    this.values = tables.values;
    this.#tables = tables;
    this.#cut = cut;
    this.#slots = cut.slots;
    this.#siblings = cut.siblings;
    this.#type = tables.fields.id('type');
    this.#node = tables.fields.id('node');
    this.#nametype = tables.fields.id('nametype');
    this.#objtype = tables.fields.id('objtype');
  }

  take(bytes: Uint8Array, group: AuditGroup, place: AuditPlace): void {
    this.#bytes = bytes;
    this.#group = group;
    this.#place = place;
  }

  get offset(): number {
    return this.#place.offset;
  }

  get route(): Route {
    const { type } = this.#place;
    let route = this.#routes.get(type);
    if (route === undefined) {
      const isKept = this.#routes.size < mostTypes;
      route = this.#tables.routes.typed(isKept ? type : '', facts);
      if (isKept) this.#routes.set(type, route);
    }
    return route;
  }

  get texts(): EventTexts {
    return this.#cut;
  }

  value(field: FieldId): ValueId {
    if (field === this.#type) return this.values.intern(this.#place.type);
    this.#cut.cut();
    const own = this.#slots.value(field, this.#place.from, this.#place.to);
    if (own !== ABSENT) return own;
    if (field === this.#node && this.#group.node !== null) return this.values.intern(this.#group.node);
    // What old kernels call it.
    const old = field === this.#nametype ? this.#slots.value(this.#objtype, this.#place.from, this.#place.to) : ABSENT;
    return old === ABSENT ? this.#siblings.value(field) : old;
  }

  /** The line as it stands, and what is in it in another form. */
  keywords(visit: (value: ValueId) => boolean): boolean {
    const { start, end } = this.#place;
    if (end > start && visit(this.values.once(this.#slots.plain, this.#bytes, start, end - start))) return true;
    this.#cut.cut();
    const { from, to } = this.#place;
    return this.#slots.someDecoded(visit, from, to);
  }

  time(): number {
    return this.#group.time;
  }

  computer(): ValueId {
    const { node } = this.#group;
    return node === null ? ABSENT : this.values.intern(node);
  }

  get slotNames(): readonly SlotName[] {
    this.#cut.cut();
    return this.#slots.names(this.#place.from, this.#place.to);
  }

  at(place: number): ValueId {
    const { type, from, to } = this.#place;
    const slot = from + place - ownNames.length;
    if (slot >= from && slot < to) return this.#slots.id(slot);
    if (place === 0) return this.values.intern(type);
    return this.#group.node === null ? ABSENT : this.values.intern(this.#group.node);
  }

  head(): EventHead {
    return auditHead(this.#group, this.#place.type);
  }

  toRecord(): OutputRecord {
    this.#cut.cut();
    const { type, from, to } = this.#place;
    const { node } = this.#group;
    const record = new Map<string, OutputValue>([['type', type]]);
    if (node !== null) record.set('node', node);
    addSlots(record, this.#slots, from, to);
    return Object.fromEntries([...record, ['_offset', this.offset]]);
  }
}

export function auditHead({ time, serial, node }: AuditGroup, type: string): EventHead {
  return {
    recordId: Number.isNaN(serial) ? null : String(serial),
    timestamp: Number.isNaN(time) ? null : new Date(time).toISOString(),
    computer: node,
    channel: null,
    eventId: type,
  };
}

/** Adds what a record does not have yet; a name that repeats has its values together. */
export function addSlots(record: Map<string, OutputValue>, slots: NamedSlots, from: number, to: number): void {
  for (const [name, texts] of slots.texts(from, to)) {
    if (!record.has(name)) record.set(name, texts.length === 1 ? texts[0]! : texts);
  }
}
