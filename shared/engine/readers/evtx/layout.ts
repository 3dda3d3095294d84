import type { FieldTable } from '../../events/field-table.ts';
import { Shape, type SlotName } from '../../events/shape.ts';
import type { ValueId } from '../../events/value-table.ts';
import { resolveWindowsField } from '../../events/windows-fields.ts';
import { flatten, type Slot } from './flatten.ts';
import { isOptionalText, Parts, type TextPart } from './pieces.ts';
import type { RecordFrame } from './record-frame.ts';

const MOST_SLOTS = 128 * 1024;
const TIME = 'TimeCreated_SystemTime';
/** Place of a slot that is not simply one value of an instance. */
export const COMPOSED = -1;
const PLACE_BITS = 16;
/** No instance has as many values, so all places beyond are as empty as this one. */
const LAST_PLACE = 0x7fff;

/** Where the records of one kind have their names and values. */
export interface Layout {
  /** Whether there is any element; nothing can be said of a record without. */
  readonly isEvent: boolean;
  /** Whether the records have more names than are kept. */
  readonly isCut: boolean;
  readonly shape: Shape;
  /** By slot, where its value lies and what it is without one; for the functions below. */
  readonly codes: readonly number[];
  /** By slot, what its value is made of. */
  readonly texts: readonly (readonly TextPart[])[];
  /** Slots of EventData, UserData and the rendered message. */
  readonly searched: readonly number[];
  /** First slot of a Data element without a name; -1 when there is none. */
  readonly unnamed: number;
  readonly system: SystemSlots;
  /** By slot, a handle that its value had, in the generation said; 0 before there was one. */
  readonly last: { generation: number; readonly ids: ValueId[] };
}

/** Slots of System names; -1 where the records lack one. `time` is always there. */
export interface SystemSlots {
  provider: number;
  eventId: number;
  channel: number;
  computer: number;
  recordId: number;
  time: number;
}

const systemNames: ReadonlyMap<string, keyof SystemSlots> = new Map([
  ['Provider_Name', 'provider'],
  ['EventID', 'eventId'],
  ['Channel', 'channel'],
  ['Computer', 'computer'],
  ['EventRecordID', 'recordId'],
  [TIME, 'time'],
]);

/** Number of the value in its instance; COMPOSED when `texts` say what the slot is made of. */
export function placeOf(code: number): number {
  return (code & 0xffff) - 1;
}

export function instanceOf(code: number): number {
  return code >> (PLACE_BITS + 2);
}

export function isAttribute(code: number): boolean {
  return (code & (1 << PLACE_BITS)) !== 0;
}

/** Whether a null value means that the element or attribute is not there at all. */
export function isOptional(code: number): boolean {
  return (code & (2 << PLACE_BITS)) !== 0;
}

/** Makes the layouts of records, one per chain of templates, and shares shapes between them. */
export class Layouts {
  readonly #fields: FieldTable;
  readonly #shapes = new Map<string, Shape>();
  #slots = 0;

  constructor(fields: FieldTable) {
    this.#fields = fields;
  }

  of(frame: RecordFrame): Layout {
    const known = frame.node?.layout;
    if (known !== undefined) return known;
    const layout = this.#build(frame);
    frame.node?.keep(layout);
    return layout;
  }

  #build(frame: RecordFrame): Layout {
    const parts = new Parts(frame);
    const isEvent = parts.roots().length > 0;
    const slots = flatten(parts);
    const system: SystemSlots = { provider: -1, eventId: -1, channel: -1, computer: -1, recordId: -1, time: -1 };
    // The record header has a time for every record.
    if (!slots.some(isTime)) slots.push(headerTime);
    const searched: number[] = [];
    const codes: number[] = [];
    const texts: (readonly TextPart[])[] = [];
    const ids: ValueId[] = [];
    let unnamed = -1;
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!;
      const { section, name } = slot;
      const known = section === 'system' ? systemNames.get(name) : undefined;
      if (known !== undefined && system[known] < 0) system[known] = at;
      if (section === 'data' ? name !== 'UserData_Root' : name === 'Message') searched.push(at);
      if (slot.isUnnamed && unnamed < 0) unnamed = at;
      codes.push(codeOf(slot));
      texts.push(slot.texts);
      ids.push(0);
    }
    const shape = this.#shape(slots);
    const last = { generation: -1, ids };
    return { isEvent, isCut: parts.isCut, shape, codes, texts, searched, unnamed, system, last };
  }

  #shape(slots: readonly Slot[]): Shape {
    let key = '';
    for (const { name, section, path } of slots) key += `${section}\u0000${name}\u0000${path ?? ''}\u0000`;
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      this.#slots += slots.length;
      if (this.#slots > MOST_SLOTS) {
        this.#shapes.clear();
        this.#slots = slots.length;
      }
      shape = new Shape(slots.map(slotName), this.#fields, resolveWindowsField);
      this.#shapes.set(key, shape);
    }
    return shape;
  }
}

function isTime({ name, section }: Slot): boolean {
  return section === 'system' && name === TIME;
}

const headerTime: Slot = {
  name: TIME,
  section: 'system',
  path: undefined,
  texts: [],
  isAttribute: true,
  isUnnamed: false,
};

function slotName({ name, section, path }: Slot): SlotName {
  return { name, section, path };
}

function codeOf({ texts, isAttribute: attribute }: Slot): number {
  const piece = texts.length === 1 ? texts[0]!.piece : undefined;
  const place = piece?.kind === 'value' ? Math.min(piece.index, LAST_PLACE) : COMPOSED;
  const flags = (attribute ? 1 : 0) | (attribute || isOptionalText(texts) ? 2 : 0);
  return ((texts[0]?.instance ?? 0) << (PLACE_BITS + 2)) | (flags << PLACE_BITS) | (place + 1);
}
