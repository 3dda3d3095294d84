import type { ValueTable } from '../../events/value-table.ts';
import { ABSENT, EMPTY, NULL, type ValueId } from '../../events/value-id.ts';
import type { Layout } from './record-layout.ts';
import { COMPOSED, instanceOf, isAttribute, isOptional, placeOf } from './layout-code.ts';
import { typedValues } from './pieces.ts';
import { type RecordFrame, TIME } from './record-frame.ts';
import { decoders, eachItem } from './value-text.ts';
import { ARRAY, valueType, widths } from './value-types.ts';

const SMALL_NUMBERS = 65_536;

/** Handles of a record's values by slot, made when asked for and remembered for the record. */
export class EventValues {
  /** Values that do not have the length of their type, among those asked for in this record. */
  damaged = 0;
  readonly #frame: RecordFrame;
  readonly #values: ValueTable;
  readonly #kinds: Int16Array;
  readonly #numbers = new Int32Array(SMALL_NUMBERS);
  #generation: number;
  #layout!: Layout;
  #record = 0;
  #known = new Int32Array(256);
  #ids = new Int32Array(256);

  constructor(frame: RecordFrame, values: ValueTable) {
    this.#frame = frame;
    this.#values = values;
    this.#kinds = Int16Array.from(decoders, (decode) => (decode === undefined ? -1 : values.kind(decode)));
    this.#generation = values.generation;
  }

  begin(layout: Layout): void {
    this.damaged = 0;
    this.#layout = layout;
    this.#record = (this.#record + 1) | 0;
    const slots = layout.codes.length;
    if (slots > this.#known.length) {
      this.#known = new Int32Array(slots * 2).fill(this.#record - 1);
      this.#ids = new Int32Array(slots * 2);
    }
    const { generation } = this.#values;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#numbers.fill(0);
    }
    if (generation !== layout.last.generation) {
      layout.last.generation = generation;
      layout.last.ids.fill(0);
    }
  }

  slot(slot: number): ValueId {
    if (this.#known[slot] === this.#record) return this.#ids[slot]!;
    const layout = this.#layout;
    const code = layout.codes[slot]!;
    let id = placeOf(code) === COMPOSED ? this.#composed(slot, code) : this.#value(slot, code);
    if (id <= EMPTY && slot === layout.system.time) id = this.#headerTime();
    this.#known[slot] = this.#record;
    this.#ids[slot] = id;
    return id;
  }

  /** One handle for the values of all these slots; ABSENT when none has a value. */
  several(slots: readonly number[]): ValueId {
    const ids: ValueId[] = [];
    for (const slot of slots) {
      const id = this.slot(slot);
      if (id !== ABSENT) ids.push(...(this.#values.items(id) ?? [id]));
    }
    return this.#together(ids, ABSENT);
  }

  #value(slot: number, code: number): ValueId {
    const frame = this.#frame;
    const instance = instanceOf(code);
    const place = placeOf(code);
    const type = frame.type(instance, place);
    if (type === valueType.none) return isOptional(code) ? ABSENT : NULL;
    const { ids } = this.#layout.last;
    const id = this.#scalar(type, frame.offset(instance, place), frame.size(instance, place), ids[slot]);
    if (id <= EMPTY) return isAttribute(code) || type === valueType.string ? id : NULL;
    if (!this.#values.isTransient(id)) ids[slot] = id;
    return id;
  }

  /** @param last the handle that the value had in another record: it may well be the same again. */
  #scalar(type: number, offset: number, size: number, last = 0): ValueId {
    const { bytes, view } = this.#frame.chunk;
    if (type === valueType.string) return this.#values.internUtf16(bytes, offset, size, last);
    if (size === 0) return EMPTY;
    if (type === valueType.uint8 && size === 1) return this.#number(bytes[offset]!);
    if (type === valueType.uint16 && size === 2) return this.#number(view.getUint16(offset, true));
    if (type === valueType.uint32 && size === 4) {
      const number = view.getUint32(offset, true);
      if (number < SMALL_NUMBERS) return this.#number(number);
    }
    if ((type & ARRAY) !== 0) return this.#array(type, offset, size);
    const kind = this.#kinds[type]!;
    if (kind < 0) return ABSENT;
    if (widths[type] !== 0 && widths[type] !== size) this.damaged++;
    // Times and record numbers are nearly always new, so that keeping them would be in vain.
    if (type === valueType.fileTime || type === valueType.uint64) return this.#values.once(kind, bytes, offset, size);
    return this.#values.internBytes(kind, bytes, offset, size, last);
  }

  #array(type: number, offset: number, size: number): ValueId {
    const ids: ValueId[] = [];
    eachItem(type, this.#frame.chunk.bytes, offset, size, (itemType, at, length) => {
      const id = this.#scalar(itemType, at, length);
      ids.push(id === EMPTY ? NULL : id);
    });
    return this.#together(ids, EMPTY);
  }

  #number(number: number): ValueId {
    const known = this.#numbers[number]!;
    return known === 0 ? (this.#numbers[number] = this.#values.intern(String(number))) : known;
  }

  #composed(slot: number, code: number): ValueId {
    const { last, texts } = this.#layout;
    const known = last.ids[slot]!;
    if (known !== 0) return known;
    const parts = texts[slot]!;
    const only = parts.length === 1 ? parts[0]!.piece : undefined;
    if (only?.kind === 'text') return this.#fixed(slot, code, only.text);
    const ids = typedValues(this.#frame, parts).map((value) => this.#text(code, String(value)));
    return this.#together(ids, isAttribute(code) ? ABSENT : NULL);
  }

  /** Handle of a template's own text, the same for all records. */
  #fixed(slot: number, code: number, text: string): ValueId {
    const id = this.#text(code, text);
    if (!this.#values.isTransient(id)) this.#layout.last.ids[slot] = id;
    return id;
  }

  #text(code: number, text: string): ValueId {
    return text === '' && !isAttribute(code) ? NULL : this.#values.intern(text);
  }

  #together(ids: readonly ValueId[], none: ValueId): ValueId {
    return ids.length > 1 ? this.#values.list(ids) : (ids[0] ?? none);
  }

  #headerTime(): ValueId {
    return this.#scalar(valueType.fileTime, this.#frame.start + TIME, 8);
  }
}
