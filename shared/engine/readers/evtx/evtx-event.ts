import type { FieldId } from '../../events/field-table.ts';
import type { ByteRange, EventHead, LogEvent, OutputRecord } from '../../events/log-event.ts';
import type { EventNames, SlotName } from '../../events/shape.ts';
import type { Route } from '../../events/route.ts';
import type { ValueTable } from '../../events/value-table.ts';
import { ABSENT, EMPTY, type ValueId } from '../../events/value-id.ts';
import { joinsUnnamedData } from '../../events/windows-fields.ts';
import type { EventTables } from '../reader.ts';
import { EventValues } from './event-values.ts';
import { Layouts } from './layout.ts';
import type { Layout } from './record-layout.ts';
import { COMPOSED, instanceOf, placeOf } from './layout-code.ts';
import { outputRecord } from './output-record.ts';
import type { RecordFrame } from './record-frame.ts';
import { RouteCache } from '../route-cache.ts';
import { fileTimeMs, fileTimeText, sevenDigits } from './times.ts';
import { ARRAY, valueType } from './value-types.ts';

/** The record that a reader has just read, as rules see it; one object for all records. */
export class EvtxEvent implements LogEvent {
  readonly values: ValueTable;
  readonly frame: RecordFrame;
  readonly #layouts: Layouts;
  readonly #routes: RouteCache;
  readonly #slots: EventValues;
  #layout!: Layout;
  #recovered = false;
  #joined: ValueId = ABSENT;

  constructor(frame: RecordFrame, tables: EventTables) {
    this.values = tables.values;
    this.frame = frame;
    this.#layouts = new Layouts(tables.fields);
    this.#routes = new RouteCache(tables);
    this.#slots = new EventValues(frame, tables.values);
  }

  get offset(): number {
    return this.frame.chunk.offset + this.frame.start;
  }

  get range(): ByteRange {
    return this.frame.chunk.range;
  }

  /** Values met so far whose length is not that of their type. */
  get damagedValues(): number {
    return this.#slots.damaged;
  }

  get route(): Route {
    const { shape, system } = this.#layout;
    return this.#routes.route(
      this.#system(system.channel),
      this.#system(system.provider),
      this.#system(system.eventId),
      shape.shadowsRoute,
    );
  }

  /**
   * Takes up the record that the frame has read; false when there is no event in it.
   * @param recovered whether it was found in unused space.
   */
  begin(recovered: boolean): boolean {
    this.values.nextRecord();
    this.#recovered = recovered;
    this.#layout = this.#layouts.of(this.frame);
    this.#slots.begin(this.#layout);
    this.#joined = ABSENT;
    if (this.#layout.isCut) this.frame.damaged = true;
    return this.#layout.isEvent;
  }

  value(field: FieldId): ValueId {
    const { shape, unnamed } = this.#layout;
    const slot = shape.slot(field);
    if (slot < 0) return ABSENT;
    const several = shape.several(field);
    const id = several === undefined ? this.#slots.slot(slot) : this.#slots.several(several);
    return slot === unnamed ? this.#unnamedData(id) : id;
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    for (const slot of this.#layout.searched) {
      if (!this.#isString(slot)) continue;
      const id = this.#slots.slot(slot);
      const items = this.values.items(id);
      if (items === undefined ? id > EMPTY && visit(id) : visitItems(items, visit)) return true;
    }
    return false;
  }

  get names(): EventNames {
    return this.#layout.shape;
  }

  time(): number {
    const { frame } = this;
    const code = this.#layout.codes[this.#layout.system.time]!;
    const [instance, place] = [instanceOf(code), placeOf(code)];
    if (place !== COMPOSED && frame.type(instance, place) === valueType.fileTime && frame.size(instance, place) === 8) {
      return fileTimeMs(frame.chunk.view, frame.offset(instance, place));
    }
    return Date.parse(this.#timestamp());
  }

  computer(): ValueId {
    return this.#system(this.#layout.system.computer);
  }

  get slotNames(): readonly SlotName[] {
    return this.#layout.shape.slots;
  }

  at(place: number): ValueId {
    return this.#slots.slot(place);
  }

  head(): EventHead {
    const { recordId, computer, channel, eventId } = this.#layout.system;
    return {
      recordId: this.#text(recordId) ?? this.frame.recordId().toString(),
      timestamp: this.#timestamp(),
      computer: this.#text(computer),
      channel: this.#text(channel),
      eventId: this.#text(eventId),
    };
  }

  toRecord(): OutputRecord {
    const record = outputRecord(this.frame, this.#layout, () => this.#headerTime());
    const { offset } = this;
    return Object.assign(record, this.#recovered ? { _offset: offset, _recovered: true } : { _offset: offset });
  }

  #system(slot: number): ValueId {
    return slot < 0 ? ABSENT : this.#slots.slot(slot);
  }

  #text(slot: number): string | null {
    const id = this.#system(slot);
    return this.values.text(this.values.items(id)?.[0] ?? id) || null;
  }

  #timestamp(): string {
    return sevenDigits(this.#text(this.#layout.system.time) ?? '') ?? this.#headerTime();
  }

  #headerTime(): string {
    return fileTimeText(...this.frame.time());
  }

  /** Classic PowerShell's unnamed values are one text, for rules; see `joinsUnnamedData`. */
  #unnamedData(id: ValueId): ValueId {
    if (this.#joined !== ABSENT) return this.#joined;
    const items = this.values.items(id);
    const channel = this.values.text(this.#system(this.#layout.system.channel));
    if (items === undefined || !joinsUnnamedData(channel)) return id;
    this.#joined = this.values.intern(items.map((item) => this.values.text(item)).join('\n'));
    return this.#joined;
  }

  #isString(slot: number): boolean {
    const code = this.#layout.codes[slot]!;
    if (placeOf(code) === COMPOSED) return true;
    const type = this.frame.type(instanceOf(code), placeOf(code)) & ~ARRAY;
    return type === valueType.string || type === valueType.ansi || type === valueType.xml;
  }
}

function visitItems(items: readonly ValueId[], visit: (value: ValueId) => boolean): boolean {
  return items.some((item) => item > EMPTY && visit(item));
}
